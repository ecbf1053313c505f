import type { Worker } from 'node:worker_threads'
import type { KeyRing } from '../keys/key-ring.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import type { Revisions } from '../store/store.ts'
import type { LogEvent } from '../threads/log-event.ts'
import { STOP, superviseThread } from '../threads/supervised-thread.ts'
import { IndexFollower } from './follow-index.ts'
import type { FollowMessage, FollowReply, IndexMessage } from './follow-messages.ts'
import type { FollowOptions } from './follow-thread.ts'

/** What a node answers from, kept equal to the store. */
export interface Followed {
  readonly index: SlotIndex
  readonly keyRing: KeyRing
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
 */
export function startFollowing(
  followed: Followed,
  options: FollowOptions,
  onEvent: (event: LogEvent) => void,
): Following {
  const follower = new IndexFollower(followed.index, followed.keyRing, followed.now)
  const mirrors = followed.mirrors ?? []
  const loaded = Promise.withResolvers<void>()
  let from: Revisions | undefined
  let isStartingOver = false
  const takeIn = async (message: IndexMessage) => {
    await Promise.all([follower.take(message), ...mirrors.map((mirror) => mirror.take(message))])
    if (follower.isReady) loaded.resolve()
  }
  const thread = superviseThread(new URL('./follow-thread.ts', import.meta.url), {
    workerData: () => ({ ...options, from }),
    onEvent,
    attach: (worker) => {
      from = undefined
      isStartingOver = false
      for (const each of [follower, ...mirrors]) each.restart()
      worker.on('message', (message: FollowMessage) => {
        if (message.kind === 'loaded') from = isStartingOver ? undefined : message.revisions
        else if (message.kind === 'event') onEvent(message.event)
        else take(worker, message, takeIn).catch(giveUp)
      })
      const giveUp = (error: unknown) => {
        const why = error instanceof Error ? error.stack : String(error)
        onEvent({ level: 'error', message: 'change could not be taken in', fields: { error: why } })
        // The rest would not fit either.
        void worker.terminate()
      }
    },
  })
  return {
    isReady: () => follower.isReady,
    loaded: loaded.promise,
    startOver() {
      from = undefined
      isStartingOver = true
      thread.post(STOP)
    },
    stop: () => thread.stop(),
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
