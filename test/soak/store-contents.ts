import type { DatabaseSync } from 'node:sqlite'

/** Number of rows by table of an SQLite store. */
export function rowsByTable(database: DatabaseSync): Record<string, number> {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  return Object.fromEntries(
    tables.map(({ name }) => [String(name), numberOf(database, `select count(*) from "${name}"`)]),
  )
}

/** Pages of the file that are in use. */
export function pagesInUse(database: DatabaseSync): number {
  return numberOf(database, 'pragma page_count') - numberOf(database, 'pragma freelist_count')
}

/** The first value of the first row. */
export function numberOf(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0])
}
