import type { KeyRing } from '../keys/key-ring.ts'
import { runInSlices } from '../lib/steps.ts'
import { ContentReceiver, type SentContent } from '../slot-index/content-transfer.ts'
import { KnownSources } from '../slot-index/known-sources.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import type { IndexMessage } from './index-messages.ts'

/** How long one slice of the work may delay requests: about as long as 50 requests take. */
const SLICE_MS = 0.5
/** Before the first load there are no requests to delay. */
const LOADING_SLICE_MS = 20

/**
 * Applies the messages of the follow thread to the index and the key ring.
 *
 *     loading ──first keys and first slots──> ready
 *
 * States of the slots are shown one after the other; offerings that are new in them are indexed in slices, between which requests are
 * served. Keys and sources are applied immediately.
 */
export class IndexFollower {
  readonly #index: SlotIndex
  readonly #keyRing: KeyRing
  readonly #sources: KnownSources
  readonly #receiver = new ContentReceiver()
  #queue: Promise<void> = Promise.resolve()
  #hasKeys = false
  #hasSlots = false

  constructor(index: SlotIndex, keyRing: KeyRing, sources = new KnownSources()) {
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
      case 'slots':
        this.#queue = this.#queue.then(() => this.#show(message.content))
        await this.#queue
    }
  }

  async #show(sent: SentContent): Promise<void> {
    const content = await runInSlices(this.#receiver.unpack(sent), this.#hasSlots ? SLICE_MS : LOADING_SLICE_MS)
    if (content === undefined) return
    this.#index.show(content)
    this.#hasSlots = true
  }
}
