import { type SqlBool, sql } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'

/** Where the SQL of SQLite differs from that of other databases. */
export const SQLITE_SQL_DIALECT: SqlDialect = {
  integer: 'integer',
  boolean: 'integer',
  date: 'text',
  // A row's key is in every index anyway.
  indexKeyColumns: [],
  inGroup: ([column, value], afterKey) => sql<SqlBool>`${sql.ref(column)} = ${value} and key > ${afterKey}`,
  tableEnd: 'strict',
  // `insert or replace` deletes without a word to the trigger for that, so a taken id is refused before it comes to it.
  appendOnly: (table) =>
    [
      ['update', ''],
      ['delete', ''],
      ['insert', `when exists (select 1 from ${table} where id = new.id)`],
    ].map(
      ([change, when]) =>
        `create trigger ${table}_refuses_${change} before ${change} on ${table} ${when} begin select raise(abort, '${table} is append-only'); end`,
    ),
  notifyChanges: [],
  anyOf: <T extends number | string>(values: readonly T[]) =>
    sql<T>`(select value from json_each(${JSON.stringify(values)}))`,
}
