import type { Kysely } from 'kysely'
import type { Account } from '../contracts/operators.ts'
import { suspensionOf } from './organization-row.ts'
import type { Schema } from './schema.ts'
import { containsText } from './text-search.ts'

/** All users, or those whose name or address contains the text. */
export function matchingUsers(queries: Kysely<Schema>, search?: string) {
  const users = queries.selectFrom('users')
  return search === undefined ? users : users.where(containsText(['users.name', 'users.email'], search))
}

/** The rows of `accountOf()`. */
export function selectAccounts(queries: Kysely<Schema>, search?: string) {
  return matchingUsers(queries, search).select((user) => [
    'users.id',
    'users.name',
    'users.email',
    'users.emailVerified',
    'users.createdAt',
    'users.last_sign_in_ms',
    'users.suspended_at_ms',
    'users.suspended_by',
    'users.suspended_reason',
    user
      .selectFrom('memberships')
      .whereRef('memberships.user_id', '=', 'users.id')
      .select((table) => table.fn.countAll().as('organizations'))
      .as('organizations'),
    user.selectFrom('operators').whereRef('operators.user_id', '=', 'users.id').select('role').as('operatorRole'),
  ])
}

/** The role in the service and the suspension of an account. */
export function selectStanding(queries: Kysely<Schema>, userId: string) {
  return queries
    .selectFrom('users')
    .leftJoin('operators', 'operators.user_id', 'users.id')
    .select(['operators.role', 'users.suspended_at_ms', 'users.suspended_by', 'users.suspended_reason'])
    .where('users.id', '=', userId)
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number]

/** The account of a row. */
export function accountOf(row: AccountRow): Account {
  return {
    userId: row.id,
    name: row.name,
    email: row.email,
    emailVerified: Boolean(row.emailVerified),
    createdAtMs: new Date(row.createdAt).getTime(),
    organizations: Number(row.organizations),
    ...(row.operatorRole !== null && { operatorRole: row.operatorRole }),
    ...suspensionOf(row),
    ...(row.last_sign_in_ms !== null && { lastSignInAtMs: row.last_sign_in_ms }),
  }
}
