import { type Kysely, sql } from 'kysely'
import type { Suspension } from '../../shared/contract/suspension.ts'
import {
  type AccountDetails,
  type AccountSession,
  type AccountStanding,
  type AccountStore,
  SESSIONS_MAX,
  type SignInMethods,
  type SuspendOutcome,
} from '../contracts/accounts.ts'
import type { AuditActor, ServiceEvent } from '../contracts/audit.ts'
import { accountOf, selectAccounts, selectStanding } from './accounts.ts'
import { writeServiceAudit } from './audit.ts'
import { countRows } from './count-rows.ts'
import { selectMemberships } from './memberships.ts'
import { revokeInvitationsBy } from './open-invitations.ts'
import { organizationOf, suspensionColumns, suspensionOf } from './organization-row.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** `AccountStore` over any database. */
export class SqlAccountStore extends SqlStore implements AccountStore {
  async find(userId: string): Promise<AccountDetails | undefined> {
    const { queries } = this
    const row = await selectAccounts(queries).where('users.id', '=', userId).executeTakeFirst()
    if (row === undefined) return undefined
    const [memberships, signIn, sessions] = await Promise.all([
      selectMemberships(queries, userId).execute(),
      readMethods(queries, userId),
      readSessions(queries, userId, this.now()),
    ])
    const inOrganizations = memberships.map((each) => ({ organization: organizationOf(each), role: each.role }))
    return { account: accountOf(row), memberships: inOrganizations, signIn, sessions }
  }

  async standing(userId: string): Promise<AccountStanding> {
    const row = await selectStanding(this.queries, userId).executeTakeFirst()
    if (row === undefined) return {}
    return { ...(row.role !== null && { operatorRole: row.role }), ...suspensionOf(row) }
  }

  async listSuspended(): Promise<{ id: string; suspension: Suspension }[]> {
    const rows = await this.queries
      .selectFrom('users')
      .select(['id', 'suspended_at_ms', 'suspended_by', 'suspended_reason'])
      .where('suspended_at_ms', 'is not', null)
      .execute()
    return rows.flatMap((row) => {
      const { suspension } = suspensionOf(row)
      return suspension === undefined ? [] : [{ id: row.id, suspension }]
    })
  }

  suspend(userId: string, reason: string, by: AuditActor): Promise<SuspendOutcome> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const before = await selectStanding(queries, userId).executeTakeFirst()
      if (before === undefined) return 'not-found'
      if (before.suspended_at_ms !== null) return 'already'
      if (before.role !== null) return 'operator'
      const columns = suspensionColumns({ atMs: this.now(), by: by.name, reason })
      await queries.updateTable('users').set(columns).where('id', '=', userId).execute()
      await queries.deleteFrom('sessions').where('userId', '=', userId).execute()
      await forgetDevices(queries, userId)
      const organizations = await selectMemberships(queries, userId).execute()
      const revoked = { by, atMs: this.now() }
      for (const { id } of organizations) await revokeInvitationsBy(queries, { organizationId: id, userId }, revoked)
      await this.#note(queries, { kind: 'account.suspended', userId, by, detail: { reason } })
      return 'done'
    })
  }

  resume(userId: string, by: AuditActor): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const before = await selectStanding(queries, userId).executeTakeFirst()
      if (before === undefined || before.suspended_at_ms === null) return false
      await queries.updateTable('users').set(suspensionColumns()).where('id', '=', userId).execute()
      await this.#note(queries, { kind: 'account.resumed', userId, by })
      return true
    })
  }

  verifyEmail(userId: string, email: string, by: AuditActor): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const user = await queries
        .selectFrom('users')
        .select('emailVerified')
        .where('id', '=', userId)
        .where('email', '=', email)
        .executeTakeFirst()
      if (user === undefined || user.emailVerified) return false
      const verified = { emailVerified: sql<boolean>`true` }
      await queries.updateTable('users').set(verified).where('id', '=', userId).execute()
      await this.#note(queries, { kind: 'account.email-verified', userId, by })
      return true
    })
  }

  resetSecondFactor(userId: string, by: AuditActor): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const user = await queries
        .selectFrom('users')
        .select('twoFactorEnabled')
        .where('id', '=', userId)
        .executeTakeFirst()
      if (!user?.twoFactorEnabled) return false
      await queries.deleteFrom('two_factors').where('userId', '=', userId).execute()
      const off = { twoFactorEnabled: sql<boolean>`false` }
      await queries.updateTable('users').set(off).where('id', '=', userId).execute()
      await forgetDevices(queries, userId)
      await this.#note(queries, { kind: 'account.second-factor-removed', userId, by })
      return true
    })
  }

  #note(queries: Kysely<Schema>, event: ServiceEvent): Promise<void> {
    return writeServiceAudit(queries, { ...event, atMs: this.now() })
  }
}

/** As `SessionReader.forgetDevices()`. */
async function forgetDevices(queries: Kysely<Schema>, userId: string): Promise<void> {
  await queries.deleteFrom('verifications').where('value', '=', userId).execute()
}

async function readMethods(queries: Kysely<Schema>, userId: string): Promise<SignInMethods> {
  const user = await queries.selectFrom('users').select('twoFactorEnabled').where('id', '=', userId).executeTakeFirst()
  const credentials = await queries
    .selectFrom('credentials')
    .select(['providerId', sql<number>`case when password is null then 0 else 1 end`.as('hasPassword')])
    .where('userId', '=', userId)
    .execute()
  return {
    password: credentials.some(({ hasPassword }) => Number(hasPassword) === 1),
    singleSignOn: credentials.some(({ providerId }) => providerId !== 'credential'),
    passkeys: await countRows(queries.selectFrom('passkeys').where('userId', '=', userId)),
    twoFactor: Boolean(user?.twoFactorEnabled),
  }
}

async function readSessions(queries: Kysely<Schema>, userId: string, nowMs: number): Promise<AccountSession[]> {
  const rows = await queries
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'expiresAt', 'ipAddress', 'userAgent'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', new Date(nowMs).toISOString())
    .orderBy('createdAt', 'desc')
    .limit(SESSIONS_MAX)
    .execute()
  return rows.map(({ id, createdAt, expiresAt, ipAddress, userAgent }) => ({
    id,
    createdAtMs: new Date(createdAt).getTime(),
    expiresAtMs: new Date(expiresAt).getTime(),
    ...(ipAddress && { address: ipAddress }),
    ...(userAgent && { userAgent }),
  }))
}
