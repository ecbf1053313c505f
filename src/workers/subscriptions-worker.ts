import type { SignInConfig } from '../config/config.ts'
import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { ServiceIdentity } from '../shared/service-identity.ts'
import { type ParentOperations, SupervisedWorker, type ThreadOperations } from './supervised-worker.ts'

/** Start options of the subscriptions thread: structured-cloneable. */
export interface SubscriptionsThreadOptions {
  readonly databaseUrl: string
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** With a trailing slash. */
  readonly dashboardUrl: string
  readonly service: ServiceIdentity
  /** Receivers may have private addresses and use http. */
  readonly allowPrivate: boolean
  /** The secrets that encrypt those of subscriptions, and the mail server. */
  readonly account: Pick<SignInConfig, 'authSecret' | 'previousAuthSecrets' | 'smtpUrl' | 'mailFrom'>
}

/** The deliveries of a node, and the events of all nodes that wait. */
export interface DeliveryGauges {
  /** Attempts since the thread started. */
  readonly delivered: number
  readonly failed: number
  readonly inFlight: number
  readonly queued: number
  readonly oldestAtMs?: number
}

/** The operations of the subscriptions thread for the main thread. */
export interface SubscriptionsOperations extends ThreadOperations {
  /** Begin no delivery: the node is about to end. */
  drain(): void
}

/** The operations of the main thread for the subscriptions thread. */
export interface SubscriptionsParent extends ParentOperations {
  query(query: NodeQuery): SerializedResponse
  setDeliveries(gauges: DeliveryGauges): void
}

export interface SubscriptionsOwner {
  readonly query: (query: NodeQuery, signal: AbortSignal) => Promise<SerializedResponse>
  readonly onEvent: (event: LogEvent) => void
  readonly onDeliveries: (gauges: DeliveryGauges) => void
}

/** Deliveries in flight may take 15 s, and must then be recorded. */
const STOP_MS_MAX = 20_000

/** Starts the thread that matches changes with subscriptions and delivers their events. */
export function startSubscriptionsWorker(
  options: SubscriptionsThreadOptions,
  { query, onEvent, onDeliveries }: SubscriptionsOwner,
): SupervisedWorker<SubscriptionsOperations, SubscriptionsParent> {
  return new SupervisedWorker(new URL('./subscriptions-thread.ts', import.meta.url), {
    workerData: () => options,
    attach: () => ({ query, setDeliveries: onDeliveries }),
    onEvent,
    stopMsMax: STOP_MS_MAX,
  })
}

/** That thread from the first subscription on: a node that never had one needs neither its memory nor its CPU time. */
export class SubscriptionsWorker {
  readonly #start: () => ReturnType<typeof startSubscriptionsWorker>
  #worker: ReturnType<typeof startSubscriptionsWorker> | undefined
  #isEnding = false

  constructor(...given: Parameters<typeof startSubscriptionsWorker>) {
    this.#start = () => startSubscriptionsWorker(...given)
  }

  /** Does nothing if already started, or about to end. */
  start(): void {
    if (!this.#isEnding) this.#worker ??= this.#start()
  }

  drain(): void {
    this.#isEnding = true
    this.#worker?.post('drain', undefined)
  }

  async stop(): Promise<void> {
    this.#isEnding = true
    await this.#worker?.stop()
  }
}
