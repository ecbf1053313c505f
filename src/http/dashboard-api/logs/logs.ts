import { LOGGED_LENGTHS } from '../../../keys/request-ring.ts'
import { ADDRESSES_PER_KEY } from '../../../keys/usage-batch.ts'
import { type Cell, csvTime } from '../../../lib/csv.ts'
import { defined } from '../../../lib/optional.ts'
import { CENSOR } from '../../../lib/redact.ts'
import { LOG_CONTRACT, type LogEntryView, type LogSearch } from '../../../shared/contract/logs.ts'
import { notFound } from '../../../shared/dashboard-problem.ts'
import { ADDRESSES_KEPT_MS, type LogEntry, type LogFilter } from '../../../store/contracts/request-log.ts'
import { exportList } from '../export-list.ts'
import { getKey } from '../keys/keys.ts'
import { implement, type OrganizationRequest } from '../route.ts'

const ENTRIES_PER_PAGE = 50

export const logRoutes = implement(LOG_CONTRACT, {
  'GET /api/organizations/:org/logs': async (request) => {
    const { limit = ENTRIES_PER_PAGE, cursor, ...query } = request.query
    const { requestLog, keys } = request.context.store
    const filter = logFilterOf(request, query)
    const found = await requestLog.list(filter, { limit: limit + 1, ...defined({ beforeEntry: cursor }) })
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    return {
      // Those of several threads are stored in batches, whose times overlap.
      entries: entries.map(viewEntry).sort((one, other) => other.atMs - one.atMs),
      keys: await keys.names(filter.organizationId, keysOf(entries)),
      // Of all pages; the first one says it.
      leftOut: cursor === undefined ? await requestLog.leftOut(filter) : 0,
      ...(found.length > limit && last !== undefined && { next: String(last.entry) }),
    }
  },

  'GET /api/organizations/:org/logs.csv': (request) => {
    const { requestLog, keys } = request.context.store
    const filter = logFilterOf(request, request.query)
    return exportList<NamedEntry>({
      fileName: 'requests.csv',
      columns: CSV_COLUMNS,
      async read(last, limit) {
        const page = await requestLog.list(filter, { limit, ...defined({ beforeEntry: last?.entry }) })
        const named = await keys.names(filter.organizationId, keysOf(page))
        const names = new Map(named.map(({ id, name }) => [id, name]))
        return page.map((entry) => ({ ...entry, keyName: names.get(entry.keyId) }))
      },
      cellsOf,
      userId: request.session.userId,
      signal: request.raw.raw.signal,
    })
  },

  'GET /api/organizations/:org/logs/:request': async (request) => {
    const { requestLog, keys } = request.context.store
    const filter = logFilterOf(request, { request: request.params.request })
    const { entry: wanted } = request.query
    const page = { limit: 1, ...(wanted !== undefined && { beforeEntry: wanted + 1 }) }
    const [found] = await requestLog.list(filter, page)
    if (found === undefined) throw notFound('request')
    const [key] = await keys.names(filter.organizationId, [found.keyId])
    return { entry: viewEntry(found), ...defined({ key }) }
  },

  'GET /api/organizations/:org/keys/:key/addresses': async (request) => {
    const { context, organization, params } = request
    const { id: keyId } = await getKey(request, params.key)
    const of = { organizationId: organization.id, keyId }
    const addresses = await context.store.requestLog.addresses(of, context.now() - ADDRESSES_KEPT_MS)
    return { addresses, max: ADDRESSES_PER_KEY }
  },
})

/** Empty fields of the form do not filter. Entries whose time has come are not shown, though they are deleted only once a day. */
export function logFilterOf(
  { context, organization }: OrganizationRequest,
  { key, request, status, fromMs = 0, ...query }: LogSearch,
): LogFilter {
  const { retentionMs } = context.configured.requestLog
  const given = { ...query, keyId: key, requestId: request, status: status && Number(status.replace('xx', '')) }
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== '')),
    organizationId: organization.id,
    fromMs: Math.max(fromMs, context.now() - retentionMs),
  }
}

function keysOf(entries: readonly LogEntry[]): string[] {
  return [...new Set(entries.map(({ keyId }) => keyId))]
}

function viewEntry({ entry, durationUs, error, message, parameter, ...rest }: LogEntry): LogEntryView {
  const hasProblem = error !== undefined && message !== undefined
  return {
    ...rest,
    isComplete: rest.target.length < LOGGED_LENGTHS.target && !rest.target.includes(CENSOR),
    id: entry,
    durationMs: durationUs / 1000,
    ...(hasProblem && { problem: { error, message, ...defined({ parameter }) } }),
  }
}

const CSV_COLUMNS = [
  'time',
  'request_id',
  'key_id',
  'key_name',
  'method',
  'target',
  'status',
  'duration_ms',
  'address',
  'user_agent',
  'error',
  'message',
  'parameter',
  'left_out_before',
]

type NamedEntry = LogEntry & { readonly keyName: string | undefined }

function cellsOf(entry: NamedEntry): Cell[] {
  const { atMs, requestId, keyId, keyName, method, target, status, durationUs } = entry
  const request = [csvTime(atMs), requestId, keyId, keyName, method, target, status, durationUs / 1000]
  const { address, userAgent, error, message, parameter, leftOut } = entry
  return [...request, address, userAgent, error, message, parameter, leftOut]
}
