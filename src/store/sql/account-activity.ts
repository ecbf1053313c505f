import type { ExpressionBuilder, Kysely } from 'kysely'
import {
  type AccountActivityStore,
  NOTICE_KINDS,
  NOTICES_MAX,
  type SecondFactor,
} from '../contracts/account-activity.ts'
import type { AuditEntry } from '../contracts/audit.ts'
import { auditEntryOf } from './audit.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** `AccountActivityStore` over any database. */
export class SqlAccountActivityStore extends SqlStore implements AccountActivityStore {
  async lastSignIns(userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.queries
      .selectFrom('users')
      .select(['id', 'last_sign_in_ms'])
      .where('id', 'in', this.database.sqlDialect.anyOf(userIds))
      .execute()
    return new Map(rows.flatMap(({ id, last_sign_in_ms: ms }) => (ms === null ? [] : [[id, ms]])))
  }

  async secondFactors(userIds: readonly string[]): Promise<ReadonlyMap<string, SecondFactor>> {
    const rows = await this.queries
      .selectFrom('users')
      .select(['id', 'twoFactorEnabled', (user) => user.exists(selectPassword(user)).as('hasPassword')])
      .where('id', 'in', this.database.sqlDialect.anyOf(userIds))
      .execute()
    return new Map(
      rows.map(({ id, twoFactorEnabled, hasPassword }) => [
        id,
        twoFactorEnabled ? 'on' : hasPassword ? 'off' : 'not-needed',
      ]),
    )
  }

  async notices(userId: string): Promise<AuditEntry[]> {
    const user = await this.queries
      .selectFrom('users')
      .select('first_notice_id')
      .where('id', '=', userId)
      .executeTakeFirst()
    if (user === undefined || user.first_notice_id === null) return []
    const rows = await selectNotices(this.queries, userId)
      .selectAll()
      .where('id', '>=', user.first_notice_id)
      .orderBy('id', 'desc')
      .limit(NOTICES_MAX)
      .execute()
    return rows.map(auditEntryOf)
  }

  async dismissNotices(userId: string, lastId: number): Promise<void> {
    await this.database.transaction('power-cut', async ({ queries }) => {
      const next = await selectNotices(queries, userId)
        .select('id')
        .where('id', '>', lastId)
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      await queries
        .updateTable('users')
        .set({ first_notice_id: next?.id ?? null })
        .where('id', '=', userId)
        .where('first_notice_id', '<=', lastId)
        .execute()
    })
  }
}

/** The password of an account, if it has one. */
export function selectPassword(user: ExpressionBuilder<Schema, 'users'>) {
  return user
    .selectFrom('credentials')
    .select('credentials.id')
    .whereRef('credentials.userId', '=', 'users.id')
    .where('credentials.providerId', '=', 'credential')
    .where('credentials.password', 'is not', null)
}

/** The entries about changes that others made to an account. */
function selectNotices(queries: Kysely<Schema>, userId: string) {
  return queries
    .selectFrom('audit')
    .where('organization_id', 'is', null)
    .where('subject', '=', userId)
    .where('kind', 'in', NOTICE_KINDS)
    .where((entry) => entry.or([entry('actor_user_id', 'is', null), entry('actor_user_id', '<>', userId)]))
}
