import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { LogEvent } from '../lib/log-event.ts'
import { Channel, type ChannelHandlers, type Operations } from './channel.ts'
import { collectStartGarbageSoon } from './start-garbage.ts'
import type { ParentOperations, ThreadOperations } from './supervised-worker.ts'

/** A thread's connection to its parent. */
interface ThreadEntry<Parent extends Operations<Parent>, Own extends Operations<Own>> {
  readonly parent: Channel<Parent, Own>
  /** Aborts when the parent asks the thread to stop. */
  readonly stopping: AbortSignal
  readonly onEvent: (event: LogEvent) => void
  /** Lets the thread end. */
  close(): void
}

/** Connects the calling thread to its parent: every entry file begins with this. Throws outside a worker thread. */
export function openThread<
  Parent extends Operations<Parent> & ParentOperations,
  Own extends Operations<Own> & ThreadOperations,
>(handlers: ChannelHandlers<Omit<Own, 'stop'>>): ThreadEntry<Parent, Own> {
  if (parentPort === null) throw new Error('Cannot start the thread: this file must run as a worker thread')
  const port = parentPort
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const parent = new Channel<Parent, Own>(port, { ...handlers, stop } as unknown as ChannelHandlers<Own>)
  collectStartGarbageSoon()
  return {
    parent,
    stopping: stopping.signal,
    onEvent: (event) => postLog(parent, event),
    close: () => port.close(),
  }
}

/** The start options that the parent passed. */
export function threadOptions<Options>(): Options {
  return workerData
}

/**
 * Lowers the priority of the calling thread below that of the threads that serve requests. On Linux a priority belongs to a
 * thread (setpriority(2), "C library/kernel differences"); elsewhere to the whole process, so nothing is changed there.
 * Returns false where it is not permitted, as in some containers, which does no harm.
 */
export function lowerPriority(): boolean {
  if (process.platform !== 'linux') return true
  try {
    setPriority(0, 10)
    return true
  } catch {
    return false
  }
}

function postLog(parent: Pick<Channel<ParentOperations, ThreadOperations>, 'post'>, event: LogEvent): void {
  parent.post('log', event)
}
