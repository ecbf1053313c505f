import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../sql/schema.ts'
import { type PlainRow, readTableRows, type TableForm } from './table-rows.ts'

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
