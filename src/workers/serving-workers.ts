import type { OpenTelemetryConfig } from '../config/open-telemetry-config.ts'
import type { ConnectionLimits } from '../http/connections.ts'
import type { RateLimitSettings } from '../http/rate-limits.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { UsageBatch } from '../keys/usage-batch.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { ServiceIdentity } from '../shared/service-identity.ts'
import type { IndexMessage } from '../sync/index-messages.ts'
import { ChannelClosed } from './channel.ts'
import type { IndexMirror } from './follow-worker.ts'
import { type ParentOperations, SupervisedWorker, type ThreadOperations } from './supervised-worker.ts'

export interface ServingWorkersOptions {
  /** The entry file of a thread. */
  readonly entry: URL
  readonly threadOptions: ServingThreadOptions
  /** The number of threads besides the main thread. */
  readonly count: number
  /** The main thread's own. */
  readonly keyRing: KeyRing
  readonly meter: UsageMeter
  /** Responds to requests for the dashboard API and for the node's readiness. */
  readonly respond: (request: SerializedRequest, signal: AbortSignal) => Promise<SerializedResponse>
  /** Has the follow thread send everything again, for a thread that is empty. */
  sendAll(): void
  onEvent(event: LogEvent): void
}

/**
 * The threads of a node that serve requests besides the main thread, on the same port. Each has its own key ring and usage meter, and
 * reads the memory of the one index; all are fed by the one follow thread, and none has a connection to the store.
 *
 * They listen once all of them and the main thread are loaded, and only then the node is ready. A thread that dies is replaced and
 * listens again when it is loaded; until then the others serve.
 */
export class ServingWorkers {
  readonly #options: ServingWorkersOptions
  readonly #workers: readonly ServingWorker[]
  /** The threads that can serve, by their numbers. */
  readonly #loaded = new Set<number>()
  #isReady = false
  #port: number | undefined
  readonly #allLoaded = Promise.withResolvers<void>()
  #hasStarted = false

  constructor(options: ServingWorkersOptions) {
    this.#options = options
    this.#workers = Array.from({ length: options.count }, (_, n) => this.#start(n))
    this.#hasStarted = true
    this.#noteReady()
  }

  get mirrors(): readonly IndexMirror[] {
    return this.#workers
  }

  /** All threads have been loaded. True from then on: while one is replaced, the others serve. */
  isReady(): boolean {
    return this.#isReady
  }

  /** Makes all threads listen on the main thread's port, as soon as they and the main thread are loaded. */
  async listen(port: number, mainLoaded: Promise<void>): Promise<void> {
    await Promise.all([mainLoaded, this.#allLoaded.promise])
    this.#port = port
    // One that is being replaced listens when it is loaded.
    for (const n of this.#loaded) this.#workers[n].listen(port)
  }

  /** Resolves when the keys are in use in every thread, the main thread included. */
  async applyKeys(keys: readonly ApiKey[]): Promise<void> {
    this.#options.keyRing.apply(keys)
    await Promise.all(this.#workers.map((worker) => worker.applyKeys(keys)))
  }

  /** From now on, each response asks its caller to reconnect. Call it some time before `stop()`. */
  drain(): void {
    for (const worker of this.#workers) worker.drain()
  }

  /** Resolves when all threads have ended and their counts are in the main thread's meter. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()))
  }

  #start(n: number): ServingWorker {
    return new ServingWorker(this.#options, {
      onStart: () => {
        // The first threads start before the follow thread sends anything.
        if (this.#hasStarted) this.#options.sendAll()
      },
      onLoaded: () => this.#noteLoaded(n),
      onExit: () => this.#loaded.delete(n),
    })
  }

  #noteLoaded(n: number): void {
    this.#loaded.add(n)
    this.#noteReady()
    if (this.#port !== undefined) this.#workers[n].listen(this.#port)
  }

  #noteReady(): void {
    if (this.#loaded.size < this.#workers.length) return
    this.#isReady = true
    this.#allLoaded.resolve()
  }
}

/** One serving thread. After a restart it ignores what builds on messages that it has not received. */
class ServingWorker implements IndexMirror {
  readonly #worker: SupervisedWorker<ServingOperations, ServingParent>

  constructor(
    { entry, threadOptions, meter, respond, onEvent }: ServingWorkersOptions,
    { onStart, onLoaded, onExit }: { onStart(): void; onLoaded(): void; onExit(): void },
  ) {
    this.#worker = new SupervisedWorker(entry, {
      workerData: () => threadOptions,
      onEvent,
      onExit,
      attach: () => {
        onStart()
        return { respond, loaded: onLoaded, addUsage: (batch) => meter.takeOver(batch) }
      },
    })
  }

  async take(message: IndexMessage): Promise<void> {
    await this.#worker.request('apply', message).catch(ignoreClosed)
  }

  listen(port: number): void {
    this.#worker.post('listen', port)
  }

  /** Ignores a thread that died: its successor loads the keys from the store. */
  async applyKeys(keys: readonly ApiKey[]): Promise<void> {
    await this.#worker.request('applyKeys', keys).catch(ignoreClosed)
  }

  drain(): void {
    this.#worker.post('drain', undefined)
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
  }
}

/** A thread that died is replaced, and its successor is sent everything again. */
function ignoreClosed(error: unknown): undefined {
  if (!(error instanceof ChannelClosed)) throw error
}

export interface ServingThreadOptions {
  readonly host: string
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly securityContact?: string | undefined
  readonly service: ServiceIdentity
  readonly statusPage?: boolean
  readonly trustedProxies: number
  readonly limits: ConnectionLimits
  readonly rateLimits: RateLimitSettings
  readonly openFeed?: boolean
  readonly publicCounts: boolean
  /** The request log has network addresses; true by default. */
  readonly logsAddresses?: boolean
  readonly uploadBytesMax: number
  /** The folder of the built pages. */
  readonly openTelemetry: OpenTelemetryConfig | undefined
  readonly siteFolder: string
}

/** The operations of a serving thread, which has its own key ring, for the main thread. */
export interface ServingOperations extends ThreadOperations {
  apply(message: IndexMessage): void
  applyKeys(keys: readonly ApiKey[]): void
  /** Listen on the main thread's port. */
  listen(port: number): void
  /** From now on, each response asks its caller to reconnect. */
  drain(): void
}

/** The operations of the main thread for a serving thread. */
export interface ServingParent extends ParentOperations {
  /** The index and the keys have been loaded. */
  loaded(): void
  /** Responds to a request for the dashboard API or for the node's readiness. */
  respond(request: SerializedRequest): SerializedResponse
  /** The counts since the last call, to be added to the main thread's. */
  addUsage(batch: UsageBatch): void
}
