import { type Kysely, sql } from 'kysely'
import type { MemberId } from '../contracts/organizations.ts'
import { LIST_RANKS } from '../migrations/baseline-tables.ts'
import { type AuditDraft, writeAudit } from './audit.ts'
import type { InvitationRow, Schema } from './schema.ts'

/** When an invitation ends: the earliest of its expiry, acceptance and revocation. */
export const INVITATION_END = sql<number>`${sql.raw(LIST_RANKS.invitations)}`

/** Those that are neither accepted nor revoked nor expired. */
export function openInvitations(queries: Kysely<Schema>, organizationId: string, nowMs: number) {
  return queries
    .selectFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('accepted_at_ms', 'is', null)
    .where('revoked_at_ms', 'is', null)
    .where(INVITATION_END, '>', nowMs)
}

/**
 * Revokes the open invitations that a person created, in the transaction that takes away the right to invite: each would be a way
 * back in. The audit log knows the creators of those that an earlier version created.
 */
export async function revokeInvitationsBy(
  queries: Kysely<Schema>,
  { organizationId, userId }: MemberId,
  revoked: Pick<AuditDraft, 'by' | 'atMs'>,
): Promise<void> {
  const created = queries
    .selectFrom('audit')
    .select(sql<string>`subject`.as('subject'))
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'invitation.created')
    .where('actor_user_id', '=', userId)
  const rows = await queries
    .updateTable('invitations')
    .set({ revoked_at_ms: revoked.atMs })
    .where('id', 'in', openInvitations(queries, organizationId, revoked.atMs).select('id'))
    .where((row) => row.or([row('created_by_id', '=', userId), row('id', 'in', created)]))
    .returningAll()
    .execute()
  for (const row of rows) await noteInvitation(queries, row, { ...revoked, kind: 'invitation.revoked' })
}

/** Writes an entry about an invitation to the audit log of its organization. */
export function noteInvitation(
  queries: Kysely<Schema>,
  { id, organization_id, email, role }: InvitationRow,
  what: Pick<AuditDraft, 'kind' | 'by' | 'atMs'>,
): Promise<void> {
  return writeAudit(queries, { ...what, organizationId: organization_id, subject: id, detail: { email, role } })
}
