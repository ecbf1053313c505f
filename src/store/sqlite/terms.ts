import { sql } from 'kysely'
import type { Terms } from '../database.ts'

export const SQLITE_TERMS: Terms = {
  integer: 'integer',
  tableEnd: 'strict',
  anyOf: <T extends number | string>(values: readonly T[]) =>
    sql<T>`(select value from json_each(${JSON.stringify(values)}))`,
}
