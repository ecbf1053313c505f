import type { Duplex } from 'node:stream'
import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import type { UsageBatch } from '../keys/usage-batch.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { SECOND_MS } from '../lib/time.ts'
import type { DashboardThreadOptions } from './dashboard-messages.ts'
import { type DashboardOperations, type DashboardParent, transferOf } from './dashboard-messages.ts'
import { DashboardProxy, PROXY_LIMITS, type ProxiedExchange } from './dashboard-proxy.ts'
import { SupervisedWorker } from './supervised-worker.ts'
import { UsageFlusher } from './usage-flusher.ts'

export interface DashboardWorkerOptions {
  /** The entry file of the thread. */
  readonly entry: URL
  readonly threadOptions: DashboardThreadOptions
  /** Resolves when the keys are in use in every serving thread. */
  readonly applyKeys: (keys: readonly ApiKey[]) => Promise<void>
  readonly meter: UsageMeter
  readonly trustedProxies: number
  /** Answers what only the main thread knows. */
  readonly query: (query: NodeQuery) => SerializedResponse
  readonly onEvent: (event: LogEvent) => void
}

/** So that a dashboard which waits for a key's first request shows it within two seconds. */
const FLUSH_EVERY_MS = SECOND_MS

/**
 * Runs the thread that signs people in, answers the dashboard API and stores usage. While it restarts, `/api` responds 503 and `/v1`
 * is not affected.
 */
export class DashboardWorker {
  readonly #worker: SupervisedWorker<DashboardOperations, DashboardParent>
  readonly #proxy: DashboardProxy
  readonly #usage: UsageFlusher
  readonly #flushing: NodeJS.Timeout

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
    const respond = (request: SerializedRequest) => this.respond(request)
    this.#proxy = new DashboardProxy({ ...PROXY_LIMITS, respond, trustedProxies, uploadBytesMax })
    this.#flushing = setInterval(() => this.#usage.flush(), FLUSH_EVERY_MS)
  }

  /** Responds to a request of this thread's server, now or later. */
  handle(exchange: ProxiedExchange): void {
    this.#proxy.handle(exchange)
  }

  isUploading(socket: Duplex): boolean {
    return this.#proxy.isUploading(socket)
  }

  /** Responds to a request that the proxy of another thread forwards. Rejects with `ChannelClosed` while the thread is not running. */
  respond(request: SerializedRequest): Promise<SerializedResponse> {
    return this.#worker.request('respond', request, transferOf(request))
  }

  /** Stores the last counts, then ends the thread. */
  async stop(): Promise<void> {
    clearInterval(this.#flushing)
    await this.#usage.close()
    await this.#worker.stop()
  }
}
