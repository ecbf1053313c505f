import { type Kysely, type SqlBool, sql } from 'kysely'
import { isAllowedSuspended, type MemberRole, mayDo, type Permission } from '../../shared/permissions.ts'
import type { AuditActor } from '../contracts/audit.ts'
import type { OperatorChange } from '../contracts/operators.ts'
import type { AccountRemoval, Member, MemberId, MembershipStore, Organization } from '../contracts/organizations.ts'
import type { PageRequest } from '../contracts/page.ts'
import { RoleRequired, Suspended } from '../contracts/store.ts'
import { LIST_RANKS } from '../migrations/baseline-tables.ts'
import { selectPassword } from './account-activity.ts'
import { type AuditDraft, writeAudit, writeServiceAudit } from './audit.ts'
import { countRows } from './count-rows.ts'
import { revokeInvitationsBy } from './open-invitations.ts'
import { isLastOperator } from './operators.ts'
import { findOrganization, organizationOf, requireOwnedBelow } from './organization-row.ts'
import { inPages } from './page.ts'
import { fromRow } from './row-mapping.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** `MembershipStore` over any database. */
export class SqlMembershipStore extends SqlStore implements MembershipStore {
  async list(organizationId: string, page?: PageRequest): Promise<Member[]> {
    const rows = await inPages(selectMembers(this.queries, organizationId), MEMBER_ORDER, page).execute()
    return rows.map(fromRow)
  }

  async withoutSecondFactor(organizationId: string, limit: number): Promise<{ members: Member[]; total: number }> {
    const lacking = selectMembers(this.queries, organizationId)
      .where(sql<SqlBool>`not coalesce(${sql.ref('users.twoFactorEnabled')}, false)`)
      .where((user) => user.exists(selectPassword(user)))
    const rows = await inPages(lacking, MEMBER_ORDER, { limit }).execute()
    return { members: rows.map(fromRow), total: await countRows(lacking) }
  }

  async listOfUser(userId: string): Promise<{ organization: Organization; role: MemberRole }[]> {
    const rows = await selectMemberships(this.queries, userId).execute()
    return rows.map((row) => ({ organization: organizationOf(row), role: row.role }))
  }

  find(organizationId: string, userId: string): Promise<MemberRole | undefined> {
    return findRole(this.queries, { organizationId, userId })
  }

  setRole(of: MemberId, role: Exclude<MemberRole, 'owner'>, by: AuditActor): Promise<boolean> {
    return this.#change(of, async (queries, member) => {
      await requirePermission(queries, of.organizationId, by, 'members.change-role')
      if (member.role === role) return
      await putRole(queries, of, role)
      if (role === 'member') await revokeInvitationsBy(queries, of, { by, atMs: this.now() })
      await this.#note(
        queries,
        of,
        { kind: 'member.role-changed', by },
        { ...named(member), from: member.role, to: role },
      )
    })
  }

  remove(of: MemberId, by: AuditActor): Promise<boolean> {
    const kind = by.userId === of.userId ? 'member.left' : 'member.removed'
    return this.#change(of, async (queries, member) => {
      if (kind === 'member.removed') await requirePermission(queries, of.organizationId, by, 'members.remove')
      await queries
        .deleteFrom('memberships')
        .where('organization_id', '=', of.organizationId)
        .where('user_id', '=', of.userId)
        .execute()
      await revokeInvitationsBy(queries, of, { by, atMs: this.now() })
      await this.#note(queries, of, { kind, by }, { ...named(member), role: member.role })
    })
  }

  /** Demotes the old owner first: a unique index rejects two owners. */
  transfer(of: MemberId, by: AuditActor, ownedMax: number | 'as operator'): Promise<boolean> {
    const { organizationId } = of
    const asOperator = ownedMax === 'as operator'
    return this.#change(of, async (queries, member) => {
      if (!asOperator) {
        await requirePermission(queries, organizationId, by, 'organization.transfer')
        await requireOwnedBelow(queries, of.userId, ownedMax)
      }
      const owner = await selectMembers(queries, organizationId)
        .where('memberships.role', '=', 'owner')
        .executeTakeFirst()
      if (owner !== undefined) {
        await putRole(queries, { organizationId, userId: owner.user_id }, 'admin')
      }
      await putRole(queries, of, 'owner')
      const from = owner === undefined ? {} : { from: owner.email }
      const change = { ...from, to: member.email }
      const what = { kind: 'organization.transferred', by } as const
      if (!asOperator) return this.#note(queries, of, what, change)
      const organization = (await findOrganization(queries, organizationId))?.name ?? ''
      const detail = { ...change, organization }
      await writeAudit(queries, { ...what, atMs: this.now(), organizationId: null, subject: organizationId, detail })
      await this.#note(queries, of, what, detail)
    })
  }

  removeAccount(userId: string, { by, allowNone }: OperatorChange): Promise<AccountRemoval> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const all = await selectMemberships(queries, userId).execute()
      const owned = all.filter(({ role }) => role === 'owner').map(({ name }) => name)
      if (owned.length > 0) return { outcome: 'owner', organizations: owned }
      if (!allowNone && (await isLastOperator(queries, userId))) return { outcome: 'last-operator' }
      await writeServiceAudit(queries, { atMs: this.now(), kind: 'account.deleted', userId, by })
      const kind = by.userId === userId ? 'member.left' : 'member.removed'
      for (const { id: organizationId } of all) {
        const of = { organizationId, userId }
        const row = await selectMembers(queries, organizationId)
          .where('memberships.user_id', '=', userId)
          .executeTakeFirstOrThrow()
        const member = fromRow(row)
        await revokeInvitationsBy(queries, of, { by, atMs: this.now() })
        await this.#note(queries, of, { kind, by }, { ...named(member), role: member.role })
      }
      // Deletes memberships, sessions, passwords and passkeys by cascade.
      await queries.deleteFrom('users').where('id', '=', userId).execute()
      return { outcome: 'deleted' }
    })
  }

  /** False, and nothing done, if there is no such member or the member is the owner. */
  #change(of: MemberId, change: (queries: Kysely<Schema>, member: Member) => Promise<void>): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const row = await selectMembers(queries, of.organizationId)
        .where('memberships.user_id', '=', of.userId)
        .where('memberships.role', '<>', 'owner')
        .executeTakeFirst()
      if (row === undefined) return false
      await change(queries, fromRow(row))
      return true
    })
  }

  #note(
    queries: Kysely<Schema>,
    of: MemberId,
    what: Pick<AuditDraft, 'kind' | 'by'>,
    detail: Record<string, string>,
  ): Promise<void> {
    return writeAudit(queries, {
      ...what,
      atMs: this.now(),
      organizationId: of.organizationId,
      subject: of.userId,
      detail,
    })
  }
}

