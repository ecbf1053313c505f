import type { SelectQueryBuilder } from 'kysely'
import type { Schema } from './schema.ts'

/** The number of rows that a query finds, whatever it selects. */
export async function countRows<Table extends keyof Schema>(
  query: SelectQueryBuilder<Schema, Table, object>,
): Promise<number> {
  const counted = query.clearSelect().select((row) => row.fn.countAll().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}
