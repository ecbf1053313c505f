import { z } from 'zod'
import { AUDIT_KINDS } from '../shared/audit-kinds.ts'
import type { AuditEntry } from '../store/contracts/audit.ts'
import { defineCommand, option } from './command.ts'
import { getOrganization, withStore } from './store-access.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'
import { countValue, instantValue, wordValue } from './values.ts'

const LISTED_MAX = 1000

/** `audit list`. Throws `CommandError` for an unknown organization. */
export const auditList = defineCommand({
  description: `Lists the log of the service, or with --org that of an organization: newest first, at most ${LISTED_MAX} entries. For older ones,
give --before.`,
  examples: ['audit list', 'audit list --kind operator.granted --json', 'audit list --org "Good Health" --actor ada@'],
  input: {
    org: option(z.string().optional(), '<name or id>', 'the log of this organization'),
    kind: option(wordValue(AUDIT_KINDS).optional(), '<kind>', 'only entries of this kind'),
    actor: option(z.string().optional(), '<text>', 'only entries with this text in the name of the actor'),
    from: option(instantValue.optional(), '<time>', 'only entries at or after this instant'),
    to: option(instantValue.optional(), '<time>', 'only entries before this instant'),
    before: option(countValue(Number.MAX_SAFE_INTEGER).optional(), '<id>', 'only entries before the one with this ID'),
  },
  async run(call, { org, before, from, to, ...filter }) {
    const entries = await withStore(call, async (store) => {
      const organizationId = org === undefined ? null : (await getOrganization(store, org)).id
      const page = { fromMs: from, toMs: to, beforeId: before, limit: LISTED_MAX }
      return store.audit.list({ organizationId, ...filter, ...page })
    })
    call.print(entries.map(viewEntry), formatEntries(entries))
  },
})

function viewEntry({ id, atMs, kind, actor, subject, detail }: AuditEntry) {
  const { name, userId, address, requestId } = actor
  return { id, at: formatInstant(atMs), kind, actor: name, userId, address, requestId, subject, detail }
}

function formatEntries(entries: readonly AuditEntry[]): string {
  return formatTable(
    entries,
    {
      ID: ({ id }) => id,
      TIME: ({ atMs }) => formatSeconds(atMs),
      KIND: ({ kind }) => kind,
      BY: ({ actor }) => actor.name,
      ADDRESS: ({ actor }) => actor.address,
      SUBJECT: ({ subject }) => subject,
      DETAILS: ({ detail }) => JSON.stringify(detail),
    },
    'No entries.',
  )
}
