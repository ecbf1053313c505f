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

/** Columns that any row fits into. */
interface WideColumns extends RowColumns {
  readonly keys: Float64Array<ArrayBuffer>
  readonly parts: Uint32Array<ArrayBuffer>
}

/** Bytes of a row in a block. */
export const ROW_BYTES = 28

/** Columns of `count` rows, each in its own buffer, so that they are freed one by one. */
export function emptyColumns(count: number): WideColumns {
  return {
    keys: new Float64Array(count),
    fingerprints: new Float64Array(count),
    parts: new Uint32Array(count),
    ends: new Uint32Array(count),
    tags: new Uint32Array(count),
  }
}

/** The columns of a block in one buffer. */
export function blockOf(count: number, buffer: ArrayBuffer): WideColumns {
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

/** The rows with keys and parts in fewer bytes: 21 per row in the first years of a store, if the feed has few files. */
export function compact({ keys, parts, ...others }: RowColumns): RowColumns {
  return { ...others, keys: (keys.at(-1) ?? 0) < 2 ** 32 ? new Uint32Array(keys) : keys, parts: compactParts(parts) }
}

function compactParts(parts: RowColumns['parts']): RowColumns['parts'] {
  let last = 0
  for (let row = 0; row < parts.length; row++) last = Math.max(last, parts[row])
  if (last < 2 ** 8) return new Uint8Array(parts)
  return last < 2 ** 16 ? new Uint16Array(parts) : parts
}

/** Columns to which rows are added. */
export class GrowingColumns {
  #columns: WideColumns
  #size = 0
  #inOrder = true

  /** `expected`: the approximate number of rows; growing needs the memory twice. */
  constructor(expected: number) {
    this.#columns = emptyColumns(Math.max(1, expected))
  }

  get size(): number {
    return this.#size
  }

  push(key: number, fingerprint: number, part: number, end: number, tag: number): void {
    if (this.#size === this.#columns.keys.length) this.#grow()
    const at = this.#size++
    const { keys, fingerprints, parts, ends, tags } = this.#columns
    if (at > 0 && key < keys[at - 1]) this.#inOrder = false
    keys[at] = key
    fingerprints[at] = fingerprint
    parts[at] = part
    ends[at] = end
    tags[at] = tag
  }

  clear(): void {
    this.#size = 0
    this.#inOrder = true
  }

  /** In ascending order of key; valid until the next change. */
  byKey(): RowColumns {
    const rows = slice(this.#columns, 0, this.#size)
    if (this.#inOrder) return rows
    const { keys, fingerprints, parts, ends, tags } = rows
    const order = Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b])
    return {
      keys: Float64Array.from(order, (at) => keys[at]),
      fingerprints: Float64Array.from(order, (at) => fingerprints[at]),
      parts: Uint32Array.from(order, (at) => parts[at]),
      ends: Uint32Array.from(order, (at) => ends[at]),
      tags: Uint32Array.from(order, (at) => tags[at]),
    }
  }

  #grow(): void {
    const grown = emptyColumns(this.#columns.keys.length * 2)
    for (const name of ['keys', 'fingerprints', 'parts', 'ends', 'tags'] as const) grown[name].set(this.#columns[name])
    this.#columns = grown
  }
}
