import { randomUUID } from 'node:crypto'
import type { ApiContext } from '../http/api-context.ts'
import { ForwardedNotice } from '../http/client-address.ts'
import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import { HISTORY_REQUEST } from '../http/status/read-history.ts'
import type { ApiKey } from '../keys/key.ts'
import type { UsageBatch } from '../keys/usage-batch.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import {
  type DashboardOperations,
  type DashboardParent,
  type DashboardThreadOptions,
  transferOf,
  type UsageResult,
} from './dashboard-messages.ts'
import { DashboardProxy, PROXY_LIMITS } from './dashboard-proxy.ts'
import { SupervisedWorker } from './supervised-worker.ts'

export interface DashboardWorkerOptions {
  /** The entry file of the thread. */
  readonly entry: URL
  readonly threadOptions: DashboardThreadOptions
  /** Resolves when the keys are in use in every serving thread. */
  readonly applyKeys: (keys: readonly ApiKey[]) => Promise<void>
  readonly meter: UsageMeter
  readonly trustedProxies: number
  /** Responds to queries of the main thread's state. */
  readonly query: (query: NodeQuery, signal: AbortSignal) => Promise<SerializedResponse>
  readonly onEvent: (event: LogEvent) => void
}

/** Together with `USAGE_EVERY_MS` of the serving threads, a killed process loses at most the last second. */
const FLUSH_EVERY_MS = 500

/**
 * Runs the thread that signs people in, answers the dashboard API and stores usage. While it restarts, `/api` responds 503 and `/v1`
 * is not affected.
 */
export class DashboardWorker {
  readonly #worker: SupervisedWorker<DashboardOperations, DashboardParent>
  readonly #proxy: DashboardProxy
  readonly #usage: UsageFlusher
  readonly #flushing: NodeJS.Timeout
  readonly #forwarded: ForwardedNotice

  constructor(options: DashboardWorkerOptions) {
    const { threadOptions, trustedProxies, meter, query, applyKeys, onEvent } = options
    const { uploadBytesMax } = threadOptions
    this.#worker = new SupervisedWorker(options.entry, {
      workerData: () => threadOptions,
      onEvent,
      attach: () => ({ query, applyKeys }),
    })
    const addUsage = (batch: UsageBatch) => this.#worker.request('addUsage', batch)
    this.#usage = new UsageFlusher({ meter, addUsage, onEvent })
    const respond = (request: SerializedRequest, signal: AbortSignal) => this.respond(request, signal)
    this.#proxy = new DashboardProxy({ ...PROXY_LIMITS, respond, trustedProxies, uploadBytesMax })
    this.#forwarded = new ForwardedNotice(trustedProxies, onEvent)
    this.#flushing = setInterval(() => this.#usage.flush(), FLUSH_EVERY_MS)
  }

  /** For the context of this thread's server. */
  connection({
    statusPage,
  }: {
    readonly statusPage: boolean
  }): Pick<ApiContext, 'relay' | 'isUploading' | 'readHistory'> {
    return {
      relay: (context) => {
        this.#forwarded.note(context.request)
        this.#proxy.handle(context)
      },
      isUploading: (socket) => this.#proxy.isUploading(socket),
      ...(statusPage && { readHistory: () => this.respond(HISTORY_REQUEST) }),
    }
  }

  /** Responds to a request that the proxy of another thread forwards. Rejects with `ChannelClosed` while the thread is not running. */
  respond(request: SerializedRequest, signal?: AbortSignal): Promise<SerializedResponse> {
    return this.#worker.request('respond', request, { ...transferOf(request), ...(signal && { signal }) })
  }

  /** Stores the last counts, then ends the thread. */
  async stop(): Promise<void> {
    clearInterval(this.#flushing)
    await this.#usage.close()
    await this.#worker.stop()
  }
}

/** The time that `close()` waits for the last counts to be stored. */
const CLOSE_MS_MAX = 5000

interface UsageFlusherOptions {
  readonly meter: UsageMeter
  /** Rejects if the dashboard thread is not running or dies: the batch may be stored. */
  readonly addUsage: (batch: UsageBatch) => Promise<UsageResult>
  readonly onEvent: (event: LogEvent) => void
}

/**
 * Stores the counts of a meter, one batch at a time. A batch that was not confirmed is sent again unchanged, and the
 * store adds it once. So a store that rejects writes loses nothing; it only costs the memory of the counts.
 *
 *     idle ── flush() ──▶ storing ── stored ──▶ idle, without a batch
 *                            └── not stored ──▶ idle, with the batch for the next flush()
 */
class UsageFlusher {
  readonly #options: UsageFlusherOptions
  readonly #meterId = randomUUID()
  #number = 0
  #batch: UsageBatch | undefined
  #storing: Promise<void> | undefined
  #isFailing = false

  constructor(options: UsageFlusherOptions) {
    this.#options = options
  }

  /** Starts to store the batch that was not stored, or what was counted, unless a batch is being stored. */
  flush(): void {
    if (this.#storing !== undefined) return
    this.#batch ??= this.#drain()
    if (this.#batch === undefined) return
    this.#storing = this.#store(this.#batch).then((isStored) => {
      this.#storing = undefined
      if (isStored) this.#batch = undefined
    })
  }

  /** Stores the last counts. Those that cannot be stored in time are lost, and logged. */
  async close(): Promise<void> {
    const timeout = AbortSignal.timeout(CLOSE_MS_MAX)
    await this.#settled(timeout)
    // A batch that was not stored, then what was counted since.
    for (let batches = 0; batches < 2; batches++) {
      this.flush()
      await this.#settled(timeout)
    }
    const left = [this.#batch, this.#options.meter.drain()].flatMap((batch) => batch?.requests ?? [])
    const requests = left.reduce((sum, { count }) => sum + count, 0)
    if (requests > 0) this.#options.onEvent({ level: 'error', message: 'usage was lost', fields: { requests } })
  }

  #drain(): UsageBatch | undefined {
    const batch = this.#options.meter.drain()
    return batch && { ...batch, id: { meter: this.#meterId, number: ++this.#number } }
  }

  async #store(batch: UsageBatch): Promise<boolean> {
    const result = await this.#options.addUsage(batch).catch(() => ({ stored: false, error: undefined }) as const)
    if (result.stored) this.#noteStored()
    else if (result.error !== undefined) this.#noteFailing(result.error)
    return result.stored
  }

  #noteStored(): void {
    if (this.#isFailing) this.#options.onEvent({ level: 'info', message: 'usage storing recovered', fields: {} })
    this.#isFailing = false
  }

  #noteFailing(error: string): void {
    if (!this.#isFailing)
      this.#options.onEvent({ level: 'error', message: 'usage could not be stored', fields: { error } })
    this.#isFailing = true
  }

  async #settled(timeout: AbortSignal): Promise<void> {
    const { promise: timedOut, resolve } = Promise.withResolvers<void>()
    timeout.addEventListener('abort', () => resolve())
    if (!timeout.aborted) await Promise.race([this.#storing, timedOut])
  }
}
