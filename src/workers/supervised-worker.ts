import { Worker } from 'node:worker_threads'
import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import { MINUTE_MS } from '../lib/time.ts'
import {
  Channel,
  ChannelClosed,
  type ChannelHandlers,
  type ChannelRequestOptions,
  type Operations,
  type Payload,
  type Reply,
} from './channel.ts'

/** The operations of every thread for its parent. */
export interface ThreadOperations {
  /** Finish and close the port, so that the thread ends. */
  stop(): void
}

/** The operations of the parent for every thread. */
export interface ParentOperations {
  log(event: LogEvent): void
}

interface WorkerOwner<Offered> {
  /** The start options of the next thread. */
  workerData(): unknown
  /** Called for each new thread; returns the handlers of its messages. `terminate` kills it: a new one is started. */
  attach(terminate: () => void): ChannelHandlers<Omit<Offered, 'log'>>
  /** How long `stop()` waits before it kills the thread; `STOP_MS_MAX` by default. */
  readonly stopMsMax?: number
  /** Called when a thread has ended. */
  onExit?(): void
  onEvent(event: LogEvent): void
}

/** The pause before the first, second, … restart in a row; then the last one. */
const RESTART_MS = [100, 1000, 2000, 5000, 10_000, 30_000]

/** A thread that ran this long has recovered: its next death counts as the first. */
const RECOVERED_MS = MINUTE_MS

const STOP_MS_MAX = 10_000

/** Most objects are short-lived or outside the heap; a larger young generation would only keep garbage longer. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 }

/**
 * Runs an entry file in a worker thread and restarts it when it ends: at once if it ended without an error, otherwise after
 * `RESTART_MS`. Requests that a dead thread did not reply to, and requests between two threads, reject with `ChannelClosed`.
 *
 *     running ── exit 0 ──▶ running            stop()
 *        └── error ──▶ pausing ──▶ running       └──▶ stopped (killed after `stopMsMax`)
 */
export class SupervisedWorker<
  Called extends Operations<Called> & ThreadOperations,
  Offered extends Operations<Offered> & ParentOperations,
> {
  readonly #entry: URL
  readonly #owner: WorkerOwner<Offered>
  #running: { readonly worker: Worker; readonly channel: Channel<Called, Offered> } | undefined
  #restart: NodeJS.Timeout | undefined
  #deaths = 0
  #isStopping = false

  /** Starts the thread. */
  constructor(entry: URL, owner: WorkerOwner<Offered>) {
    this.#entry = entry
    this.#owner = owner
    this.#start()
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  async request<N extends string & keyof Called>(
    name: N,
    payload: Payload<Called[N]>,
    options?: ChannelRequestOptions,
  ): Promise<Reply<Called[N]>> {
    if (this.#running === undefined) throw new ChannelClosed()
    return this.#running.channel.request(name, payload, options)
  }

  /** Dropped while no thread is running. */
  post<N extends string & keyof Called>(name: N, payload: Payload<Called[N]>): void {
    this.#running?.channel.post(name, payload)
  }

  /** Resolves when the thread has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    if (this.#running === undefined) return
    const { worker, channel } = this.#running
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    requestStop(channel)
    const force = setTimeout(() => worker.terminate(), this.#owner.stopMsMax ?? STOP_MS_MAX)
    await ended
    clearTimeout(force)
  }

  #start(): void {
    const workerData = this.#owner.workerData()
    const worker = new Worker(this.#entry, { workerData, resourceLimits: RESOURCE_LIMITS })
    const startedAtMs = performance.now()
    let reason: unknown
    const { onEvent: log } = this.#owner
    const handlers = {
      ...this.#owner.attach(() => void worker.terminate()),
      log,
    } as unknown as ChannelHandlers<Offered>
    this.#running = { worker, channel: new Channel<Called, Offered>(worker, handlers) }
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', (code) => {
      this.#running = undefined
      this.#owner.onExit?.()
      if (performance.now() - startedAtMs >= RECOVERED_MS) this.#deaths = 0
      if (this.#isStopping) return
      if (code === 0) this.#start()
      else this.#startAgain(code, reason)
    })
  }

  #startAgain(code: number, reason: unknown): void {
    const restartMs = RESTART_MS[Math.min(this.#deaths, RESTART_MS.length - 1)]
    this.#deaths++
    const error = reason === undefined ? `exit code ${code}` : errorText(reason)
    const fields = { thread: this.#entry.pathname.split('/').at(-1), error, restartMs }
    this.#owner.onEvent({ level: 'error', message: 'thread died', fields })
    this.#restart = setTimeout(() => this.#start(), restartMs)
  }
}

function requestStop(channel: Pick<Channel<ThreadOperations, ParentOperations>, 'post'>): void {
  channel.post('stop', undefined)
}
