import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openStore } from '../store/open-store.ts'
import type { FollowMessage, FollowReply } from './follow-messages.ts'
import { POLL_MS, StoreFollower } from './follow-store.ts'
import { STOP } from './supervised-thread.ts'

/** How many messages may be on their way: enough that neither side waits, few enough that memory stays small. */
const UNDERWAY_MAX = 8

/** What the thread is started with. */
export interface FollowOptions {
  readonly databaseUrl: string
}

/** Follows the store for this node, away from the thread that answers requests. Ends when told to, or by an error that its parent sees. */
async function follow(options: FollowOptions): Promise<void> {
  const parent = parentPort
  if (parent === null) throw new Error('Cannot follow: this file must be run as a worker thread')
  const store = await openStore(options.databaseUrl)
  const stop = new AbortController()
  const room = new Room(UNDERWAY_MAX)
  let writing = Promise.resolve()
  parent.on('message', (reply: FollowReply | typeof STOP) => {
    if (reply === STOP) stop.abort()
    else if (reply.kind === 'taken') room.free()
    else writing = writing.then(() => store.keys.putLastUsed(reply.uses))
  })
  const follower = new StoreFollower(store, async (message: FollowMessage, transfer = []) => {
    await room.take(stop.signal)
    parent.postMessage(message, [...transfer])
  })
  while (!stop.signal.aborted) {
    await follower.look().catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
    })
    await pause(POLL_MS, undefined, { signal: stop.signal }).catch(() => undefined)
  }
  await writing
  await store.close()
  parent.close()
}

/** A number of places; whoever wants one waits until it is free. */
class Room {
  #places: number
  #waiting: (() => void) | undefined

  constructor(places: number) {
    this.#places = places
  }

  /** One taker at a time. Rejects when aborted. */
  async take(signal: AbortSignal): Promise<void> {
    while (this.#places === 0) {
      signal.throwIfAborted()
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    signal.throwIfAborted()
    this.#places--
  }

  free(): void {
    this.#places++
    this.#waiting?.()
  }
}

await follow(workerData as FollowOptions)
