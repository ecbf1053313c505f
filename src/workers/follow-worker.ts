import type { KeyRing } from '../keys/key-ring.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { Periodic } from '../lib/periodic.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { KnownSources } from '../slot-index/known-sources.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import { IndexFollower, preparing } from '../sync/follow-index.ts'
import type { IndexMessage } from '../sync/index-messages.ts'
import type { ChannelHandlers } from './channel.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { type ParentOperations, SupervisedWorker, type ThreadOperations } from './supervised-worker.ts'

export interface FollowOptions {
  readonly databaseUrl: string
  readonly databaseDirectUrl?: string | undefined
  /** See `IndexCheckpoint`; the index is not saved without it. */
  readonly checkpointFolder?: string | undefined
  readonly revocationLog?: string | undefined
}

/** The operations of the follow thread for the main thread. */
export interface FollowOperations extends ThreadOperations {
  /** Send everything that is known again, for a thread that is empty. */
  sendAll(): void
}

/** The operations of the main thread for the follow thread. */
export interface FollowParent extends ParentOperations {
  /** Replies when the message is applied in every thread. */
  apply(message: IndexMessage): void
  /** There are subscriptions, or were. */
  noteSubscriptions(): void
  /** Whether the memory in use and `moreBytes` leave no room for more slots. */
  isFull(moreBytes: number): boolean
}

/** The data that a node serves, kept equal to the store. */
export interface NodeState {
  readonly index: SlotIndex
  readonly keyRing: KeyRing
  readonly sources?: KnownSources
  /** Copies in other threads of the node. */
  readonly mirrors?: readonly IndexMirror[]
  /** Without it, all slots are loaded. */
  readonly memory?: MemoryBudget
}

/** Applies the same messages as an `IndexFollower` in another thread. */
export interface IndexMirror {
  /** Resolves when the message has been applied. Never rejects. */
  take(message: IndexMessage): Promise<void>
}

/**
 * Keeps a node's index, keys and sources equal to the store, through a thread that tails the store and builds the index. If the thread
 * dies, its successor loads everything again; until then the node serves the last known state.
 */
export class FollowWorker {
  readonly #follower: IndexFollower
  readonly #mirrors: readonly IndexMirror[]
  readonly #index: SlotIndex
  readonly #memory: MemoryBudget | undefined
  readonly #retrying: NodeJS.Timeout
  readonly #preparing: Periodic
  readonly #onEvent: (event: LogEvent) => void
  readonly #loaded = Promise.withResolvers<void>()
  readonly #subscribed = Promise.withResolvers<void>()
  readonly #thread: SupervisedWorker<FollowOperations, FollowParent>
  /** Slots were left out at the last commit. */
  #isIncomplete = false

  constructor(
    { index, keyRing, sources, mirrors = [], memory }: NodeState,
    options: FollowOptions,
    onEvent: (event: LogEvent) => void,
  ) {
    this.#follower = new IndexFollower(index, keyRing, sources)
    this.#index = index
    this.#memory = memory
    this.#mirrors = mirrors
    this.#onEvent = onEvent
    this.#retrying = setInterval(() => this.#loadMissing(), LOAD_MISSING_EVERY_MS).unref()
    this.#preparing = preparing(this.#follower, onEvent)
    this.#preparing.start()
    this.#thread = new SupervisedWorker(new URL('./follow-thread.ts', import.meta.url), {
      workerData: () => options,
      onEvent,
      attach: (terminate) => this.#attach(terminate),
    })
  }

  /** Resolves when the index and the keys have been loaded once. */
  get loaded(): Promise<void> {
    return this.#loaded.promise
  }

  /** Resolves when there are subscriptions, or were. */
  get subscribed(): Promise<void> {
    return this.#subscribed.promise
  }

  isReady(): boolean {
    return this.#follower.isReady
  }

  /** Sends everything again, for a mirror that is empty. */
  sendAll(): void {
    this.#thread.post('sendAll', undefined)
  }

  /** Loads everything again. */
  startOver(): void {
    this.#thread.post('stop', undefined)
  }

  async stop(): Promise<void> {
    clearInterval(this.#retrying)
    await this.#thread.stop()
    await this.#preparing.close()
  }

  #attach(terminate: () => void): ChannelHandlers<Omit<FollowParent, 'log'>> {
    return {
      noteSubscriptions: () => this.#subscribed.resolve(),
      isFull: (moreBytes) => this.#memory?.isFull(moreBytes) ?? false,
      apply: async (message) => {
        try {
          await this.#apply(message)
        } catch (error) {
          const reason = error instanceof Error ? error.stack : String(error)
          this.#onEvent({ level: 'error', message: 'change could not be applied', fields: { error: reason } })
          // The messages that follow would not fit either.
          terminate()
          throw error
        }
      },
    }
  }

  async #apply(message: IndexMessage): Promise<void> {
    await Promise.all([this.#follower.take(message), ...this.#mirrors.map((mirror) => mirror.take(message))])
    if (this.#follower.isReady) this.#loaded.resolve()
    if (message.kind === 'slots') this.#logMissing()
  }

  #logMissing(): void {
    const { missing, length } = this.#index
    if (missing > 0 === this.#isIncomplete) return
    this.#isIncomplete = missing > 0
    const fields = { slots: length, missing, memoryMaxBytes: this.#memory?.maxBytes }
    if (missing === 0) this.#onEvent({ level: 'info', message: 'all slots are loaded again', fields })
    else this.#onEvent({ level: 'error', message: 'memory is full: slots were left out', fields })
  }

  /** A load needs memory for all slots beside those that are served. */
  #loadMissing(): void {
    const { missing, length } = this.#index
    if (missing > 0 && this.#memory?.hasRoomFor(missing + length)) this.startOver()
  }
}

/** How often a node that left slots out checks whether they fit. */
const LOAD_MISSING_EVERY_MS = 5 * MINUTE_MS
