import { z } from 'zod'
import { csvLine, csvResponse, csvTime } from '../../../lib/csv.ts'
import type { AuditView } from '../../../shared/shapes.ts'
import { AUDIT_KINDS, type AuditEntry, type AuditFilter } from '../../../store/contracts/audit.ts'
import { instantMs, readQuery, wholeNumber } from '../read-form.ts'
import type { OrganizationVisit } from '../visit.ts'

/** How many entries one export has at most: the newest. */
export const EXPORT_ROWS_MAX = 100_000

export async function listAudit({
  account,
  organization,
  request,
}: OrganizationVisit): Promise<{ entries: AuditView[] }> {
  const { limit = 50, ...filter } = readQuery(request, PAGE)
  const entries = await account.store.audit.list(filterOf(organization.id, { ...filter, limit }))
  return { entries: entries.map(viewEntry) }
}

/** Takes the same filters as the list, and all pages at once. */
export async function exportAudit({ account, organization, request }: OrganizationVisit): Promise<Response> {
  const filter = filterOf(organization.id, { ...readQuery(request, FILTER), limit: ROWS_PER_READ })
  const lines = [csvLine(['id', 'time', 'kind', 'actor', 'address', 'subject', 'detail'])]
  let beforeId: number | undefined
  for (let rows = 0; rows < EXPORT_ROWS_MAX; rows += ROWS_PER_READ) {
    const page = await account.store.audit.list({ ...filter, ...(beforeId !== undefined && { beforeId }) })
    lines.push(...page.map(lineOf))
    beforeId = page.at(-1)?.id
    if (page.length < ROWS_PER_READ) break
  }
  return csvResponse('audit.csv', lines.join(''))
}

/** One short read after another, so that nobody waits for a long one. */
const ROWS_PER_READ = 1000

const FILTER = z.strictObject({
  kind: z.enum(AUDIT_KINDS, { error: 'The kind must be one that the log knows.' }).optional(),
  actor: z.string().max(320, 'The actor must have at most 320 characters.').optional(),
  subject: z.string().max(100, 'The subject must have at most 100 characters.').optional(),
  fromMs: instantMs('The beginning').optional(),
  toMs: instantMs('The end').optional(),
})

const PAGE = FILTER.extend({
  beforeId: wholeNumber('The last id', 0, Number.MAX_SAFE_INTEGER).optional(),
  limit: wholeNumber('The limit', 1, 200).optional(),
})

/** Leaves out what was not given; an empty field of a form counts as not given. */
function filterOf(
  organizationId: string,
  { limit, ...filter }: z.output<typeof PAGE> & { limit: number },
): AuditFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')
  return { organizationId, limit, ...Object.fromEntries(given) }
}

function viewEntry({ id, atMs, kind, actor, subject, detail }: AuditEntry): AuditView {
  const { name, address } = actor
  const told = { ...(address !== undefined && { address }), ...(subject !== undefined && { subject }) }
  return { id, atMs, kind, actor: name, ...told, detail }
}

function lineOf({ id, atMs, kind, actor, subject, detail }: AuditEntry): string {
  return csvLine([id, csvTime(atMs), kind, actor.name, actor.address, subject, JSON.stringify(detail)])
}
