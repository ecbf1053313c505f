import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AuditActor } from '../contracts/audit.ts'
import {
  type AcceptOutcome,
  type Invitation,
  type InvitationStore,
  MEMBERSHIPS_MAX,
  type Organization,
} from '../contracts/organizations.ts'
import type { PageRequest } from '../contracts/page.ts'
import { AlreadyMember } from '../contracts/store.ts'
import { LIST_RANKS } from '../migrations/baseline-tables.ts'
import { writeAudit } from './audit.ts'
import { deleteInBatches } from './batches.ts'
import { findRole, requirePermission } from './memberships.ts'
import { INVITATION_END, noteInvitation, openInvitations } from './open-invitations.ts'
import { findOrganization, requireBelow, requireOrganization } from './organization-row.ts'
import { inPages } from './page.ts'
import { fromRow } from './row-mapping.ts'
import type { InvitationRow, Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** `InvitationStore` over any database. */
export class SqlInvitationStore extends SqlStore implements InvitationStore {
  create(draft: Parameters<InvitationStore['create']>[0], by: AuditActor): Promise<Invitation> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      await requireOrganization(queries, draft.organizationId)
      await requirePermission(queries, draft.organizationId, by, 'invitations.create')
      if (draft.email !== undefined && (await isMember(queries, draft.organizationId, draft.email)))
        throw new AlreadyMember(`Cannot invite: the person must not be a member yet: got "${draft.email}"`)
      if (draft.openMax !== undefined) {
        const open = openInvitations(queries, draft.organizationId, nowMs)
        await requireBelow(draft.openMax, open, 'open invitation')
      }
      const row = await queries
        .insertInto('invitations')
        .values({
          id: `inv_${randomBytes(10).toString('hex')}`,
          organization_id: draft.organizationId,
          token_hash: draft.tokenHash,
          email: draft.email ?? null,
          role: draft.role,
          created_by: by.name,
          created_by_id: by.userId ?? null,
          created_at_ms: nowMs,
          expires_at_ms: draft.expiresAtMs,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await noteInvitation(queries, row, { kind: 'invitation.created', by, atMs: nowMs })
      return invitationOf(row)
    })
  }

  async list(organizationId: string, page?: PageRequest): Promise<Invitation[]> {
    const query = this.queries.selectFrom('invitations').selectAll().where('organization_id', '=', organizationId)
    const rows = await inPages(query, INVITATION_ORDER, page).execute()
    return rows.map(invitationOf)
  }

  async find(tokenHash: string): Promise<{ invitation: Invitation; organization: Organization } | undefined> {
    const found = await findByToken(this.queries, tokenHash)
    return found && { invitation: invitationOf(found.row), organization: found.organization }
  }

  revoke({ organizationId, id }: { organizationId: string; id: string }, by: AuditActor): Promise<boolean> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      await requirePermission(queries, organizationId, by, 'invitations.revoke')
      const row = await queries
        .updateTable('invitations')
        .set({ revoked_at_ms: nowMs })
        .where('id', '=', id)
        .where('id', 'in', openInvitations(queries, organizationId, nowMs).select('id'))
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return false
      await noteInvitation(queries, row, { kind: 'invitation.revoked', by, atMs: nowMs })
      return true
    })
  }

  accept(tokenHash: string, user: { id: string; email: string }, by: AuditActor): Promise<AcceptOutcome> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const found = await findByToken(queries, tokenHash)
      if (found === undefined) return { outcome: 'unknown' }
      const { row, organization } = found
      const role = await findRole(queries, { organizationId: organization.id, userId: user.id })
      if (role !== undefined) return { outcome: 'already-member', organization }
      const refusal = refusalOf(row, user.email, this.now())
      if (refusal !== undefined) return { outcome: refusal }
      if (organization.suspension !== undefined) return { outcome: 'suspended' }
      const others = queries.selectFrom('memberships').where('user_id', '=', user.id)
      await requireBelow(MEMBERSHIPS_MAX, others, 'membership')
      await this.#join(queries, row, user)
      await writeAudit(queries, {
        atMs: this.now(),
        organizationId: organization.id,
        kind: 'member.joined',
        by,
        subject: user.id,
        detail: { email: user.email, role: row.role, invitation: row.id, invitedBy: row.created_by },
      })
      return { outcome: 'joined', organization, role: row.role }
    })
  }

  deleteEnded(beforeMs: number): Promise<number> {
    return deleteInBatches(this.database, 'invitations', ['id'], (row) => row(INVITATION_END, '<', beforeMs))
  }

  async #join(
    queries: Kysely<Schema>,
    { id, organization_id, role }: InvitationRow,
    user: { id: string; email: string },
  ): Promise<void> {
    const nowMs = this.now()
    await queries
      .updateTable('invitations')
      .set({ accepted_at_ms: nowMs, accepted_by: user.email })
      .where('id', '=', id)
      .execute()
    await queries
      .insertInto('memberships')
      .values({ organization_id, user_id: user.id, role, joined_at_ms: nowMs })
      .execute()
  }
}

const INVITATION_ORDER = {
  rank: LIST_RANKS.invitations,
  time: 'created_at_ms',
  id: 'id',
  direction: 'desc',
} as const

async function isMember(queries: Kysely<Schema>, organizationId: string, email: string): Promise<boolean> {
  const member = await queries
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .select('users.id')
    .where('users.email', '=', email.toLowerCase())
    .where('memberships.organization_id', '=', organizationId)
    .executeTakeFirst()
  return member !== undefined
}

async function findByToken(
  queries: Kysely<Schema>,
  tokenHash: string,
): Promise<{ row: InvitationRow; organization: Organization } | undefined> {
  const row = await queries.selectFrom('invitations').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
  const organization = row && (await findOrganization(queries, row.organization_id))
  return row && organization && { row, organization }
}

function refusalOf(
  row: InvitationRow,
  email: string,
  nowMs: number,
): 'revoked' | 'used' | 'expired' | 'for-another-address' | undefined {
  if (row.revoked_at_ms !== null) return 'revoked'
  if (row.accepted_at_ms !== null) return 'used'
  if (row.expires_at_ms <= nowMs) return 'expired'
  if (row.email !== null && row.email.toLowerCase() !== email.toLowerCase()) return 'for-another-address'
  return undefined
}

function invitationOf({ token_hash: _, created_by_id: __, ...row }: InvitationRow): Invitation {
  return fromRow(row)
}
