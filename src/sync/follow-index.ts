import type { KeyRing } from '../keys/key-ring.ts'
import { KnownSources } from '../slot-index/known-sources.ts'
import type { SlotChange } from '../slot-index/slot-change.ts'
import type { CommittedRevision, SlotIndex } from '../slot-index/slot-index.ts'
import type { IndexMessage } from './index-messages.ts'

/** How long requests may wait for a piece of a change: about as long as for 50 other requests. */
const SLICE_MS = 0.5
/** While nothing is served, nobody waits. */
const LOADING_SLICE_MS = 20

/**
 * Takes what the follow thread tells into the index and the key ring, in slices between which requests are answered.
 * Messages about slots are taken one after the other, whenever they come; keys at once, because a revoked one is not to
 * wait for a million slots; and so are the sources, which are few.
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

  /** A new follow thread begins: what the one before left half done is dropped. */
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

  /** Resolves when the message has been taken. Rejects if it does not fit what is held: then only a new follow thread helps. */
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
        return this.#end(message.order, message.committed)
    }
  }

  async #end(order: Uint32Array, committed: CommittedRevision): Promise<void> {
    const change = this.#begun()
    await this.#run(change.merge(order))
    this.#index.commit(change, committed)
    this.#hasSlots = true
    await this.#run(change.retire())
    this.#change = undefined
  }

  /** Between changes: one in the making does it at its end. */
  #retireFreed(): void {
    this.#queue = this.#queue.then(() => {
      return this.#change === undefined ? this.#run(this.#index.retireFreed()) : undefined
    })
    // Whoever gave a message that did not fit has been told.
    this.#queue.catch(() => undefined)
  }

  #begun(): SlotChange {
    if (this.#change === undefined)
      throw new Error('Cannot follow: a change must begin before its parts come')
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
