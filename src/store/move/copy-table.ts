import type { Kysely } from 'kysely'
import type { Database } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { APPEND_ONLY } from './moved-tables.ts'
import { checksumOf, TableChecksum } from './table-checksum.ts'
import { readTableRows, type TableForm, writeRows } from './table-rows.ts'

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
