import { sql, type TableMetadata } from 'kysely'
import { TABLES, type TableDefinition } from '../migrations/baseline-tables.ts'
import { SIGN_IN_TABLES } from '../migrations/sign-in-tables.ts'
import { SUBSCRIPTION_TABLES } from '../migrations/subscription-tables.ts'
import type { Database } from '../sql/database.ts'

/** Tables that are not copied row by row, and why. */
export const NOT_COPIED = {
  migrations: 'both stores must have applied the same steps',
  counters: 'copied at the end, except for the number of the store',
  write_lock: 'the lock of writers on PostgreSQL, which holds no data',
  usage_batches: 'of running processes, which a move does not allow',
} as const

/** Every table that a move copies, by name. */
export type MovedTable =
  | Exclude<keyof typeof TABLES, keyof typeof NOT_COPIED>
  | keyof typeof SIGN_IN_TABLES
  | keyof typeof SUBSCRIPTION_TABLES

/** Each table's key columns, in copy order: a table is defined after those that it references. */
export const MOVED_TABLES = Object.fromEntries([
  ...Object.keys(SIGN_IN_TABLES).map((name) => [name, ['id']]),
  ...Object.entries<TableDefinition>({ ...TABLES, ...SUBSCRIPTION_TABLES }).flatMap(([name, { columns, key }]) =>
    name in NOT_COPIED ? [] : [[name, key ?? Object.keys(columns).filter((column) => columns[column].endsWith('#'))]],
  ),
]) as Readonly<Record<MovedTable, readonly string[]>>

/** An append-only table: copied rows stay. */
export const APPEND_ONLY: MovedTable = 'audit'

/** The names, in the order of `MOVED_TABLES`. */
export const MOVED_NAMES = Object.keys(MOVED_TABLES) as MovedTable[]

/** A column's type, independent of the database. */
export type ColumnKind = 'text' | 'integer' | 'truth' | 'date'

export interface MovedColumn {
  readonly name: string
  readonly kind: ColumnKind
}

/** The columns of each table, by name. */
type TableColumns = ReadonlyMap<string, readonly MovedColumn[]>

/** The columns of the moved tables, from the database's catalog. Throws for a column type that no migration creates. */
export async function readColumns(database: Database): Promise<TableColumns> {
  const tables = (await readTables(database)).filter(({ name }) => name in MOVED_TABLES)
  return new Map(
    tables.map(({ name, columns }) => [name, columns.map((column) => columnOf(name, column)).sort(byName)]),
  )
}

/** The tables of the current schema: other applications may use other schemas of the database. */
export async function readTables(database: Database): Promise<TableMetadata[]> {
  const schema = await currentSchema(database)
  const tables = await database.read.queries.introspection.getTables()
  return tables.filter((table) => table.schema === schema)
}

/**
 * The columns of a table, which must be equal in both stores. SQLite stores booleans and dates as numbers and texts; the more
 * specific type of PostgreSQL applies.
 */
export function commonColumns(table: string, from: TableColumns, to: TableColumns): readonly MovedColumn[] {
  const [left, right] = [from.get(table) ?? [], to.get(table) ?? []]
  const names = (columns: readonly MovedColumn[]) => columns.map(({ name }) => name).join(', ')
  if (left.length === 0 || names(left) !== names(right)) {
    throw new Error(
      `Cannot move ${table}: its columns must be those of the other store, ${names(left) || 'none'}: got "${names(right)}"`,
    )
  }
  return left.map((column, at) => (isPlain(column) ? right[at] : column))
}

async function currentSchema({ kind, read }: Database): Promise<string | undefined> {
  if (kind === 'sqlite') return undefined
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(read.queries)
  return rows[0].name
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  integer: 'integer',
  int8: 'integer',
  bool: 'truth',
  timestamptz: 'date',
}

function columnOf(table: string, { name, dataType }: { name: string; dataType: string }): MovedColumn {
  return { name, kind: KINDS[dataType.toLowerCase()] ?? refuseType(table, dataType) }
}

function refuseType(table: string, dataType: string): never {
  throw new Error(
    `Cannot move ${table}: its columns must be of the types ${Object.keys(KINDS).join(', ')}: got "${dataType}"`,
  )
}

function isPlain({ kind }: MovedColumn): boolean {
  return kind === 'text' || kind === 'integer'
}

function byName(left: MovedColumn, right: MovedColumn): number {
  return left.name < right.name ? -1 : 1
}
