import type { KeyRing } from '../keys/key-ring.ts'
import { KnownSources } from '../slot-index/known-sources.ts'
import type { SlotChange } from '../slot-index/slot-change.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import type { IndexMessage } from './index-messages.ts'

/** How long one slice of a change may delay requests: about as long as 50 requests take. */
const SLICE_MS = 0.5
/** Before the first load there are no requests to delay. */
const LOADING_SLICE_MS = 20

/**
 * Applies the messages of the follow thread to the index and the key ring.
 *
 *     loading ──first keys and first slots──> ready
 *
 * Messages about slots are queued and applied in slices, between which requests are served. Keys and sources are applied
 * immediately: a revoked key must not wait for a million slots, and sources are few.
 */
export class IndexFollower {
  readonly #index: SlotIndex
  readonly #keyRing: KeyRing
  readonly #now: () => number
  readonly #sources: KnownSources
  #change: SlotChange | undefined
  #queue: Promise<void> = Promise.resolve()
  #hasKeys = false
  #hasSlots = false

  constructor(index: SlotIndex, keyRing: KeyRing, now: () => number, sources = new KnownSources()) {
    this.#index = index
    this.#keyRing = keyRing
    this.#now = now
    this.#sources = sources
    index.whenFreed(() => this.#retireFreed())
  }

  /** Drops the unfinished change of the previous follow thread. */
  restart(): void {
    this.#queue = this.#queue
      .catch(() => undefined)
      .then(() => {
        this.#change = undefined
      })
  }

  /** The keys and the slots have been loaded once. */
  get isReady(): boolean {
    return this.#hasKeys && this.#hasSlots
  }

  /** Resolves when the message is applied. Rejects if it does not match the index: then a new follow thread is needed. */
  async take(message: IndexMessage): Promise<void> {
    if (message.kind === 'keys') {
      this.#takeKeys(message)
      return
    }
    if (message.kind === 'sources') {
      this.#sources.apply(message)
      return
    }
    this.#queue = this.#queue.then(() => this.#take(message))
    await this.#queue
  }

  #takeKeys({ keys, whole }: IndexMessage & { kind: 'keys' }): void {
    if (whole) this.#keyRing.replace(keys)
    else this.#keyRing.apply(keys)
    this.#hasKeys = true
  }

  async #take(message: Exclude<IndexMessage, { kind: 'keys' | 'sources' }>): Promise<void> {
    switch (message.kind) {
      case 'begin':
        this.#change = this.#index.begin(message.whole, this.#now())
        return
      case 'deleted':
        return this.#run(this.#begun().remove(message.ids))
      case 'offerings':
        return this.#run(this.#begun().putOfferings(message.offerings))
      case 'inserted':
        return this.#run(this.#begun().put(message.batch))
      case 'end':
        return this.#end(message)
    }
  }

  async #end({ order, leftOut, committed }: IndexMessage & { kind: 'end' }): Promise<void> {
    const change = this.#begun()
    change.state.missing += leftOut
    await this.#run(change.merge(order))
    this.#index.commit(change, committed)
    this.#hasSlots = true
    await this.#run(change.retire())
    this.#change = undefined
  }

  /** Runs between changes; a change that is under way retires at its end. */
  #retireFreed(): void {
    this.#queue = this.#queue.then(() => {
      return this.#change === undefined ? this.#run(this.#index.retireFreed()) : undefined
    })
    // The caller of `take()` handles the rejection.
    this.#queue.catch(() => undefined)
  }

  #begun(): SlotChange {
    if (this.#change === undefined)
      throw new Error('Cannot apply a message about slots: no "begin" message came before it')
    return this.#change
  }

  async #run(work: Generator<void, void>): Promise<void> {
    const sliceMs = this.#hasSlots ? SLICE_MS : LOADING_SLICE_MS
    let until = performance.now() + sliceMs
    for (const _ of work) {
      if (performance.now() < until) continue
      await new Promise((resolve) => setImmediate(resolve))
      until = performance.now() + sliceMs
    }
  }
}
