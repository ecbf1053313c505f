import type { ApiContext } from '../http/api-context.ts'
import { isInternalClient } from '../http/client-address.ts'
import type { CsvDownloads } from '../http/explore/csv-downloads.ts'
import { countSlotsByDay, searchPage } from '../http/explore/explore.ts'
import { suggestValues } from '../http/explore/suggest-values.ts'
import type { FairCaller } from '../http/fair-queue.ts'
import { notReady, showReady } from '../http/health.ts'
import { JSON_TYPE } from '../http/negotiation.ts'
import type { EventSlotsHead, NodeQuery, OpenSlotCounts } from '../http/node-query.ts'
import { internalError, Problem, problemOf } from '../http/problem.ts'
import { headerPairs } from '../http/secure-response.ts'
import {
  jsonResponse,
  problemResponse,
  type SerializedRequest,
  type SerializedResponse,
} from '../http/serialized-http.ts'
import type { OperationReader } from '../http/v1/operation.ts'
import { matchPath } from '../http/v1/operations.ts'
import type { OpenCount } from '../slot-index/counts/slot-counts.ts'
import type { NodeWatch, WatchedNode } from './node-telemetry.ts'

/** The state that queries of the dashboard thread read. */
export type QueryContext = Pick<
  ApiContext,
  'index' | 'keyRing' | 'isReady' | 'now' | 'baseUrl' | 'queue' | 'sources'
> & {
  readonly watch: NodeWatch
  readonly memory: WatchedNode['memory']
  readonly downloads: CsvDownloads
  /** See `respondToOperation()`. */
  readonly operate: (query: OperationQuery) => Promise<SerializedResponse>
  /** Reports errors that become a 500. */
  readonly onError: (error: unknown, query: NodeQuery) => void
}

/**
 * Responds to a query of the dashboard thread as `/v1` would, errors included, but without an API key. Never rejects. Once the
 * signal aborts, the response is not needed.
 */
export async function respondToQuery(
  query: NodeQuery,
  node: QueryContext,
  signal?: AbortSignal,
): Promise<SerializedResponse> {
  if (query.about === 'operation') return node.operate({ ...query, signal })
  try {
    if (query.about === 'health') return jsonResponse(JSON.stringify(node.watch.health(node)))
    if (!node.isReady()) throw notReady()
    const { index, queue, now, baseUrl, sources } = node
    if (query.about === 'event-slots') return { status: 200, headers: [], body: eventSlots(query.ids, index) }
    if (query.about === 'open-slots') {
      const counts = await queue.finish(
        SERVICE,
        index.inSteps(now, (view) => view.counts.open()),
      )
      return jsonResponse(JSON.stringify(openSlotCounts(counts)))
    }
    if (query.about === 'days')
      return jsonResponse(
        JSON.stringify(await queue.finish(query.by, countSlotsByDay(query.search, index, now), signal)),
      )
    if (query.about === 'cities') {
      const cities = index.inSteps(now, (view) => view.counts.cities(query.text))
      return jsonResponse(JSON.stringify(await queue.finish(query.by, cities, signal)))
    }
    if (query.about === 'suggestions')
      return jsonResponse(
        JSON.stringify(await queue.finish(query.by, suggestValues(query.search, { index, sources, now }), signal)),
      )
    if (query.about === 'csv')
      return { status: 200, headers: [], body: await node.downloads.write({ ...query, signal }, { index, queue, now }) }
    const page = await queue.finish(query.by, searchPage(query.search, index, { baseUrl, now }), signal)
    return {
      status: 200,
      headers: [
        ['content-type', JSON_TYPE],
        ['link', page.link],
      ],
      body: page.body,
    }
  } catch (error) {
    return failure(error, () => node.onError(error, query), signal)
  }
}

/** At most a few hundred lookups, of about two microseconds each. */
function eventSlots(ids: readonly string[], index: QueryContext['index']): Buffer {
  const { store, revision } = index.committed
  const head: EventSlotsHead = { store, revision }
  const parts: Uint8Array[] = [Buffer.from(JSON.stringify(head))]
  for (const id of ids) {
    const slot = index.find(id)
    if (slot !== undefined) parts.push(LINE_BREAK, slot)
  }
  return Buffer.concat(parts)
}

const LINE_BREAK = Buffer.from('\n')

/** A request of `/v1` that another thread asks for. */
export interface OperationQuery {
  /** Path and query. */
  readonly target: string
  readonly by: FairCaller
  /** Aborts when the response is not needed any more. */
  readonly signal?: AbortSignal | undefined
}

/** Work that no caller asked for. */
const SERVICE: FairCaller = { id: '', organizationId: '' }

/**
 * Responds to an operation of `/v1` that is read from memory, as to a caller, but without an API key. Never rejects.
 */
export async function respondToOperation(
  { target, by, signal }: OperationQuery,
  api: ApiContext,
): Promise<SerializedResponse> {
  try {
    const response = readOperation(target, api)
    const { body, headers } = 'body' in response ? response : await api.queue.finish(by, response, signal)
    // A copy: the body is part of a larger buffer, which would be cloned whole.
    return { status: 200, headers: [['content-type', JSON_TYPE], ...headerPairs(headers)], body: new Uint8Array(body) }
  } catch (error) {
    return failure(error, () => api.onError(error, { id: '', method: 'GET', url: target }), signal)
  }
}

/** Responds to readiness checks that reached another thread. */
export function readinessResponder(api: ApiContext): (request: SerializedRequest) => Promise<SerializedResponse> {
  const trustedProxies = api.trustedProxies ?? 0
  return async ({ target, method, requestId, address, headers }) => {
    try {
      const isForwarded = headers.some(([name]) => /^(x-forwarded-for|forwarded)$/i.test(name))
      return showReady({ target, isInternal: isInternalClient({ address, isForwarded, trustedProxies }) }, api)
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) api.onError(error, { id: requestId, method, url: target })
      return problemResponse(problem ?? internalError(requestId))
    }
  }
}

function readOperation(target: string, api: ApiContext): ReturnType<OperationReader> {
  if (!api.isReady()) throw notReady()
  const match = matchPath(target)
  const read = match?.byMethod.get('GET')?.operation.read
  if (match === undefined || read === undefined) throw new Problem('not-found', 'There is no such operation.')
  const { search, name } = match
  return read({ search, name, nowMs: api.now(), allocate: Buffer.allocUnsafeSlow }, api)
}

function failure(error: unknown, report: () => void, signal?: AbortSignal): SerializedResponse {
  if (signal?.aborted) return problemResponse(new Problem('not-ready', 'The client closed the connection.'))
  const problem = problemOf(error)
  if (problem === undefined) report()
  return problemResponse(problem ?? new Problem('internal-error', 'The service failed. Try again.'))
}

function openSlotCounts(counts: ReadonlyMap<string, OpenCount>): OpenSlotCounts {
  return Object.fromEntries(
    [...counts].map(([publisher, { all, byState }]) => [publisher, { all, byState: Object.fromEntries(byState) }]),
  )
}
