import type { KeyRing } from '../keys/key-ring.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { KnownSources } from '../slot-index/known-sources.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import type { Revisions } from '../store/contracts/revision-feed.ts'
import { IndexFollower } from '../sync/follow-index.ts'
import type { IndexMessage } from '../sync/index-messages.ts'
import { type ChannelHandlers, WithTransfer } from './channel.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { type ParentOperations, SupervisedWorker, type ThreadOperations } from './supervised-worker.ts'

export interface FollowOptions {
  readonly databaseUrl: string
  readonly databaseDirectUrl?: string | undefined
  /** The revisions that this node has already loaded. */
  readonly from?: Revisions | undefined
}

/** The reply to a message. */
export interface AppliedMessage {
  /** The memory of its batch, to be filled again. */
  readonly memory?: ArrayBuffer | undefined
  /** There is no memory for more slots. */
  readonly isFull: boolean
}

/** What the main thread does for the follow thread. */
export interface FollowParent extends ParentOperations {
  apply(message: IndexMessage): AppliedMessage
  /**
   * Everything was sent. Loading leaves much memory behind, so a fresh thread follows on from these revisions; until it does, this
   * one keeps sending keys.
   */
  loaded(revisions: Revisions): void
  /** The thread polled the store once and sent everything new. */
  following(): void
}

/** The data that a node serves, kept equal to the store. */
export interface NodeState {
  readonly index: SlotIndex
  readonly keyRing: KeyRing
  readonly sources?: KnownSources
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Copies in other threads of the node. */
  readonly mirrors?: readonly IndexMirror[]
  /** Without it, all slots are loaded. */
  readonly memory?: MemoryBudget
}

/** Applies the same messages as an `IndexFollower` in another thread. */
export interface IndexMirror {
  /** A new follow thread begins: drop the change that the previous one left incomplete. */
  restart(): void
  /** Resolves when the message has been applied; copies its memory before it returns. Never rejects. */
  take(message: IndexMessage): Promise<void>
}

type FollowThread = SupervisedWorker<ThreadOperations, FollowParent>

/**
 * Keeps a node's index, keys and sources equal to the store, through a thread that tails the store. If the thread dies, its
 * successor sends everything from the beginning; until then the node serves the last known state.
 *
 *     thread ── loaded ──▶ keeps sending keys ────────────▶ stopped
 *                 └──▶ fresh thread opens the store ── following ──▶ …
 *
 * So revoked keys reach the node also while one thread takes over from another.
 */
export class FollowWorker {
  readonly #follower: IndexFollower
  readonly #mirrors: readonly IndexMirror[]
  readonly #index: SlotIndex
  readonly #memory: MemoryBudget | undefined
  readonly #retrying: NodeJS.Timeout
  readonly #options: FollowOptions
  readonly #onEvent: (event: LogEvent) => void
  readonly #loaded = Promise.withResolvers<void>()
  #current: FollowThread
  /** Has loaded everything, and sends keys until the current thread has polled once. */
  #retiring: FollowThread | undefined
  #isStartingOver = false
  #isStopping = false
  /** Slots that the change under way has added. */
  #pending = 0
  /** Slots were left out at the last commit. */
  #isIncomplete = false

  constructor(
    { index, keyRing, sources, now, mirrors = [], memory }: NodeState,
    options: FollowOptions,
    onEvent: (event: LogEvent) => void,
  ) {
    this.#follower = new IndexFollower(index, keyRing, now, sources)
    this.#index = index
    this.#memory = memory
    this.#retrying = setInterval(() => this.#loadMissing(), LOAD_MISSING_EVERY_MS).unref()
    this.#mirrors = mirrors
    this.#options = options
    this.#onEvent = onEvent
    this.#current = this.#begin(options.from)
  }

  /** Resolves when the index and the keys have been loaded once. */
  get loaded(): Promise<void> {
    return this.#loaded.promise
  }

  isReady(): boolean {
    return this.#follower.isReady
  }

  /** Sends everything from the beginning, for a mirror that is empty. */
  startOver(): void {
    this.#isStartingOver = true
    this.#current.post('stop', undefined)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#retrying)
    await Promise.all([this.#current.stop(), this.#retiring?.stop()])
  }

  /** Starts a thread that follows on from `from`; if it has to be restarted, from nothing. */
  #begin(from: Revisions | undefined): FollowThread {
    let isFirst = true
    const thread: FollowThread = new SupervisedWorker(new URL('./follow-thread.ts', import.meta.url), {
      workerData: () => ({ ...this.#options, from: isFirst ? from : undefined }),
      onEvent: this.#onEvent,
      attach: (terminate) => {
        // A retiring thread died: the current one sends keys, too.
        if (!isFirst && thread !== this.#current) queueMicrotask(() => void thread.stop())
        isFirst = false
        return this.#attach(() => thread === this.#current, terminate)
      },
    })
    return thread
  }

  #attach(isCurrent: () => boolean, terminate: () => void): ChannelHandlers<Omit<FollowParent, 'log'>> {
    this.#isStartingOver = false
    for (const each of [this.#follower, ...this.#mirrors]) each.restart()
    return {
      loaded: (revisions) => this.#handOver(revisions),
      following: () => this.#endRetiring(),
      apply: async (message) => {
        if (message.kind !== 'keys' && !isCurrent()) return { isFull: false }
        try {
          return await this.#apply(message)
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

  #handOver(revisions: Revisions): void {
    if (this.#isStopping || this.#isStartingOver) return
    this.#endRetiring()
    this.#retiring = this.#current
    this.#current = this.#begin(revisions)
  }

  #endRetiring(): void {
    const retiring = this.#retiring
    this.#retiring = undefined
    void retiring?.stop()
  }

  async #apply(message: IndexMessage): Promise<AppliedMessage | WithTransfer<AppliedMessage>> {
    await Promise.all([this.#follower.take(message), ...this.#mirrors.map((mirror) => mirror.take(message))])
    if (this.#follower.isReady) this.#loaded.resolve()
    if (message.kind === 'begin') this.#pending = 0
    if (message.kind === 'end') this.#logMissing()
    if (message.kind !== 'inserted') return { isFull: this.#isFull() }
    this.#pending += message.batch.count
    const { memory } = message.batch
    return new WithTransfer({ memory, isFull: this.#isFull() }, [memory])
  }

  #isFull(): boolean {
    return this.#memory?.isFull(this.#pending) ?? false
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

/** The reply to a message: the memory of its batch, handed back. */
export function batchMemoryOf(message: IndexMessage): WithTransfer<ArrayBuffer> | undefined {
  if (message.kind !== 'inserted') return undefined
  const { memory } = message.batch
  return new WithTransfer(memory, [memory])
}
