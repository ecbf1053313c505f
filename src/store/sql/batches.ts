import { setTimeout as sleep } from 'node:timers/promises'
import { type Expression, type ExpressionBuilder, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { KeyRange } from '../contracts/revision-feed.ts'
import type { Database, Reader, SlotsQuery, Writer } from './database.ts'
import type { Schema } from './schema.ts'

/** Rows per read: more gain nothing and cost memory. */
export const READ_ROWS_MAX = 4_000

/** Rows changed per transaction: about ten milliseconds, which other writers can wait. */
export const WRITE_ROWS_MAX = 5_000

/** Pause between two transactions: longer than waiting writers sleep between two attempts. */
const PAUSE_MS = 6

/** `ReadTransaction.batches` by keyset pagination, for databases that store rows in the order of keys. */
export async function* readBatches(
  reader: Reader,
  query: SlotsQuery,
  keys?: KeyRange,
): AsyncGenerator<ReadonlyArray<readonly unknown[]>> {
  const below = keys === undefined ? query : query.where('key', '<', keys.to)
  const ordered = below.orderBy('key').limit(READ_ROWS_MAX)
  // The only lower bound: SQLite would begin at the first of two.
  for (let after = (keys?.from ?? 1) - 1; ; ) {
    const rows = await reader.arrays(ordered.where('key', '>', after).compile())
    if (rows.length > 0) yield rows
    if (rows.length < READ_ROWS_MAX) return
    after = Number(rows[rows.length - 1][0])
  }
}

/** Repeats a change of at most `WRITE_ROWS_MAX` rows, one transaction each, until it finds fewer. Returns the total. */
export async function writeBatches(database: Database, change: (writer: Writer) => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await database.transaction('kill', change)
    total += count
    if (count < WRITE_ROWS_MAX) return total
    await sleep(PAUSE_MS)
  }
}

/** Deletes the rows for which a condition holds, by `writeBatches()`. `key`: the columns of the primary key. Returns the number. */
export function deleteInBatches<Table extends keyof Schema>(
  database: Database,
  table: Table,
  key: readonly (keyof Schema[Table] & string)[],
  isDeleted: (row: ExpressionBuilder<Schema, Table>) => Expression<SqlBool>,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const condition = isDeleted(expressionBuilder<Schema, Table>())
  return writeBatches(database, async ({ queries }) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where (${columns}) in
        (select ${columns} from ${sql.table(table)} where ${condition} limit ${sql.lit(WRITE_ROWS_MAX)})`.execute(
      queries,
    )
    return Number(numAffectedRows ?? 0)
  })
}

/** Deletes all but the `keep` newest rows, by id, of those whose columns have the values of `of`; none that is to stay. */
export async function deleteBeyondNewest(
  queries: Kysely<Schema>,
  log: { table: keyof Schema; id: string; keep: number },
  of: Readonly<Record<string, string | number>> = {},
  stays = sql<SqlBool>`1 = 0`,
): Promise<void> {
  const [table, id] = [sql.table(log.table), sql.ref(log.id)]
  const equalities = Object.entries(of).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const isOf = sql.join([sql`1 = 1`, ...equalities], sql` and `)
  await sql`
    delete from ${table} where ${isOf} and not (${stays}) and ${id} <=
      (select ${id} from ${table} where ${isOf} order by ${id} desc limit 1 offset ${sql.lit(log.keep)})`.execute(
    queries,
  )
}
