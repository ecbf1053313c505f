import { hash } from 'node:crypto'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { READ_ROWS_MAX, WRITE_ROWS_MAX } from '../sql/batches.ts'
import type { Database } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import {
  APPEND_ONLY,
  type ColumnKind,
  MOVED_TABLES,
  type MovedColumn,
  type MovedTable,
} from './moved-tables.ts'

/** A table as it now is in both stores. */
export interface MovedRows {
  readonly table: string
  readonly rows: number
  /** See `TableChecksum`. */
  readonly checksum: string
}

/**
 * Copies what the target does not have of a table, and then compares the two.
 *
 * Rows are copied in the order of the source's key, so that what is there is as many of its first rows: no note of how
 * far a killed move has come is needed. Throws `SourceChanged` if they are other rows than the source's.
 */
export async function copyTable(
  queries: Kysely<Schema>,
  to: Database,
  table: TableForm,
  { resumed, onRows }: { resumed: boolean; onRows: (rows: number) => void },
): Promise<MovedRows> {
  const there = resumed ? await checksumOf(to.read.queries, table) : new TableChecksum()
  const wanted = new TableChecksum()
  for await (const piece of readTableRows(queries, table)) {
    const known = Math.min(piece.length, Math.max(0, there.rows - wanted.rows))
    for (const row of piece.slice(0, known)) wanted.add(row)
    if (known > 0 && wanted.rows === there.rows) requireEqual(table, wanted, there)
    const rest = piece.slice(known)
    if (rest.length > 0) await writeRows(to, table, rest)
    for (const row of rest) wanted.add(row)
    onRows(wanted.rows)
  }
  if (wanted.rows < there.rows) throw changed(table)
  await verify(to, table, wanted)
  return { table: table.name, rows: wanted.rows, checksum: wanted.text }
}

/** The source is no longer what an earlier move has copied of it. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged'
}

function requireEqual(table: TableForm, wanted: TableChecksum, there: TableChecksum): void {
  if (!wanted.equals(there)) throw changed(table)
}

function changed({ name }: TableForm): Error {
  const message = `Cannot go on with the move: ${name} must hold what --from holds: got other rows`
  return name === APPEND_ONLY ? new Error(`${message}. Take an empty database`) : new SourceChanged(message)
}

/** From the target itself: what was written is not yet what is there. */
async function verify(to: Database, table: TableForm, wanted: TableChecksum): Promise<void> {
  const got = await checksumOf(to.read.queries, table)
  if (got.equals(wanted)) return
  throw new Error(
    `Cannot finish the move: ${table.name} must have ${wanted.rows} rows of checksum ${wanted.text}: got "${got.rows} of ${got.text}"`,
  )
}

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

/**
 * How many rows there are, and what they say: the sum of the SHA-256 of each, modulo 2^256.
 *
 * A sum, because databases order texts each in its own way, and it does not depend on the order. It finds what was lost,
 * doubled or altered; it need not withstand somebody who looks for two tables of one sum.
 */
export class TableChecksum {
  #rows = 0
  #sum = 0n

  get rows(): number {
    return this.#rows
  }

  /** 64 hexadecimal digits. */
  get text(): string {
    return this.#sum.toString(16).padStart(64, '0')
  }

  add(row: PlainRow): void {
    this.#rows++
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash('sha256', JSON.stringify(row))}`))
  }

  equals(other: TableChecksum): boolean {
    return this.#rows === other.#rows && this.#sum === other.#sum
  }
}

/** Of all rows that a table holds. */
export async function checksumOf(queries: Kysely<Schema>, table: TableForm): Promise<TableChecksum> {
  const sum = new TableChecksum()
  for await (const piece of readTableRows(queries, table)) for (const row of piece) sum.add(row)
  return sum
}
