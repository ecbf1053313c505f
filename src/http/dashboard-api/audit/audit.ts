import { csvLine, csvResponse, csvTime } from '../../../lib/csv.ts'
import { defined } from '../../../lib/optional.ts'
import { AUDIT_CONTRACT, type AuditView } from '../../../shared/contract/audit.ts'
import type { AuditEntry, AuditFilter } from '../../../store/contracts/audit.ts'
import { implement } from '../route.ts'

/** The newest entries that one export contains at most. */
export const EXPORT_ROWS_MAX = 100_000

/** Many short reads, so that no other query waits for a long one. */
const ROWS_PER_READ = 1000

export const auditRoutes = implement(AUDIT_CONTRACT, {
  'GET /api/organizations/:org/audit': async ({ context, organization, query }) => {
    const { limit = 50, ...filter } = query
    const entries = await context.store.audit.list(auditFilter(organization.id, limit, filter))
    return { entries: entries.map(viewEntry) }
  },

  'GET /api/organizations/:org/audit.csv': async ({ context, organization, query }) => {
    const filter = auditFilter(organization.id, ROWS_PER_READ, query)
    const lines = [csvLine(['id', 'time', 'kind', 'actor', 'address', 'subject', 'detail'])]
    let beforeId: number | undefined
    for (let rows = 0; rows < EXPORT_ROWS_MAX; rows += ROWS_PER_READ) {
      const page = await context.store.audit.list({ ...filter, ...(beforeId !== undefined && { beforeId }) })
      lines.push(...page.map(lineOf))
      beforeId = page.at(-1)?.id
      if (page.length < ROWS_PER_READ) break
    }
    return csvResponse('audit.csv', lines.join(''))
  },
})

/** Leaves out empty values: the form sends them for unused fields. */
function auditFilter(organizationId: string, limit: number, filter: object): AuditFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')
  return { organizationId, limit, ...Object.fromEntries(given) }
}

function viewEntry({ id, atMs, kind, actor, subject, detail }: AuditEntry): AuditView {
  return { id, atMs, kind, actor: actor.name, ...defined({ address: actor.address, subject }), detail }
}

function lineOf({ id, atMs, kind, actor, subject, detail }: AuditEntry): string {
  return csvLine([id, csvTime(atMs), kind, actor.name, actor.address, subject, JSON.stringify(detail)])
}
