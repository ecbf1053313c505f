import type { Worker } from 'node:worker_threads'
import type { KeyRing } from '../keys/key-ring.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import type { KnownSources } from '../slot-index/known-sources.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import type { Revisions } from '../store/contracts/store.ts'
import { IndexFollower } from '../sync/follow-index.ts'
import type { FollowMessage, FollowReply, IndexMessage } from '../sync/follow-messages.ts'
import type { FollowOptions } from './follow-thread.ts'
import { STOP, type SupervisedThread, superviseThread } from './supervised-worker.ts'

/** What a node answers from, kept equal to the store. */
export interface Followed {
  readonly index: SlotIndex
  readonly keyRing: KeyRing
  /** How fresh the sources are. */
  readonly sources?: KnownSources
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** What is kept equal beside them, by other threads of the node. */
  readonly mirrors?: readonly IndexMirror[]
}

/** Takes in what an `IndexFollower` does, elsewhere. */
export interface IndexMirror {
  /** A new follow thread begins: what the one before left half done is dropped. */
  restart(): void
  /** Resolves when the message has been taken; has copied its memory before it returns. Never rejects. */
  take(message: IndexMessage): Promise<void>
}

/** Keeps a node's index and keys up to date. */
export interface Following {
  /** The index and the keys have been loaded once. */
  isReady(): boolean
  /** Resolves when they have. */
  readonly loaded: Promise<void>
  /** Tells everything from the beginning: for a mirror that holds nothing. */
  startOver(): void
  stop(): Promise<void>
}

/**
 * Starts the thread that follows the store, and takes in what it tells. Should it die, it is started anew and tells
 * everything from the beginning; until then what was last known is served.
 *
 *     thread ── loaded ──▶ goes on with keys ─────────────▶ stopped
 *                 └──▶ fresh thread opens the store ── following ──▶ …
 *
 * So a node hears of a revoked key while one thread takes over from another as well.
 */
export function startFollowing(
  followed: Followed,
  options: FollowOptions,
  onEvent: (event: LogEvent) => void,
): Following {
  return new ThreadedFollowing(followed, options, onEvent)
}

class ThreadedFollowing implements Following {
  readonly #follower: IndexFollower
  readonly #mirrors: readonly IndexMirror[]
  readonly #options: FollowOptions
  readonly #onEvent: (event: LogEvent) => void
  readonly #loaded = Promise.withResolvers<void>()
  #current: SupervisedThread
  /** It has loaded, and tells of keys until the current one has looked once. */
  #retiring: SupervisedThread | undefined
  #isStartingOver = false
  #isStopping = false

  constructor(
    { index, keyRing, sources, now, mirrors = [] }: Followed,
    options: FollowOptions,
    onEvent: (event: LogEvent) => void,
  ) {
    this.#follower = new IndexFollower(index, keyRing, now, sources)
    this.#mirrors = mirrors
    this.#options = options
    this.#onEvent = onEvent
    this.#current = this.#begin(options.from)
  }

  get loaded(): Promise<void> {
    return this.#loaded.promise
  }

  isReady(): boolean {
    return this.#follower.isReady
  }

  startOver(): void {
    this.#isStartingOver = true
    this.#current.post(STOP)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all([this.#current.stop(), this.#retiring?.stop()])
  }

  /** A thread that follows on from there; should it have to be started again, from nothing. */
  #begin(from: Revisions | undefined): SupervisedThread {
    let isFirst = true
    const thread = superviseThread(new URL('./follow-thread.ts', import.meta.url), {
      workerData: () => ({ ...this.#options, from: isFirst ? from : undefined }),
      onEvent: this.#onEvent,
      attach: (worker) => {
        // One that was to tell of keys only and died: its successor tells of them, too.
        if (!isFirst && thread !== this.#current) queueMicrotask(() => void thread.stop())
        isFirst = false
        this.#attach(worker, () => thread)
      },
    })
    return thread
  }

  #attach(worker: Worker, thread: () => SupervisedThread): void {
    this.#isStartingOver = false
    for (const each of [this.#follower, ...this.#mirrors]) each.restart()
    worker.on('message', (message: FollowMessage) => {
      if (message.kind === 'event') this.#onEvent(message.event)
      else if (message.kind === 'loaded') this.#handOver(message.revisions)
      else if (message.kind === 'following') this.#endRetiring()
      else if (message.kind === 'keys' || thread() === this.#current)
        take(worker, message, (each) => this.#take(each)).catch(giveUp)
    })
    const giveUp = (error: unknown) => {
      const why = errorText(error)
      this.#onEvent({ level: 'error', message: 'change could not be taken in', fields: { error: why } })
      // The rest would not fit either.
      void worker.terminate()
    }
  }

  #handOver(revisions: Revisions): void {
    // It is about to end: for good, or to be started again.
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

  async #take(message: IndexMessage): Promise<void> {
    await Promise.all([this.#follower.take(message), ...this.#mirrors.map((mirror) => mirror.take(message))])
    if (this.#follower.isReady) this.#loaded.resolve()
  }
}

/** Takes a message in and makes room for the next. */
async function take(
  worker: Worker,
  message: IndexMessage,
  takeIn: (message: IndexMessage) => Promise<void>,
): Promise<void> {
  await takeIn(message)
  const memory = message.kind === 'born' ? message.batch.memory : undefined
  if (memory === undefined) worker.postMessage({ kind: 'taken' } satisfies FollowReply)
  else worker.postMessage({ kind: 'taken', memory } satisfies FollowReply, [memory])
}
