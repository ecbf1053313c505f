import type { Store } from '../../store/contracts/store.ts'
import { StoreUnavailable } from '../../store/contracts/store.ts'
import { temporarilyUnavailable } from '../problem.ts'
import { jsonResponse, problemResponse, type SerializedRequest, type SerializedResponse } from '../serialized-http.ts'
import { HealthHistory } from './health-history.ts'

/** The request of a serving thread for the history; no caller can send it. */
export const HISTORY_REQUEST: SerializedRequest = {
  method: 'GET',
  target: '/status',
  operation: '/status',
  headers: [],
  address: '',
  requestId: 'status',
}

/** The threads of a node read the store once in this time. */
const FRESH_MS = 15_000

const EVENTS_AT_ONCE = 5000

interface HistoryReaderOptions {
  readonly store: Pick<Store, 'health' | 'sources' | 'revisionFeed'>
  readonly now: () => number
}

/** Reads the health history of the publishers for the status pages of a node. */
export class HistoryReader {
  readonly #options: HistoryReaderOptions
  #history = new HealthHistory()
  #epoch: number | undefined
  #response: Promise<SerializedResponse> | undefined
  #untilMs = 0

  constructor(options: HistoryReaderOptions) {
    this.#options = options
  }

  /** A `StatusHistory` as JSON; 503 while the store is unavailable. */
  respond(): Promise<SerializedResponse> {
    const nowMs = this.#options.now()
    if (this.#response === undefined || nowMs >= this.#untilMs) {
      // Not twice at a time: both would add the same events.
      this.#untilMs = Number.POSITIVE_INFINITY
      this.#response = this.#read(nowMs)
        .catch((error: unknown) => {
          this.#response = undefined
          if (error instanceof StoreUnavailable) return historyUnavailable()
          throw error
        })
        .finally(() => {
          this.#untilMs = nowMs + FRESH_MS
        })
    }
    return this.#response
  }

  async #read(nowMs: number): Promise<SerializedResponse> {
    const { health, sources, revisionFeed } = this.#options.store
    const { epoch } = await revisionFeed.revisions()
    // A promoted standby may have lost events, and then gives their IDs to others.
    if (epoch !== this.#epoch) this.#history = new HealthHistory()
    this.#epoch = epoch
    let events = await health.after(this.#history.lastId, EVENTS_AT_ONCE)
    this.#history.add(events)
    while (events.length === EVENTS_AT_ONCE) {
      events = await health.after(this.#history.lastId, EVENTS_AT_ONCE)
      this.#history.add(events)
    }
    return jsonResponse(JSON.stringify(this.#history.report(await sources.overview(), nowMs)))
  }
}

/** The response while the thread starts or its store is unavailable. */
export function historyUnavailable(): SerializedResponse {
  return problemResponse(temporarilyUnavailable('The history is'))
}
