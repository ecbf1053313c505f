import type { Kysely } from 'kysely'
import type { OperatorRole } from '../../shared/permissions.ts'
import { type AuditActor, type AuditOrigin, COMMAND_LINE, type ServiceEvent } from '../contracts/audit.ts'
import type {
  Account,
  OperatedFilter,
  Operator,
  OperatorChange,
  OperatorOutcome,
  OperatorStore,
} from '../contracts/operators.ts'
import { accountOf, matchingUsers, selectAccounts, selectStanding } from './accounts.ts'
import { writeServiceAudit } from './audit.ts'
import { countRows } from './count-rows.ts'
import { findOperated, listOperated } from './operated-organizations.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** Not a name that callers of `secret()` use. */
const SETUP_TOKEN = 'setup-token-hash'

/** `OperatorStore` over any database. */
export class SqlOperatorStore extends SqlStore implements OperatorStore {
  roleOf(userId: string): Promise<OperatorRole | undefined> {
    return findRole(this.queries, userId)
  }

  async any(): Promise<boolean> {
    const row = await this.queries
      .selectFrom('operators')
      .select('user_id')
      .where('role', '=', 'operator')
      .executeTakeFirst()
    return row !== undefined
  }

  add(
    userId: string,
    { role = 'operator', by = COMMAND_LINE }: { role?: OperatorRole; by?: AuditActor } = {},
  ): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const { role: before, suspended_at_ms } = (await selectStanding(queries, userId).executeTakeFirst()) ?? {}
      if (before != null || suspended_at_ms != null) return false
      await grant(queries, { userId, role, by, atMs: this.now() })
      return true
    })
  }

  async list(): Promise<Operator[]> {
    const rows = await this.queries
      .selectFrom('operators')
      .innerJoin('users', 'users.id', 'operators.user_id')
      .select(['users.id', 'users.email', 'users.name', 'operators.role', 'operators.added_at_ms'])
      .orderBy('users.email')
      .execute()
    return rows.map(({ id, email, name, role, added_at_ms }) => ({
      userId: id,
      email,
      name,
      role,
      addedAtMs: added_at_ms,
    }))
  }

  setRole(userId: string, role: OperatorRole, { allowNone, by }: OperatorChange): Promise<OperatorOutcome> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const from = await findRole(queries, userId)
      if (from === undefined) return 'not-operator'
      if (from === role) return 'done'
      if (!allowNone && (await isLastOperator(queries, userId))) return 'last'
      await queries.updateTable('operators').set({ role }).where('user_id', '=', userId).execute()
      const detail = { from, to: role }
      await writeServiceAudit(queries, { atMs: this.now(), kind: 'operator.role-changed', userId, by, detail })
      return 'done'
    })
  }

  remove(userId: string, { allowNone, by }: OperatorChange): Promise<OperatorOutcome> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const role = await findRole(queries, userId)
      if (role === undefined) return 'not-operator'
      if (!allowNone && (await isLastOperator(queries, userId))) return 'last'
      await queries.deleteFrom('operators').where('user_id', '=', userId).execute()
      await writeServiceAudit(queries, { atMs: this.now(), kind: 'operator.removed', userId, by, detail: { role } })
      return 'done'
    })
  }

  async putSetupToken(tokenHash: string, expiresAtMs: number, by: AuditActor = COMMAND_LINE): Promise<void> {
    const row = { value: tokenHash, expires_at_ms: expiresAtMs }
    await this.database.transaction('power-cut', async ({ queries }) => {
      await queries
        .insertInto('secrets')
        .values({ name: SETUP_TOKEN, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute()
      await writeServiceAudit(queries, {
        atMs: this.now(),
        kind: 'setup-link.created',
        by,
        detail: { untilMs: expiresAtMs },
      })
    })
  }

  async isSetupToken(tokenHash: string): Promise<boolean> {
    const row = await this.queries
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', SETUP_TOKEN)
      .where('value', '=', tokenHash)
      .where('expires_at_ms', '>', this.now())
      .executeTakeFirst()
    return row !== undefined
  }

  claim(tokenHash: string, userId: string, origin: AuditOrigin = {}): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const spent = await queries
        .deleteFrom('secrets')
        .where('name', '=', SETUP_TOKEN)
        .where('value', '=', tokenHash)
        .where('expires_at_ms', '>', this.now())
        .returning('name')
        .executeTakeFirst()
      if (spent === undefined) return false
      const user = await queries.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
      const by = { userId, name: user?.email ?? userId, ...origin }
      await grant(queries, { userId, role: 'operator', by, atMs: this.now(), detail: { by: 'setup link' } })
      return true
    })
  }

  async secret(name: string, make: () => string, expiresAtMs?: number): Promise<string> {
    const known = await findSecret(this.queries, name)
    if (known !== undefined) return known
    return this.database.transaction('power-cut', async ({ queries }) => {
      const first = await findSecret(queries, name)
      if (first !== undefined) return first
      const value = make()
      const row = { name, value, expires_at_ms: expiresAtMs ?? null }
      await queries.insertInto('secrets').values(row).execute()
      return value
    })
  }

  findSecret(name: string): Promise<string | undefined> {
    return findSecret(this.queries, name)
  }

  async deleteSecret(name: string): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const row = await queries.deleteFrom('secrets').where('name', '=', name).returning('name').executeTakeFirst()
      return row !== undefined
    })
  }

  async deleteExpiredSecrets(): Promise<void> {
    await this.database.transaction('kill', ({ queries }) =>
      queries.deleteFrom('secrets').where('expires_at_ms', '<=', this.now()).execute(),
    )
  }

  organizations(filter: OperatedFilter): ReturnType<OperatorStore['organizations']> {
    return listOperated(this.queries, filter, this.now())
  }

  organization(id: string): ReturnType<OperatorStore['organization']> {
    return findOperated(this.queries, id, this.now())
  }

  async accountsByEmail(emails: readonly string[]): Promise<Account[]> {
    if (emails.length === 0) return []
    const rows = await selectAccounts(this.queries).where('users.email', 'in', emails).orderBy('users.email').execute()
    return rows.map(accountOf)
  }

  async accounts(filter: Parameters<OperatorStore['accounts']>[0]): ReturnType<OperatorStore['accounts']> {
    const { queries } = this
    const rows = await selectAccounts(queries, filter.search)
      .orderBy('users.email')
      .limit(filter.limit)
      .offset(filter.offset)
      .execute()
    return { accounts: rows.map(accountOf), total: await countRows(matchingUsers(queries, filter.search)) }
  }
}

/** Gives the role, also to a person with another one. Does nothing if the person has it. */
async function grant(
  queries: Kysely<Schema>,
  { role, ...event }: Omit<ServiceEvent, 'kind'> & { userId: string; role: OperatorRole; atMs: number },
): Promise<void> {
  if ((await findRole(queries, event.userId)) === role) return
  await queries
    .insertInto('operators')
    .values({ user_id: event.userId, role, added_at_ms: event.atMs })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ role }))
    .execute()
  await writeServiceAudit(queries, { ...event, kind: 'operator.granted', detail: { ...event.detail, role } })
}

async function findRole(queries: Kysely<Schema>, userId: string): Promise<OperatorRole | undefined> {
  const row = await queries.selectFrom('operators').select('role').where('user_id', '=', userId).executeTakeFirst()
  return row?.role
}

/** True if the person is the only operator. Call it in the transaction that takes the role. */
export async function isLastOperator(queries: Kysely<Schema>, userId: string): Promise<boolean> {
  const operators = await queries.selectFrom('operators').select('user_id').where('role', '=', 'operator').execute()
  return operators.length === 1 && operators[0].user_id === userId
}

async function findSecret(queries: Kysely<Schema>, name: string): Promise<string | undefined> {
  const row = await queries.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}
