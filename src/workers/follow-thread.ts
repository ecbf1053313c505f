import { parentPort, workerData } from 'node:worker_threads'
import type { LogEvent } from '../lib/log-event.ts'
import { retryUntilAvailable } from '../lib/retry-until-available.ts'
import { type Revisions, StoreUnavailable } from '../store/contracts/store.ts'
import { openStore } from '../store/open-store.ts'
import { BatchMemory } from '../sync/batch-pool.ts'
import type { FollowMessage, FollowReply } from '../sync/follow-messages.ts'
import { SourceFollower } from '../sync/follow-sources.ts'
import { POLL_MS, StoreFollower } from '../sync/follow-store.ts'
import { STOP } from './supervised-worker.ts'

/** How many messages may be on their way: enough that neither side waits, few enough that memory stays small. */
const UNDERWAY_MAX = 8

/** What the thread is started with. */
export interface FollowOptions {
  readonly databaseUrl: string
  readonly databaseDirectUrl?: string | undefined
  /** What this node holds already. */
  readonly from?: Revisions | undefined
}

/** Follows the store for this node, away from the thread that answers requests. Ends when told to, or by an error that its parent sees. */
async function follow(options: FollowOptions): Promise<void> {
  const parent = parentPort
  if (parent === null) throw new Error('Cannot follow: this file must be run as a worker thread')
  const stop = new AbortController()
  const tell = (message: FollowMessage) => parent.postMessage(message)
  const waiting = {
    name: 'store',
    isUnavailable: (error: unknown) => error instanceof StoreUnavailable,
    onEvent: (event: LogEvent) => tell({ kind: 'event', event }),
    signal: stop.signal,
  }
  const room = new Room(UNDERWAY_MAX, stop.signal)
  const memory = new BatchMemory()
  parent.on('message', (reply: FollowReply | typeof STOP) => {
    if (reply === STOP) stop.abort()
    else {
      if (reply.memory !== undefined) memory.giveBack(reply.memory)
      room.free()
    }
  })
  const send = async (message: FollowMessage, transfer: readonly ArrayBuffer[] = []) => {
    // Keys are few and must not wait; they count nevertheless, because they are answered like all others. So do sources, for
    // behind them keys would wait.
    if (message.kind === 'keys' || message.kind === 'sources') room.squeezeIn()
    else await room.take()
    parent.postMessage(message, [...transfer])
  }
  const { databaseUrl, databaseDirectUrl: directUrl } = options
  const store = await retryUntilAvailable(() => openStore(databaseUrl, { directUrl }), waiting)
  if (store !== undefined) {
    const follower = new StoreFollower(store, { send, memory, from: options.from })
    const sources = new SourceFollower(
      store,
      (changes) => send({ kind: 'sources', ...changes }),
      () => performance.now(),
    )
    let isLoaded = false
    for (let looks = 0; !stop.signal.aborted; looks++) {
      if (isLoaded) await retryUntilAvailable(() => follower.lookForKeys(), waiting)
      else {
        await retryUntilAvailable(() => sources.look(), waiting)
        isLoaded = (await retryUntilAvailable(() => follower.look(), waiting)) === true
        if (isLoaded) tell({ kind: 'loaded', revisions: follower.revisions })
        else if (looks === 0) tell({ kind: 'following' })
      }
      await store.revisionFeed.wait(POLL_MS, stop.signal)
    }
    await store.close()
  }
  parent.close()
}

/** A number of places; whoever wants one waits until it is free. */
class Room {
  #places: number
  readonly #signal: AbortSignal
  #wake = () => {}

  constructor(places: number, signal: AbortSignal) {
    this.#places = places
    this.#signal = signal
    signal.addEventListener('abort', () => this.#wake())
  }

  /** One taker at a time. Rejects when aborted. */
  async take(): Promise<void> {
    while (this.#places <= 0 && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#signal.throwIfAborted()
    this.#places--
  }

  /** Takes a place that is not there. */
  squeezeIn(): void {
    this.#places--
  }

  free(): void {
    this.#places++
    this.#wake()
  }
}

await follow(workerData as FollowOptions)
