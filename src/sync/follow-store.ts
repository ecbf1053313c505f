import { nextTurn } from '../lib/next-turn.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { ContentSender } from '../slot-index/content-transfer.ts'
import type { IndexBuilder } from '../slot-index/index-builder.ts'
import type { RevisionDelta } from '../store/contracts/revision-feed.ts'
import type { Store } from '../store/contracts/store.ts'
import type { CheckpointHead, IndexCheckpoint } from './index-checkpoint.ts'
import type { IndexMessage } from './index-messages.ts'
import { LOADERS_KEYS_MIN, loadSlots, openTogether, type SlotLoader } from './load-slots.ts'
import { putInserted, type SlotChange } from './put-slots.ts'

export interface StoreFollowerOptions {
  readonly builder: IndexBuilder
  readonly send: Send
  /** Where the index is saved, so that the next node need not load everything. */
  readonly checkpoint?: IndexCheckpoint | undefined
  /** Milliseconds of any clock that never goes back. */
  readonly now?: () => number
  /** Called when a poll finds that there are, or were, subscriptions. */
  readonly onSubscriptions?: () => void
  /** Starts threads that help to load all slots, if there are processors for them. */
  readonly startLoaders?: () => readonly SlotLoader[]
  /** Whether the memory in use and `moreBytes` leave no room for more slots: these are left out, and counted. */
  readonly isFull?: (moreBytes: number) => Promise<boolean>
}

/** Sends a message; resolves when the next one may be sent, for keys immediately. */
export type Send = (message: IndexMessage) => Promise<void>

/** A change is visible within a second; most of that is reading time. */
export const POLL_MS = 200

/** The pause between polls while the database can tell that nothing has changed. */
export const UNCHANGED_MS = 1000
const SAVE_EVERY_MS = 5 * MINUTE_MS
/** Steps of merging runs after a poll, of some 60 milliseconds each, so that a change does not wait for long. */
const MERGES_PER_POLL = 4

/**
 * Tails the change log of the store, builds the index from it, and sends its committed states.
 *
 *     idle ──poll(): keys changed──> sending keys ──> idle
 *     idle ──poll(): slots changed──> sending slots (and changed keys in between) ──> idle
 *     any ──another store epoch, or an error while following slots──> the next poll loads everything
 */
export class StoreFollower {
  readonly #store: Store
  readonly #builder: IndexBuilder
  readonly #send: Send
  readonly #sender = new ContentSender()
  readonly #isFull: (moreBytes: number) => Promise<boolean>
  readonly #startLoaders: () => readonly SlotLoader[]
  readonly #onSubscriptions: () => void
  readonly #checkpoint: IndexCheckpoint | undefined
  readonly #now: () => number
  /** The first time is soon after the start: a load may have taken long. */
  #savedAtMs = Number.NEGATIVE_INFINITY
  #savedRevision: number | undefined
  /** A restored index is sent when it has caught up. */
  #isUnsent = false
  #epoch: number | undefined
  #slots: number | undefined
  #keys: number | undefined

  constructor(store: Store, options: StoreFollowerOptions) {
    const { builder, send, checkpoint, now = () => performance.now(), isFull = async () => false } = options
    this.#onSubscriptions = options.onSubscriptions ?? (() => undefined)
    this.#store = store
    this.#builder = builder
    this.#send = send
    this.#checkpoint = checkpoint
    this.#now = now
    this.#isFull = isFull
    this.#startLoaders = options.startLoaders ?? (() => [])
  }

  /** Continues with the saved index, if it is of this store. The next poll sends it. */
  async restore(): Promise<void> {
    const saved = await this.#checkpoint?.load((head) => this.#refuse(head))
    if (saved === undefined) return
    const { committed } = saved.content
    this.#builder.restore(saved.content, saved.offeringIds)
    this.#epoch = saved.epoch
    this.#slots = committed.revision
    this.#savedRevision = committed.revision
    this.#isUnsent = true
  }

  /** Why a saved index cannot be continued. */
  async #refuse({ epoch, committed: { store, revision }, bytes }: CheckpointHead): Promise<string | undefined> {
    const changes = await this.#store.revisionFeed.open(revision)
    await changes.close()
    if (changes.epoch !== epoch || changes.store !== store) return 'it is of another store or epoch'
    if (changes.whole) return 'the changes since it was saved are not known'
    return (await this.#isFull(bytes)) ? 'it does not fit into memory' : undefined
  }

