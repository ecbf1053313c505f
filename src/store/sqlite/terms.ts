import { sql } from 'kysely'
import type { Terms } from '../database.ts'

/** Where the SQL of SQLite differs from that of other databases. */
export const SQLITE_TERMS: Terms = {
  integer: 'integer',
  truth: 'integer',
  date: 'text',
  tableEnd: 'strict',
  appendOnly: (table) =>
    ['update', 'delete'].map(
      (change) =>
        `create trigger ${table}_refuses_${change} before ${change} on ${table} begin select raise(abort, '${table} is append-only'); end`,
    ),
  anyOf: <T extends number | string>(values: readonly T[]) =>
    sql<T>`(select value from json_each(${JSON.stringify(values)}))`,
}
