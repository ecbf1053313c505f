// Hot path: the rows of the last snapshot, millions at once.
import type { StoredRows } from '../contracts/snapshots.ts'

/** Integers in as few bytes as the largest needs. */
type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** `StoredRows` with the tags of their ids, see `tagOf()`. */
export interface RowColumns extends StoredRows {
  readonly keys: Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>
  readonly fingerprints: Float64Array<ArrayBuffer>
  readonly parts: Numbers
  readonly ends: Uint32Array<ArrayBuffer>
  readonly tags: Uint32Array<ArrayBuffer>
}

/** Bytes of a row in a block. */
export const ROW_BYTES = 28

/** The columns of a block in one buffer, into which any row fits. */
export function blockOf(count: number, buffer: ArrayBuffer) {
  return {
    keys: new Float64Array(buffer, 0, count),
    fingerprints: new Float64Array(buffer, count * 8, count),
    parts: new Uint32Array(buffer, count * 16, count),
    ends: new Uint32Array(buffer, count * 20, count),
    tags: new Uint32Array(buffer, count * 24, count),
  }
}

/** The rows from `from` to before `to`, without a copy. */
export function slice({ keys, fingerprints, parts, ends, tags }: RowColumns, from: number, to: number): RowColumns {
  return {
    keys: keys.subarray(from, to),
    fingerprints: fingerprints.subarray(from, to),
    parts: parts.subarray(from, to),
    ends: ends.subarray(from, to),
    tags: tags.subarray(from, to),
  }
}

/**
 * Columns to which rows are added, each in its own buffer. Keys and parts widen when one needs it: 21 bytes per row in the first years
 * of a store, if the feed has few files.
 */
export class GrowingColumns {
  #keys: RowColumns['keys']
  #fingerprints: Float64Array<ArrayBuffer>
  #parts: Numbers
  #ends: Uint32Array<ArrayBuffer>
  #tags: Uint32Array<ArrayBuffer>
  #keyMax = 2 ** 32 - 1
  #partMax = 2 ** 8 - 1
  #size = 0
  #inOrder = true

  /** `expected`: the approximate number of rows; growing needs the memory twice. */
  constructor(expected: number) {
    const rows = Math.max(1, expected)
    this.#keys = new Uint32Array(rows)
    this.#fingerprints = new Float64Array(rows)
    this.#parts = new Uint8Array(rows)
    this.#ends = new Uint32Array(rows)
    this.#tags = new Uint32Array(rows)
  }

  get size(): number {
    return this.#size
  }

  push(key: number, fingerprint: number, part: number, end: number, tag: number): void {
    this.#reserve(1, key, part)
    const at = this.#size++
    if (at > 0 && key < this.#keys[at - 1]) this.#inOrder = false
    this.#keys[at] = key
    this.#fingerprints[at] = fingerprint
    this.#parts[at] = part
    this.#ends[at] = end
    this.#tags[at] = tag
  }

  /** `rows`: in ascending order of key, at least one. */
  append(rows: Readonly<RowColumns>): void {
    const count = rows.keys.length
    this.#reserve(count, rows.keys[count - 1], largest(rows.parts))
    const at = this.#size
    if (at > 0 && rows.keys[0] < this.#keys[at - 1]) this.#inOrder = false
    this.#keys.set(rows.keys, at)
    this.#fingerprints.set(rows.fingerprints, at)
    this.#parts.set(rows.parts, at)
    this.#ends.set(rows.ends, at)
    this.#tags.set(rows.tags, at)
    this.#size += count
  }

  clear(): void {
    this.#size = 0
    this.#inOrder = true
  }

  /** In ascending order of key; valid until the next change. */
  byKey(): RowColumns {
    const all = { keys: this.#keys, parts: this.#parts, ends: this.#ends, tags: this.#tags }
    const rows = slice({ ...all, fingerprints: this.#fingerprints }, 0, this.#size)
    if (this.#inOrder) return rows
    const { keys, fingerprints, parts, ends, tags } = rows
    const order = Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b])
    return {
      keys: inOrder(keys, order),
      fingerprints: inOrder(fingerprints, order),
      parts: inOrder(parts, order),
      ends: inOrder(ends, order),
      tags: inOrder(tags, order),
    }
  }

  /** Makes room for more rows with such keys and parts. */
  #reserve(count: number, key: number, part: number): void {
    while (this.#size + count > this.#keys.length) this.#grow()
    if (key > this.#keyMax) {
      this.#keys = new Float64Array(this.#keys)
      this.#keyMax = Number.MAX_SAFE_INTEGER
    }
    if (part <= this.#partMax) return
    this.#parts = part < 2 ** 16 ? new Uint16Array(this.#parts) : new Uint32Array(this.#parts)
    this.#partMax = 2 ** (8 * this.#parts.BYTES_PER_ELEMENT) - 1
  }

  #grow(): void {
    this.#keys = twice(this.#keys)
    this.#fingerprints = twice(this.#fingerprints)
    this.#parts = twice(this.#parts)
    this.#ends = twice(this.#ends)
    this.#tags = twice(this.#tags)
  }
}

type Column = Numbers | Float64Array<ArrayBuffer>

function twice<C extends Column>(column: C): C {
  const grown = new (column.constructor as new (length: number) => C)(column.length * 2)
  grown.set(column)
  return grown
}

function inOrder<C extends Column>(column: C, order: Uint32Array): C {
  const sorted = column.slice() as C
  for (let at = 0; at < order.length; at++) sorted[at] = column[order[at]]
  return sorted
}

function largest(numbers: Numbers): number {
  let largest = 0
  for (let at = 0; at < numbers.length; at++) largest = Math.max(largest, numbers[at])
  return largest
}
