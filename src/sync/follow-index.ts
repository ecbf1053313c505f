import type { KeyRing } from '../keys/key-ring.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { Periodic } from '../lib/periodic.ts'
import { runInSlices } from '../lib/steps.ts'
import { errorText } from '../lib/text.ts'
import { ContentReceiver, type SentContent } from '../slot-index/content-transfer.ts'
import { KnownSources } from '../slot-index/known-sources.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import type { IndexMessage } from './index-messages.ts'

/** How long one slice of the work may delay requests: about as long as 50 requests take. */
const SLICE_MS = 0.5
/** Before the first load there are no requests to delay. */
const LOADING_SLICE_MS = 20
const PREPARE_EVERY_MS = 1000

/**
 * Applies the messages of the follow thread to the index and the key ring.
 *
 *     loading ──first keys and first slots──> ready
 *
 * States of the slots are shown one after the other; offerings that are new in them are indexed in slices, between which requests are
 * served. Keys and sources are applied immediately. After a state that could not be shown, the next whole one is shown.
 */
export class IndexFollower {
  readonly #index: SlotIndex
  readonly #keyRing: KeyRing
  readonly #sources: KnownSources
  readonly #now: () => number
  #receiver = new ContentReceiver()
  #queue: Promise<void> = Promise.resolve()
  #hasKeys = false
  #hasSlots = false

  /** `now`: Unix milliseconds. */
  constructor(index: SlotIndex, keyRing: KeyRing, sources = new KnownSources(), now = Date.now) {
    this.#now = now
    this.#index = index
    this.#keyRing = keyRing
    this.#sources = sources
  }

  /** The keys and the slots have been loaded once. */
  get isReady(): boolean {
    return this.#hasKeys && this.#hasSlots
  }

  /** Resolves when the message is applied. */
  async take(message: IndexMessage): Promise<void> {
    switch (message.kind) {
      case 'keys':
        if (message.whole) this.#keyRing.replace(message.keys)
        else this.#keyRing.apply(message.keys)
        this.#hasKeys = true
        return
      case 'sources':
        this.#sources.apply(message)
        return
      case 'slots': {
        const shown = this.#queue.then(() => this.#show(message.content))
        this.#queue = shown.catch(() => {
          // States that build on the one that failed are ignored.
          this.#receiver = new ContentReceiver()
        })
        await shown
      }
    }
  }

  /** Does in slices what the requests of the next seconds would do at once. See `preparing()`. */
  async prepare(): Promise<void> {
    if (!this.#hasSlots) return
    await runInSlices(this.#index.prepare(this.#now()), SLICE_MS)
    this.#index.advance(this.#now())
  }

  async #show(sent: SentContent): Promise<void> {
    const sliceMs = this.#hasSlots ? SLICE_MS : LOADING_SLICE_MS
    const content = await runInSlices(this.#receiver.unpack(sent), sliceMs)
    if (content === undefined) return
    await runInSlices(this.#index.prepare(this.#now(), content), sliceMs)
    this.#index.show(content, this.#now())
    this.#hasSlots = true
  }
}

/** Keeps the index of a thread prepared: see `IndexFollower.prepare()`. */
export function preparing(follower: IndexFollower, onEvent: (event: LogEvent) => void): Periodic {
  return new Periodic(() => follower.prepare(), {
    everyMs: PREPARE_EVERY_MS,
    onError: (error) =>
      onEvent({ level: 'error', message: 'index could not be prepared', fields: { error: errorText(error) } }),
  })
}
