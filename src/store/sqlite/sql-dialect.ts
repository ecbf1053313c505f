import type { SQLInputValue } from 'node:sqlite'
import {
  type CompiledQuery,
  type Kysely,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { type Database, queriesBy, type SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import type { SqliteConnection } from './connection.ts'
import { withSqlite } from './result-codes.ts'

/** SQLite's SQL. */
export const SQLITE_SQL_DIALECT: SqlDialect = {
  integer: 'integer',
  boolean: 'integer',
  date: 'text',
  // Every index contains the row's key.
  indexKeyColumns: [],
  inGroup: ([column, value], afterKey) => sql<SqlBool>`${sql.ref(column)} = ${value} and key > ${afterKey}`,
  tableEnd: 'strict',
  // `insert or replace` deletes without firing the delete trigger, so an insert trigger rejects ids in use.
  appendOnly: (table, deletable) =>
    [
      ['update', ''],
      ['delete', `when not (${deletable})`],
      ['insert', `when exists (select 1 from ${table} where id = new.id)`],
    ].map(
      ([change, when]) =>
        `create trigger ${table}_refuses_${change} before ${change} on ${table} ${when} begin select raise(abort, '${table} is append-only'); end`,
    ),
  notifyChanges: [],
  anyOf: <T extends number | string>(values: readonly T[]) =>
    sql<T>`(select value from json_each(${JSON.stringify(values)}))`,
  jsonRows: (rows) => sql`json_each(${JSON.stringify(rows)}) as input`,
  isAnyOf: (column, values) =>
    sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`,
  isKeyOfAny: (values, lookUp) =>
    sql<SqlBool>`key in (select ${lookUp(sql.ref('value'))} from json_each(${JSON.stringify(values)}))`,
}

/** Kysely's compiler for SQLite, without a driver. */
export const SQLITE_KYSELY_DIALECT: Database['kyselyDialect'] = {
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (queries) => new SqliteIntrospector(queries),
}

/** Kysely does not type parameters; the store passes only these types. */
export function parametersOf(query: CompiledQuery): SQLInputValue[] {
  return query.parameters as SQLInputValue[]
}

/** Kysely's queries on one connection. */
export function sqliteQueries(connection: SqliteConnection): Kysely<Schema> {
  return queriesBy(SQLITE_KYSELY_DIALECT, async <Row>(query: CompiledQuery) =>
    withSqlite(() => {
      const { statement, reads } = connection.prepare(query.sql)
      if (reads) return { rows: statement.all(...parametersOf(query)) as Row[] }
      const { changes } = statement.run(...parametersOf(query))
      return { rows: [], numAffectedRows: BigInt(changes) }
    }),
  )
}