  /** Saves the index if it has changed since it was saved and this was not tried lately. */
  async save(): Promise<void> {
    const { committed, missing } = this.#builder.content
    const isDue = this.#now() - this.#savedAtMs >= SAVE_EVERY_MS
    if (!isDue || this.#slots === undefined || missing > 0 || committed.revision === this.#savedRevision) return
    this.#savedAtMs = this.#now()
    const known = { epoch: this.#epoch ?? 0, offeringIds: this.#builder.offeringIds }
    const isSaved = await this.#checkpoint?.save(this.#builder.content, known)
    if (isSaved) this.#savedRevision = committed.revision
  }

  /**
   * Sends the changes since the last poll. True if there may be more to do, even if nothing else is committed. If the store cannot be read,
   * it rejects and may be called again.
   */
  async poll(): Promise<boolean> {
    const revisions = await this.#store.revisionFeed.revisions()
    if (revisions.subscriptions > 0) this.#onSubscriptions()
    if (revisions.epoch !== this.#epoch) this.#forget(revisions.epoch)
    if (revisions.keys !== this.#keys) await this.#sendKeys()
    const isBehind = revisions.slots !== this.#slots
    const isCurrent = !isBehind && !this.#isUnsent
    if (isBehind) await this.#besideKeys(() => this.#followSlots())
    else if (this.#isUnsent) await this.#besideKeys(() => this.#sendContent())
    const isCompacted = await this.#compact()
    // `#pollKeys()` may have read the revision of another commit.
    return !isCurrent || isCompacted
  }

  /** The revision of the keys that have been sent; undefined before the first. */
  get keys(): number | undefined {
    return this.#keys
  }

  /** Sends everything that is known again, for a receiver that is empty. */
  async sendAll(): Promise<void> {
    this.#keys = undefined
    await this.#sendKeys()
    // Otherwise the next poll sends the slots.
    if (this.#slots === undefined || this.#isUnsent) return
    this.#sender.reset()
    await this.#sendContent()
  }

  #forget(epoch: number): void {
    this.#epoch = epoch
    this.#slots = undefined
    this.#keys = undefined
  }

  async #sendKeys(): Promise<void> {
    const { keys, revision } = await this.#store.keys.changedSince(this.#keys ?? 0)
    await this.#send({ kind: 'keys', keys, whole: this.#keys === undefined })
    this.#keys = revision
  }

  async #pollKeys(): Promise<void> {
    const { epoch, keys, subscriptions } = await this.#store.revisionFeed.revisions()
    if (subscriptions > 0) this.#onSubscriptions()
    if (epoch === this.#epoch && keys !== this.#keys) await this.#sendKeys()
  }

  /** A large change takes seconds, but a revoked key must be refused within one. */
  async #besideKeys(work: () => Promise<void>): Promise<void> {
    const done = new AbortController()
    const keys = this.#keepSendingKeys(done.signal)
    try {
      await work()
    } finally {
      done.abort()
      await keys
    }
  }

  async #keepSendingKeys(signal: AbortSignal): Promise<void> {
    // Not a `Periodic`: the store ends the pause when it has changed.
    for (;;) {
      await this.#store.revisionFeed.wait(POLL_MS, signal)
      if (signal.aborted) return
      // The next poll reports the same error.
      await this.#pollKeys().catch(() => undefined)
    }
  }

  async #followSlots(): Promise<void> {
    const { revisionFeed } = this.#store
    const first = await revisionFeed.open(this.#slots)
    const loaders = first.whole && first.keysEnd > LOADERS_KEYS_MIN ? this.#startLoaders() : []
    if (loaders.length === 0) return this.#follow(first, putInserted)
    try {
      await first.close()
      const changes = await openTogether(revisionFeed, loaders)
      if (changes === undefined) await this.#follow(await revisionFeed.open(undefined), putInserted)
      else await this.#follow(changes, (change) => loadSlots(change, loaders))
    } finally {
      await Promise.all(loaders.map((loader) => loader.close()))
    }
  }

  /** `put` returns the number of slots that were left out. */
  async #follow(changes: RevisionDelta, put: (change: SlotChange) => Promise<number>): Promise<void> {
    if (changes.epoch !== this.#epoch) {
      // A standby took over since the revisions were read: they belong to another epoch.
      await changes.close()
      return
    }
    // If this fails, the next poll loads everything.
    this.#slots = undefined
    try {
      this.#builder.begin(changes.whole)
      for await (const slots of changes.deleted()) this.#builder.remove(slots)
      const leftOut = await put({ changes, builder: this.#builder, isFull: this.#isFull })
      this.#builder.putDirectory(await changes.horizons(), changes.lastDrop)
      const { revision, store, committedAtMs: atMs } = changes
      // A key must not wait for a million slots.
      for (const _ of this.#builder.commit({ revision, store, atMs }, leftOut)) await nextTurn()
      await this.#sendContent()
      this.#slots = revision
    } finally {
      await changes.close()
    }
  }

  async #sendContent(): Promise<void> {
    this.#isUnsent = false
    await this.#send({ kind: 'slots', content: this.#sender.pack(this.#builder.content) })
  }

  async #compact(): Promise<boolean> {
    if (this.#slots === undefined || !this.#builder.compact()) return false
    await this.#besideKeys(async () => {
      for (let step = 1; step < MERGES_PER_POLL && this.#builder.compact(); step++) await nextTurn()
      await this.#sendContent()
    })
    // The next poll loads everything.
    if (this.#builder.isWasteful) this.#slots = undefined
    return true
  }
}