/**
 * Throws `RoleRequired` unless the actor's role has the permission, and `Suspended` if the organization is suspended. Call it in
 * the transaction of the change: both may have changed since the request was authorized. The command line, which has no user, may
 * do everything.
 */
export async function requirePermission(
  queries: Kysely<Schema>,
  organizationId: string,
  by: AuditActor | undefined,
  permission: Permission,
): Promise<void> {
  if (by?.userId === undefined) return
  const role = await findRole(queries, { organizationId, userId: by.userId })
  if (role === undefined || !mayDo(role, permission)) {
    throw new RoleRequired(
      `Cannot change the organization: the role ${role ?? 'none'} lacks the permission ${permission}`,
    )
  }
  if (isAllowedSuspended(permission) || (await findOrganization(queries, organizationId))?.suspension === undefined)
    return
  throw new Suspended('Cannot change the organization: it is suspended')
}

/** The role of a member; undefined for a person who is no member. */
export async function findRole(
  queries: Kysely<Schema>,
  { organizationId, userId }: MemberId,
): Promise<MemberRole | undefined> {
  const row = await queries
    .selectFrom('memberships')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/** A person's name and address in the log. */
function named({ name, email }: Member): { name: string; email: string } {
  return { name, email }
}

/** The memberships of a person in organizations that are not deleted, by name. */
export function selectMemberships(queries: Kysely<Schema>, userId: string) {
  return queries
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .selectAll('organizations')
    .select('memberships.role')
    .where('memberships.user_id', '=', userId)
    .where('organizations.deleted_at_ms', 'is', null)
    .orderBy('organizations.name_folded')
}

function selectMembers(queries: Kysely<Schema>, organizationId: string) {
  return queries
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.user_id', 'users.name', 'users.email', 'memberships.role', 'memberships.joined_at_ms'])
    .where('memberships.organization_id', '=', organizationId)
}

const MEMBER_ORDER = {
  rank: LIST_RANKS.memberships,
  time: 'joined_at_ms',
  id: 'user_id',
  direction: 'asc',
} as const

async function putRole(queries: Kysely<Schema>, of: MemberId, role: MemberRole): Promise<void> {
  await queries
    .updateTable('memberships')
    .set({ role })
    .where('organization_id', '=', of.organizationId)
    .where('user_id', '=', of.userId)
    .execute()
}
