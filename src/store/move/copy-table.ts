import { hash } from 'node:crypto'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { READ_ROWS_MAX, WRITE_ROWS_MAX } from '../sql/batches.ts'
import type { Database } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { APPEND_ONLY, type ColumnKind, MOVED_TABLES, type MovedColumn, type MovedTable } from './moved-tables.ts'

/** A table that is equal in both stores. */
export interface MovedRows {
  readonly table: string
  readonly rows: number
  /** See `TableChecksum`. */
  readonly checksum: string
}

/**
 * Copies the rows of a table that the target lacks, then compares the two.
 *
 * Rows are copied in the order of the key, so a killed move leaves the first rows and needs no other progress record. Throws
 * `SourceChanged` if the copied rows differ from the source's.
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
    if (known > 0 && wanted.rows === there.rows && !wanted.equals(there)) throw changed(table)
    const rest = piece.slice(known)
    if (rest.length > 0) await writeRows(to, table, rest)
    for (const row of rest) wanted.add(row)
    onRows(wanted.rows)
  }
  if (wanted.rows < there.rows) throw changed(table)
  await verify(to, table, wanted)
  return { table: table.name, rows: wanted.rows, checksum: wanted.text }
}

/** The source changed since an earlier move copied it. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged'
}

function changed({ name }: TableForm): Error {
  const message = `Cannot continue the move: ${name} differs from --from, which changed since the move began`
  return name === APPEND_ONLY ? new Error(`${message}. Use an empty database`) : new SourceChanged(message)
}

/** Reads the target again instead of trusting the writes. */
async function verify(to: Database, table: TableForm, wanted: TableChecksum): Promise<void> {
  const got = await checksumOf(to.read.queries, table)
  if (got.equals(wanted)) return
  throw new Error(
    `Cannot finish the move: ${table.name} must have ${wanted.rows} rows of checksum ${wanted.text}: got "${got.rows} of ${got.text}"`,
  )
}

/** A table and its columns. */
export interface TableForm {
  readonly name: MovedTable
  readonly columns: readonly MovedColumn[]
}

/** A row's values in column order: a date as ISO text, a boolean as 0 or 1. */
type PlainRow = readonly (string | number | null)[]

/** All rows of a table in the order of its key (keyset pagination), in batches of at most `READ_ROWS_MAX`. */
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
      last === undefined ? sql`` : sql`where (${keyNames}) > (${sql.join(key.map((column) => last?.[column]))})`
    const piece = sql<Record<string, unknown>>`
      select ${names} from ${sql.table(name)} ${after} order by ${keyNames} limit ${READ_ROWS_MAX}`
    const { rows } = await piece.execute(queries)
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => plainValue(row, column)))
    last = rows.length < READ_ROWS_MAX ? undefined : rows.at(-1)
  } while (last !== undefined)
}

/** Inserts rows in one transaction; at most `WRITE_ROWS_MAX`. Throws if one of them exists. */
async function writeRows(database: Database, table: TableForm, rows: readonly PlainRow[]): Promise<void> {
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

/** Rows per statement on SQLite, far below the bound of 32,766 parameters. */
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

/** One parameter per column: the array of its values. */
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
 * The number of rows and the sum of their SHA-256 hashes, modulo 2^256.
 *
 * A sum does not depend on the order of rows, and databases sort texts differently. It detects lost, duplicated and altered
 * rows; it is not meant to resist a deliberate collision.
 */
class TableChecksum {
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

/** The checksum of all rows of a table. */
async function checksumOf(queries: Kysely<Schema>, table: TableForm): Promise<TableChecksum> {
  const sum = new TableChecksum()
  for await (const piece of readTableRows(queries, table)) for (const row of piece) sum.add(row)
  return sum
}
