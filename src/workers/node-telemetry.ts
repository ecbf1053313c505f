import type { Config } from '../config/config.ts'
import type { ApiContext, NodeCondition } from '../http/api-context.ts'
import type { NodeQuery } from '../http/node-query.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { SourceGauge } from '../sync/source-gauge.ts'
import type { Logger } from './log.ts'
import type { Measured } from './metrics/node-metrics.ts'
import { SyncTally } from './metrics/sync-counters.ts'
import type { IndexMirror } from './start-following.ts'
import { StoreWatch } from './store-watch.ts'

/** Hears what the parts of a node tell: writes it to the log, and knows from it how the node does. */
export class NodeEars {
  readonly #log: Logger
  readonly #store: StoreWatch
  readonly #syncs = new SyncTally()
  #gauges: readonly SourceGauge[] = []
  #isDraining = false
  #lastChangeAtMs: number | undefined

  constructor({ databaseUrl }: Config, log: Logger) {
    this.#log = log
    this.#store = new StoreWatch(databaseUrl, Date.now)
  }

  /** Hears a thread. */
  of(thread: string): (event: LogEvent) => void {
    return this.#store.listener(thread, (event) => this.#log[event.level](event.fields, event.message))
  }

  readonly ofSyncs = (event: LogEvent): void => {
    this.#syncs.hear(event)
    this.of('sync')(event)
  }

  readonly ofGauges = (gauges: readonly SourceGauge[]): void => {
    this.#gauges = gauges
  }

  readonly ofRequests: ApiContext['onError'] = (error, request) =>
    this.#log.error({ err: error, request }, 'request failed')

  readonly ofQuestions = (fault: unknown, { about }: NodeQuery): void =>
    this.#log.error({ err: fault, about }, 'question of the account thread failed')

  /** Hears of changes beside the index. */
  readonly ofChanges: IndexMirror = {
    restart: () => undefined,
    take: async ({ kind }) => {
      if (kind === 'end') this.#lastChangeAtMs = Date.now()
    },
  }

  noteDraining(): void {
    this.#isDraining = true
  }

  get condition(): NodeCondition {
    const changed = this.#lastChangeAtMs !== undefined && { lastChangeAtMs: this.#lastChangeAtMs }
    return { draining: this.#isDraining, store: this.#store.condition, ...changed }
  }

  /** What metrics are made of, as far as it was heard. */
  get measured(): Pick<Measured, 'condition' | 'storeAwayMs' | 'syncs' | 'sources'> {
    return {
      condition: () => this.condition,
      storeAwayMs: () => this.#store.awayMs,
      syncs: this.#syncs,
      sources: () => this.#gauges,
    }
  }
}
