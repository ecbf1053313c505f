import { type CompiledQuery, type Kysely, type QueryResult, sql } from 'kysely'
import { DAY_MS } from '../../lib/time.ts'
import { type AuditActor, type AuditOrigin, COMMAND_LINE, type ServiceEvent } from '../contracts/audit.ts'
import type { Account, Operator, OperatorRemoval, OperatorStore, SignInTables } from '../contracts/operators.ts'
import { likePattern, writeServiceAudit } from './audit.ts'
import { type Database, queriesBy, type RunStatement } from './database.ts'
import { activeKeys } from './keys.ts'
import { organizationOf } from './organization-row.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** Not a name that callers of `secret()` use. */
const SETUP_TOKEN = 'setup-token-hash'

const THIRTY_DAYS_MS = 30 * DAY_MS

/** `OperatorStore` over any database. */
export class SqlOperatorStore extends SqlStore implements OperatorStore {
  async isOperator(userId: string): Promise<boolean> {
    const row = await this.queries
      .selectFrom('operators')
      .select('user_id')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row !== undefined
  }

  async any(): Promise<boolean> {
    const row = await this.queries.selectFrom('operators').select('user_id').executeTakeFirst()
    return row !== undefined
  }

  async add(userId: string, by: AuditActor = COMMAND_LINE): Promise<void> {
    await this.database.transaction('power-cut', ({ queries }) =>
      putOperator(queries, { userId, by, atMs: this.now() }),
    )
  }

  async list(): Promise<Operator[]> {
    const rows = await this.queries
      .selectFrom('operators')
      .innerJoin('users', 'users.id', 'operators.user_id')
      .select(['users.id', 'users.email', 'users.name', 'operators.added_at_ms'])
      .orderBy('users.email')
      .execute()
    return rows.map(({ id, email, name, added_at_ms }) => ({ userId: id, email, name, addedAtMs: added_at_ms }))
  }

  remove(userId: string, { allowNone, by }: { allowNone: boolean; by: AuditActor }): Promise<OperatorRemoval> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const all = await queries.selectFrom('operators').select('user_id').execute()
      if (!all.some(({ user_id }) => user_id === userId)) return 'not-operator'
      if (all.length === 1 && !allowNone) return 'last'
      await queries.deleteFrom('operators').where('user_id', '=', userId).execute()
      await writeServiceAudit(queries, { atMs: this.now(), kind: 'operator.removed', userId, by })
      return 'removed'
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
      await putOperator(queries, { userId, by, atMs: this.now(), detail: { by: 'setup link' } })
      return true
    })
  }

  async secret(name: string, make: () => string): Promise<string> {
    const known = await findSecret(this.queries, name)
    if (known !== undefined) return known
    return this.database.transaction('power-cut', async ({ queries }) => {
      const first = await findSecret(queries, name)
      if (first !== undefined) return first
      const value = make()
      await queries.insertInto('secrets').values({ name, value }).execute()
      return value
    })
  }

  async organizations(): ReturnType<OperatorStore['organizations']> {
    const rows = await selectOperated(this.queries, this.now()).execute()
    return rows.map((row) => ({
      organization: organizationOf(row),
      members: Number(row.members),
      keys: Number(row.keys),
      requests30d: Number(row.requests ?? 0),
    }))
  }

  async accounts(filter: Parameters<OperatorStore['accounts']>[0]): ReturnType<OperatorStore['accounts']> {
    const { queries } = this
    const rows = await selectAccounts(queries, filter.search)
      .orderBy('users.email')
      .limit(filter.limit)
      .offset(filter.offset)
      .execute()
    const { total } = await matchingUsers(queries, filter.search)
      .select((table) => table.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
    return { accounts: rows.map(accountOf), total: Number(total) }
  }
}

/** Does nothing if the person is an operator. */
async function putOperator(
  queries: Kysely<Schema>,
  event: Omit<ServiceEvent, 'kind'> & { readonly userId: string; readonly atMs: number },
): Promise<void> {
  const added = await queries
    .insertInto('operators')
    .values({ user_id: event.userId, added_at_ms: event.atMs })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (added !== undefined) await writeServiceAudit(queries, { ...event, kind: 'operator.granted' })
}

async function findSecret(queries: Kysely<Schema>, name: string): Promise<string | undefined> {
  const row = await queries.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

function selectOperated(queries: Kysely<Schema>, nowMs: number) {
  return queries
    .selectFrom('organizations')
    .selectAll()
    .select((organization) => [
      organization
        .selectFrom('memberships')
        .whereRef('memberships.organization_id', '=', 'organizations.id')
        .select((table) => table.fn.countAll().as('members'))
        .as('members'),
      activeKeys(queries, nowMs)
        .where('api_keys.organization_id', '=', sql.ref<string>('organizations.id'))
        .select((table) => table.fn.countAll().as('keys'))
        .as('keys'),
      organization
        .selectFrom('usage_hours')
        .innerJoin('api_keys', 'api_keys.id', 'usage_hours.key_id')
        .whereRef('api_keys.organization_id', '=', 'organizations.id')
        .where('hour_ms', '>=', nowMs - THIRTY_DAYS_MS)
        .select((table) => table.fn.sum('requests').as('requests'))
        .as('requests'),
    ])
    .where('deleted_at_ms', 'is', null)
    .orderBy('name_folded')
}

function matchingUsers(queries: Kysely<Schema>, search: string | undefined) {
  const users = queries.selectFrom('users')
  if (search === undefined) return users
  const pattern = likePattern(search.toLowerCase())
  return users.where((user) =>
    user.or([
      user(sql<string>`lower(${sql.ref('users.name')})`, 'like', pattern),
      user(sql<string>`lower(${sql.ref('users.email')})`, 'like', pattern),
    ]),
  )
}

function selectAccounts(queries: Kysely<Schema>, search: string | undefined) {
  return matchingUsers(queries, search).select((user) => [
    'users.id',
    'users.name',
    'users.email',
    'users.emailVerified',
    'users.createdAt',
    user
      .selectFrom('memberships')
      .whereRef('memberships.user_id', '=', 'users.id')
      .select((table) => table.fn.countAll().as('organizations'))
      .as('organizations'),
    user
      .selectFrom('operators')
      .whereRef('operators.user_id', '=', 'users.id')
      .select((table) => table.fn.countAll().as('operators'))
      .as('operators'),
  ])
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number]

function accountOf(row: AccountRow): Account {
  return {
    userId: row.id,
    name: row.name,
    email: row.email,
    emailVerified: Boolean(row.emailVerified),
    createdAtMs: new Date(row.createdAt).getTime(),
    organizations: Number(row.organizations),
    isOperator: Number(row.operators) > 0,
  }
}

/**
 * better-auth's access to the database: over our connections, with the write lock, one statement per transaction.
 *
 * A transaction of better-auth would span unknown awaits, and a separate write connection could deadlock with ours inside one thread.
 */
export function openSignInTables(database: Database): SignInTables {
  const run: RunStatement = (query) => executeQuery(database, query)
  return { type: database.kind, queries: queriesBy(database.kyselyDialect, run, REFUSAL) }
}

const REFUSAL = 'Cannot run on the sign-in tables: transactions and streams are not supported'

function executeQuery<Row>(database: Database, query: CompiledQuery): Promise<QueryResult<Row>> {
  if (onlyReads(query)) return database.read.queries.executeQuery<Row>(query as CompiledQuery<Row>)
  return database.transaction('power-cut', ({ queries }) => queries.executeQuery<Row>(query as CompiledQuery<Row>))
}

/** Raw statements are not parsed: they take the write lock. */
function onlyReads({ query }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode'
}
