import { CompiledQuery, type Kysely, sql } from 'kysely'
import { READ_ROWS_MAX, WRITE_ROWS_MAX } from '../sql/chunks.ts'
import type { Database } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts'
import type { ColumnKind, MovedColumn } from './table-columns.ts'

/** A table, and those of its columns that are moved. */
export interface TableForm {
  readonly name: MovedTable
  readonly columns: readonly MovedColumn[]
}

/** The values of a row in the order of the columns: a date is its instant as text, a truth is 0 or 1. */
export type PlainRow = readonly (string | number | null)[]

/** All rows of a table in the order of its key, in pieces of at most `READ_ROWS_MAX`, so that no table is ever in memory. */
export async function* readTableRows(
  queries: Kysely<Schema>,
  { name, columns }: TableForm,
): AsyncGenerator<readonly PlainRow[]> {
  const key = MOVED_TABLES[name]
  const names = sql.join(columns.map((column) => sql.ref(column.name)))
  const keyNames = sql.join(key.map((column) => sql.ref(column)))
  let last: Record<string, unknown> | undefined
  do {
    const after =
      last === undefined
        ? sql``
        : sql`where (${keyNames}) > (${sql.join(key.map((column) => last?.[column]))})`
    const piece = sql<Record<string, unknown>>`
      select ${names} from ${sql.table(name)} ${after} order by ${keyNames} limit ${READ_ROWS_MAX}`
    const { rows } = await piece.execute(queries)
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => plainValue(row, column)))
    last = rows.length < READ_ROWS_MAX ? undefined : rows.at(-1)
  } while (last !== undefined)
}

/** Inserts rows in one transaction; at most `WRITE_ROWS_MAX`. Throws if one of them is there. */
export async function writeRows(
  database: Database,
  table: TableForm,
  rows: readonly PlainRow[],
): Promise<void> {
  if (rows.length > WRITE_ROWS_MAX) throw new Error(`Cannot write ${rows.length} rows: too many at once`)
  const insert = database.kind === 'sqlite' ? insertByValues : insertByColumns
  await database.transaction('kill', async ({ queries }) => {
    for (const statement of insert(table, rows)) await queries.executeQuery(statement)
  })
}

function plainValue(row: Record<string, unknown>, { name, kind }: MovedColumn): string | number | null {
  const value = row[name]
  if (value === null || value === undefined) return null
  if (kind === 'date') return new Date(value as string | Date).toISOString()
  return kind === 'text' ? String(value) : Number(value)
}

/** Rows in one statement of SQLite: its text is the same for all pieces, and far below the bound of 32,766 parameters. */
const ROWS_PER_INSERT = 50

function insertByValues(table: TableForm, rows: readonly PlainRow[]): CompiledQuery[] {
  const marks = `(${table.columns.map(() => '?').join()})`
  const statements: CompiledQuery[] = []
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    const some = rows.slice(at, at + ROWS_PER_INSERT)
    const text = `${insertInto(table)} values ${some.map(() => marks).join()}`
    statements.push(CompiledQuery.raw(text, some.flat()))
  }
  return statements
}

const ARRAYS: Readonly<Record<ColumnKind, string>> = {
  text: 'text[]',
  integer: 'bigint[]',
  truth: 'boolean[]',
  date: 'timestamptz[]',
}

/** A parameter for each column, with all its values. */
function insertByColumns(table: TableForm, rows: readonly PlainRow[]): CompiledQuery[] {
  const arrays = table.columns.map(({ kind }, at) => `$${at + 1}::${ARRAYS[kind]}`)
  const values = table.columns.map(({ kind }, at) => rows.map((row) => nativeValue(row[at], kind)))
  return [CompiledQuery.raw(`${insertInto(table)} select * from unnest(${arrays.join()})`, values)]
}

function nativeValue(value: string | number | null, kind: ColumnKind): string | number | boolean | null {
  return kind === 'truth' && value !== null ? value === 1 : value
}

function insertInto({ name, columns }: TableForm): string {
  return `insert into "${name}" (${columns.map((column) => `"${column.name}"`).join()})`
}
