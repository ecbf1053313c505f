import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { PageRequest } from '../contracts/page.ts'
import type { Schema } from './schema.ts'

/** The order of a list: SQL of its rank, time and id. `rank` is the text of the index on it. */
interface ListOrder {
  readonly rank: string
  readonly time: string
  readonly id: string
  readonly direction: 'asc' | 'desc'
}

/** Orders a query, and limits it to a page. */
export function inPages<Table extends keyof Schema, Output>(
  query: SelectQueryBuilder<Schema, Table, Output>,
  { direction, ...order }: ListOrder,
  page?: PageRequest,
): SelectQueryBuilder<Schema, Table, Output> {
  const [rank, time, id] = [sql.raw(order.rank), sql.ref(order.time), sql.ref(order.id)]
  const ordered = query.orderBy(rank, direction).orderBy(time, direction).orderBy(id, direction)
  if (page === undefined) return ordered
  const limited = ordered.limit(page.limit)
  if (page.after === undefined) return limited
  const [reaches, follows] = direction === 'asc' ? [sql`>=`, sql`>`] : [sql`<=`, sql`<`]
  const { after } = page
  // The first condition is redundant: for it alone, SQLite finds the start of the page in the index.
  return limited.where(
    sql<SqlBool>`${rank} ${reaches} ${after.rank} and (${rank}, ${time}, ${id}) ${follows} (${after.rank}, ${after.atMs}, ${after.id})`,
  )
}
