import type { Kysely } from 'kysely'
import { DAY_MS } from '../../lib/time.ts'
import type { ThrottleRule, ThrottleStore } from '../contracts/operators.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** Twice the longest rule: a name that seems to be kept for longer was counted by a clock that was ahead. */
const KEPT_MS_MAX = 2 * DAY_MS

/** `ThrottleStore` over any database. */
export class SqlThrottleStore extends SqlStore implements ThrottleStore {
  /** Not durable at once: waiting for the disk would help an attacker who floods the service. */
  fail(name: string, rule: ThrottleRule): Promise<number> {
    const nowMs = this.now()
    return this.database.transaction('kill', async ({ queries }) => {
      await forget(queries, nowMs)
      const failures = (await countFailures(queries, name)) + 1
      const waitMs = waitAfter(failures, rule)
      const row = {
        failures,
        refused_until_ms: waitMs === 0 ? 0 : nowMs + waitMs,
        forget_at_ms: nowMs + Math.max(rule.forgetMs, waitMs),
      }
      await queries
        .insertInto('throttles')
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute()
      return row.refused_until_ms
    })
  }

  /** A refused use only reads. */
  async take(name: string, { max, ms }: Parameters<ThrottleStore['take']>[1]): Promise<number> {
    const refusedUntilMs = await this.refusedUntil(name)
    if (refusedUntilMs !== 0) return refusedUntilMs
    const nowMs = this.now()
    return this.database.transaction('kill', async ({ queries }) => {
      const { uses, endMs } = await countUse(queries, name, { nowMs, ms })
      if (uses <= max) return 0
      await queries.updateTable('throttles').set({ refused_until_ms: endMs }).where('name', '=', name).execute()
      return endMs
    })
  }

  async refusedUntil(name: string): Promise<number> {
    const nowMs = this.now()
    const row = await this.queries
      .selectFrom('throttles')
      .select('refused_until_ms')
      .where('name', '=', name)
      .where('refused_until_ms', '>', nowMs)
      .where('forget_at_ms', '<=', nowMs + KEPT_MS_MAX)
      .executeTakeFirst()
    return row?.refused_until_ms ?? 0
  }

  async clear(name: string): Promise<void> {
    await this.database.transaction('kill', ({ queries }) =>
      queries.deleteFrom('throttles').where('name', '=', name).execute(),
    )
  }
}

/** Counts one use in a window that begins with the first use. Returns the uses in it, and its end. */
export async function countUse(
  queries: Kysely<Schema>,
  name: string,
  { nowMs, ms }: { readonly nowMs: number; readonly ms: number },
): Promise<{ uses: number; endMs: number }> {
  await forget(queries, nowMs)
  const row = await queries
    .insertInto('throttles')
    .values({ name, failures: 1, refused_until_ms: 0, forget_at_ms: nowMs + ms })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ failures: row('throttles.failures', '+', 1) })),
    )
    .returning(['failures', 'forget_at_ms'])
    .executeTakeFirstOrThrow()
  return { uses: row.failures, endMs: row.forget_at_ms }
}

async function forget(queries: Kysely<Schema>, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('throttles')
    .where((row) => row.or([row('forget_at_ms', '<=', nowMs), row('forget_at_ms', '>', nowMs + KEPT_MS_MAX)]))
    .execute()
}

async function countFailures(queries: Kysely<Schema>, name: string): Promise<number> {
  const row = await queries.selectFrom('throttles').select('failures').where('name', '=', name).executeTakeFirst()
  return row?.failures ?? 0
}

function waitAfter(failures: number, rule: ThrottleRule): number {
  const beyond = failures - rule.free
  return beyond <= 0 ? 0 : Math.min(rule.firstMs * 2 ** (beyond - 1), rule.maxMs)
}
