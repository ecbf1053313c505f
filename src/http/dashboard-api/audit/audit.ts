import { csvLine, csvResponse, csvTime } from '../../../lib/csv.ts'
import { defined } from '../../../lib/optional.ts'
import { AUDIT_CONTRACT, type AuditView } from '../../../shared/contract/audit.ts'
import type { AuditEntry, AuditFilter } from '../../../store/contracts/audit.ts'
import type { DashboardContext } from '../context.ts'
import { implement } from '../route.ts'

/** The newest entries that one export contains at most. */
const EXPORT_ROWS_MAX = 100_000

/** Many short reads, so that no other query waits for a long one. */
const ROWS_PER_READ = 1000

export const auditRoutes = implement(AUDIT_CONTRACT, {
  'GET /api/organizations/:org/audit': ({ context, organization, query }) => listPage(context, organization.id, query),

  'GET /api/organizations/:org/audit.csv': ({ context, organization, query }) =>
    exportCsv(context, organization.id, query),

  'GET /api/operator/audit': ({ context, query }) => listPage(context, null, query),

  'GET /api/operator/audit.csv': ({ context, query }) => exportCsv(context, null, query),
})

async function listPage(
  { store }: DashboardContext,
  log: AuditFilter['organizationId'],
  query: { limit?: number | undefined },
) {
  const { limit = 50, ...filter } = query
  const entries = await store.audit.list(auditFilter(log, limit, filter))
  return { entries: entries.map(viewEntry) }
}

async function exportCsv({ store }: DashboardContext, log: AuditFilter['organizationId'], query: object) {
  const filter = auditFilter(log, ROWS_PER_READ, query)
  const lines = [csvLine(['id', 'time', 'kind', 'actor', 'address', 'subject', 'detail', 'request'])]
  let beforeId: number | undefined
  for (let rows = 0; rows < EXPORT_ROWS_MAX; rows += ROWS_PER_READ) {
    const page = await store.audit.list({ ...filter, ...(beforeId !== undefined && { beforeId }) })
    lines.push(...page.map(lineOf))
    beforeId = page.at(-1)?.id
    if (page.length < ROWS_PER_READ) break
  }
  return csvResponse('audit.csv', lines.join(''))
}

/** Leaves out empty values: the form sends them for unused fields. */
function auditFilter(organizationId: AuditFilter['organizationId'], limit: number, filter: object): AuditFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')
  return { organizationId, limit, ...Object.fromEntries(given) }
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

function lineOf({ id, atMs, kind, actor, subject, detail }: AuditEntry): string {
  return csvLine([id, csvTime(atMs), kind, actor.name, actor.address, subject, JSON.stringify(detail), actor.requestId])
}
