import { nextTurn } from '../../../lib/next-turn.ts'
import { defined } from '../../../lib/optional.ts'
import type { TopQueriesView } from '../../../shared/contract/usage.ts'
import type { LogEntry, LogFilter, RequestLog } from '../../../store/contracts/request-log.ts'

/** How many requests of the log are read, the newest ones: some tens of milliseconds in steps of a few. */
export const TOP_QUERIES_READ_MAX = 10_000
const ENTRIES_PER_STEP = 1000
const QUERIES_MAX = 10

/** Parameters that differ between the pages of one query, or with the time of the request. */
const VARYING = ['limit', 'offset', 'cursor', 'since', '_since', 'startAfter', 'startBefore']
/** Paths with the id of one resource. */
const WITH_ID = /^(\/v1\/scheduling\/(?:slots|subscriptions)\/)[^/]+/

/** The most frequent queries among the newest requests that match. */
export async function readTopQueries(log: RequestLog, filter: LogFilter): Promise<TopQueriesView> {
  const counter = new QueryCounter()
  let beforeEntry: number | undefined
  let sinceMs: number | undefined
  while (counter.requests < TOP_QUERIES_READ_MAX) {
    const entries = await log.list(filter, { limit: ENTRIES_PER_STEP, ...defined({ beforeEntry }) })
    for (const entry of entries) counter.add(entry)
    beforeEntry = entries.at(-1)?.entry
    sinceMs = entries.at(-1)?.atMs ?? sinceMs
    if (entries.length < ENTRIES_PER_STEP) break
    await nextTurn()
  }
  return { queries: counter.top(), requests: counter.requests, ...defined({ sinceMs }) }
}

/** The query of a request target: filters in order of their names, without pages and times, and `{id}` instead of an id. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?')
  const path = (mark === -1 ? target : target.slice(0, mark)).replace(WITH_ID, '$1{id}')
  const parameters = new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1))
  for (const name of VARYING) parameters.delete(name)
  parameters.sort()
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

interface CountedQuery {
  readonly method: string
  readonly target: string
  errors: number
  readonly durationsUs: number[]
}

class QueryCounter {
  requests = 0
  readonly #queries = new Map<string, CountedQuery>()

  add({ method, target, status, durationUs }: LogEntry): void {
    this.requests++
    const query = queryOf(target)
    const name = `${method} ${query}`
    const counted = this.#queries.get(name) ?? { method, target: query, errors: 0, durationsUs: [] }
    this.#queries.set(name, counted)
    counted.durationsUs.push(durationUs)
    if (status >= 400) counted.errors++
  }

  top(): TopQueriesView['queries'] {
    return [...this.#queries.values()]
      .sort((a, b) => b.durationsUs.length - a.durationsUs.length || (a.target < b.target ? -1 : 1))
      .slice(0, QUERIES_MAX)
      .map(({ durationsUs, ...query }) => ({
        ...query,
        requests: durationsUs.length,
        p95Ms: p95Us(durationsUs) / 1000,
      }))
  }
}

function p95Us(durationsUs: readonly number[]): number {
  return durationsUs.toSorted((a, b) => a - b)[Math.ceil(durationsUs.length * 0.95) - 1]
}
