import type { Worker } from 'node:worker_threads'
import type { KeyRing } from '../keys/key-ring.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import { IndexFollower } from './follow-index.ts'
import type { FollowMessage, FollowReply } from './follow-messages.ts'
import type { FollowOptions } from './follow-thread.ts'
import type { LogEvent } from './log-event.ts'
import { type SupervisedThread, superviseThread } from './supervised-thread.ts'

/** What a node answers from, kept equal to the store. */
export interface Followed {
  readonly index: SlotIndex
  readonly keyRing: KeyRing
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Keeps a node's index and keys up to date. */
export interface Following {
  /** The index and the keys have been loaded once. */
  isReady(): boolean
  /** Ends the thread, once it has written when keys were last used. */
  stop(): Promise<void>
}

/** How often it is looked for keys whose last use is to be written. */
const DRAIN_EVERY_MS = 5000

/**
 * Starts the thread that follows the store, and takes in what it tells. Should it die, it is started anew and tells
 * everything from the beginning; until then what was last known is served.
 */
export function startFollowing(
  followed: Followed,
  options: FollowOptions,
  onEvent: (event: LogEvent) => void,
): Following {
  let ready = false
  const thread = superviseThread(new URL('./follow-thread.ts', import.meta.url), options, {
    onEvent,
    attach: (worker) => {
      listen(worker, followed, {
        onReady: () => {
          ready = true
        },
        onEvent,
      })
    },
  })
  const draining = setInterval(() => drain(followed.keyRing, thread, followed.now()), DRAIN_EVERY_MS)
  return {
    isReady: () => ready,
    async stop() {
      clearInterval(draining)
      drain(followed.keyRing, thread, Number.POSITIVE_INFINITY)
      await thread.stop()
    },
  }
}

/** Takes in one thread's messages; one that does not fit ends that thread, since the rest would not fit either. */
function listen(
  worker: Worker,
  followed: Followed,
  { onReady, onEvent }: { onReady: () => void; onEvent: (event: LogEvent) => void },
): void {
  const follower = new IndexFollower(followed.index, followed.keyRing, followed.now)
  worker.on('message', async (message: FollowMessage) => {
    try {
      await follower.take(message)
      if (follower.isReady) onReady()
      worker.postMessage({ kind: 'taken' } satisfies FollowReply)
    } catch (error) {
      onEvent({ level: 'error', message: 'change could not be taken in', fields: { error } })
      await worker.terminate()
    }
  })
}

function drain(keyRing: KeyRing, thread: SupervisedThread, nowMs: number): void {
  const uses = keyRing.drainUsed(nowMs)
  if (uses.size === 0) return
  if (!thread.post({ kind: 'used', uses } satisfies FollowReply)) keyRing.giveBack(uses)
}
