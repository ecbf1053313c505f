import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type SqlBool, sql } from 'kysely'
import type { Database, SqlDialect } from '../sql/database.ts'
import { CHANNEL } from './notification-listener.ts'

/** PostgreSQL's SQL. */
export const POSTGRES_SQL_DIALECT: SqlDialect = {
  integer: 'bigint',
  boolean: 'boolean',
  date: 'timestamptz',
  indexKeyColumns: ['key'],
  // A range of the index: with an equality on a common value, the planner would scan the primary key instead.
  inGroup: ([column, value], afterKey) =>
    sql<SqlBool>`(${sql.ref(column)}, key) > (${value}, ${afterKey}) and ${sql.ref(column)} <= ${value}`,
  tableEnd: '',
  appendOnly: (table, deletable) => [
    `create function ${table}_refuses_change() returns trigger language plpgsql as
      $$ begin
        if tg_op = 'DELETE' then
          if ${deletable} then return old; end if;
        end if;
        raise exception '${table} is append-only';
      end $$`,
    `create trigger ${table}_refuses_change before update or delete on ${table}
      for each row execute function ${table}_refuses_change()`,
    `create trigger ${table}_refuses_truncate before truncate on ${table}
      for each statement execute function ${table}_refuses_change()`,
  ],
  notifyChanges: [
    `create function notify_change() returns trigger language plpgsql as
      $$ begin perform pg_notify('${CHANNEL}', ''); return null; end $$`,
    `create trigger notify_change after update on counters
      for each row when (new.name in ('slots', 'keys')) execute function notify_change()`,
  ],
  jsonRows: (rows) => sql`jsonb_array_elements(cast(${JSON.stringify(rows)} as jsonb)) as input(value)`,
  isAnyOf: (column, values) => sql<SqlBool>`${sql.ref(column)} = any(${values}::text[])`,
  isKeyOfAny: (values, lookUp) =>
    sql<SqlBool>`key = any(array(select ${lookUp(sql.ref('value'))} from unnest(${values}::text[]) as wanted (value)))`,
  anyOf: <T extends number | string>(values: readonly T[]) => {
    // An empty array has no type; no value is in a list of null.
    if (values.length === 0) return sql<T>`(null)`
    return typeof values[0] === 'string'
      ? sql<T>`(select unnest(${values}::text[]))`
      : sql<T>`(select unnest(${values}::bigint[]))`
  },
}

/** Kysely's compiler for PostgreSQL, without a driver. */
export const POSTGRES_KYSELY_DIALECT: Database['kyselyDialect'] = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (queries) => new PostgresIntrospector(queries),
}
