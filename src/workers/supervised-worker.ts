import { type Transferable, Worker } from 'node:worker_threads'
import type { LogEvent } from '../lib/log-event.ts'
import { MINUTE_MS } from '../lib/time.ts'

/** A thread that is started anew whenever it dies. */
export interface SupervisedThread {
  /** Posts to the thread that runs now, with what is handed over instead of copied; between two it is lost, and false is returned. */
  post(message: unknown, transfer?: readonly Transferable[]): boolean
  /** Asks the thread to end, and resolves when it has; one that takes longer than `STOP_MS_MAX` is ended by force. */
  stop(): Promise<void>
}

/** The pause before the first, second, … restart in a row; the last one then stays. */
export const RESTART_MS = [100, 1000, 2000, 5000, 10_000, 30_000]

/** A thread that lived this long has recovered: its next end is a first one again. */
const RECOVERED_MS = MINUTE_MS

const STOP_MS_MAX = 10_000

/** What a thread handles dies young or lives outside the heap; a larger nursery would only hold garbage for longer. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 }

/** What is done with the thread, each time that it is started. */
export interface ThreadOwner {
  /** What the next thread is to be started with. */
  workerData(): unknown
  /** Called with each new thread, to listen to its messages. */
  attach(worker: Worker): void
  /** Hears of deaths. */
  onEvent(event: LogEvent): void
}

/**
 * Runs `entry` in a thread of its own, which is to end by itself when it is sent `STOP`. One that ends well without
 * being asked wants to be started anew, and is.
 */
export function superviseThread(entry: URL, owner: ThreadOwner): SupervisedThread {
  const supervisor = new Supervisor(entry, owner)
  supervisor.start()
  return supervisor
}

/** What the parent posts to ask for the end. */
export const STOP = 'stop'

class Supervisor implements SupervisedThread {
  readonly #entry: URL
  readonly #owner: ThreadOwner
  #worker: Worker | undefined
  #restart: NodeJS.Timeout | undefined
  #deaths = 0
  #stopping = false

  constructor(entry: URL, owner: ThreadOwner) {
    this.#entry = entry
    this.#owner = owner
  }

  start(): void {
    const workerData = this.#owner.workerData()
    const worker = new Worker(this.#entry, { workerData, resourceLimits: RESOURCE_LIMITS })
    const startedAtMs = performance.now()
    let error: unknown
    this.#owner.attach(worker)
    worker.on('error', (thrown) => {
      error = thrown
    })
    worker.on('exit', (code) => {
      this.#worker = undefined
      if (performance.now() - startedAtMs >= RECOVERED_MS) this.#deaths = 0
      if (this.#stopping) return
      if (code === 0) this.start()
      else this.#startAgain(code, error)
    })
    this.#worker = worker
  }

  post(message: unknown, transfer: readonly Transferable[] = []): boolean {
    this.#worker?.postMessage(message, [...transfer])
    return this.#worker !== undefined
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#restart)
    const worker = this.#worker
    if (worker === undefined) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage(STOP)
    const force = setTimeout(() => worker.terminate(), STOP_MS_MAX)
    await ended
    clearTimeout(force)
  }

  #startAgain(code: number, error: unknown): void {
    const restartMs = RESTART_MS[Math.min(this.#deaths, RESTART_MS.length - 1)]
    this.#deaths++
    const why = error instanceof Error ? (error.stack ?? error.message) : `exit code ${code}`
    const fields = { thread: this.#entry.pathname.split('/').at(-1), error: why, restartMs }
    this.#owner.onEvent({ level: 'error', message: 'thread died', fields })
    this.#restart = setTimeout(() => this.start(), restartMs)
  }
}
