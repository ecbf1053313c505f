import { type Cell, csvTime } from '../../../lib/csv.ts'
import { defined } from '../../../lib/optional.ts'
import { AUDIT_CONTRACT, type AuditView } from '../../../shared/contract/audit.ts'
import type { AuditEntry, AuditFilter } from '../../../store/contracts/audit.ts'
import type { DashboardContext } from '../context.ts'
import { exportList } from '../export-list.ts'
import { implement, type UserRequest } from '../route.ts'

export const auditRoutes = implement(AUDIT_CONTRACT, {
  'GET /api/organizations/:org/audit': ({ context, organization, query }) => listPage(context, organization.id, query),

  'GET /api/organizations/:org/audit.csv': (request) => exportAudit(request, request.organization.id),

  'GET /api/operator/audit': ({ context, query }) => listPage(context, null, query),

  'GET /api/operator/audit.csv': (request) => exportAudit(request, null),

  'GET /api/me/security-log': async ({ context, session, query }) => {
    const entries = await context.store.audit.list(securityFilter(session.userId, query))
    return { entries: entries.map((entry) => viewOwnEntry(session.userId, entry)) }
  },

  'GET /api/me/security-log.csv': async ({ context, session: { userId }, query, raw }) =>
    exportList<AuditEntry>({
      fileName: 'security-log.csv',
      columns: COLUMNS,
      read: (last, limit) => context.store.audit.list(securityFilter(userId, { ...query, beforeId: last?.id, limit })),
      cellsOf: (entry) => cellsOf(asSeenBy(userId, entry)),
      userId,
      signal: raw.raw.signal,
    }),

  'POST /api/me/notices/dismiss': ({ context, session, body }) =>
    context.store.accountActivity.dismissNotices(session.userId, body.lastId),
})

const COLUMNS = ['id', 'time', 'kind', 'actor', 'address', 'subject', 'detail', 'request']

async function listPage(
  { store }: DashboardContext,
  log: AuditFilter['organizationId'],
  query: { limit?: number | undefined },
) {
  const { limit = 50, ...filter } = query
  const entries = await store.audit.list(auditFilter(log, limit, filter))
  return { entries: entries.map(viewEntry) }
}

function exportAudit(
  { context: { store }, query, raw, session }: UserRequest & { readonly query: object },
  log: AuditFilter['organizationId'],
) {
  return exportList<AuditEntry>({
    fileName: 'audit.csv',
    columns: COLUMNS,
    read: (last, limit) => store.audit.list({ ...auditFilter(log, limit, query), ...defined({ beforeId: last?.id }) }),
    cellsOf,
    userId: session.userId,
    signal: raw.raw.signal,
  })
}

/** Leaves out empty values: the form sends them for unused fields. */
function auditFilter(organizationId: AuditFilter['organizationId'], limit: number, filter: object): AuditFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')
  return { organizationId, limit, ...Object.fromEntries(given) }
}

/** An entry about a person's account, as the person sees it. */
export function viewOwnEntry(userId: string, entry: AuditEntry): AuditView {
  return viewEntry(asSeenBy(userId, entry))
}

/** The part of the service's log about one account. */
function securityFilter(
  userId: string,
  { limit = 50, ...filter }: { [Name in 'beforeId' | 'limit' | 'signIns']?: AuditFilter[Name] | undefined },
): AuditFilter {
  return { organizationId: null, subject: userId, limit, ...filter }
}

/** The person concerned does not see the network address of another who changed the account, such as an operator. */
function asSeenBy(userId: string, { actor, ...entry }: AuditEntry): AuditEntry {
  if (actor.userId === undefined || actor.userId === userId) return { actor, ...entry }
  return { ...entry, actor: { userId: actor.userId, name: actor.name } }
}

function viewEntry({ id, atMs, kind, actor, subject, detail }: AuditEntry): AuditView {
  return {
    id,
    atMs,
    kind,
    actor: actor.name,
    ...defined({ address: actor.address, requestId: actor.requestId, subject }),
    detail,
  }
}

function cellsOf({ id, atMs, kind, actor, subject, detail }: AuditEntry): Cell[] {
  return [id, csvTime(atMs), kind, actor.name, actor.address, subject, JSON.stringify(detail), actor.requestId]
}
