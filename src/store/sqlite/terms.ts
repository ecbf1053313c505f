import { sql } from 'kysely'
import type { Terms } from '../database.ts'

/** Where the SQL of SQLite differs from that of other databases. */
export const SQLITE_TERMS: Terms = {
  integer: 'integer',
  tableEnd: 'strict',
  anyOf: <T extends number | string>(values: readonly T[]) =>
    sql<T>`(select value from json_each(${JSON.stringify(values)}))`,
}
