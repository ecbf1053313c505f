// Hot path

/** A total order of rows; `compare()` is negative if `a` comes first. */
export interface RowOrder {
  compare(a: number, b: number): number
  /** Start of the row's slot in Unix milliseconds. */
  startOf(row: number): number
}

/** Rows per chunk at most: 4 kB, copied in a fraction of a microsecond. */
const CHUNK_ROWS_MAX = 1024

/**
 * The rows of one filter combination in order of (start, id): an immutable, copy-on-write list of sorted chunks.
 * `merge()` returns the next version, which shares unchanged chunks, so a reader always sees one committed state.
 *
 *     chunks   [ 7 12 3 … ]  [ 9 40 2 … ]  [ 8 … ]     Uint32, ascending by start, then id
 *     before   0             812           1836        rows in the chunks before: a binary search finds the n-th
 *
 * at(n) and countBefore(start) are O(log n); merge() is O(changes · log n + touched chunks + number of chunks).
 */
export class PostingList {
  static readonly EMPTY = new PostingList([])

  readonly length: number
  readonly chunks: readonly Uint32Array[]
  readonly #before: Float64Array

  private constructor(chunks: readonly Uint32Array[]) {
    this.chunks = chunks
    this.#before = new Float64Array(chunks.length)
    let length = 0
    for (let index = 0; index < chunks.length; index++) {
      this.#before[index] = length
      length += chunks[index].length
    }
    this.length = length
  }

  /** A list of sorted, non-empty chunks. */
  static of(chunks: readonly Uint32Array[]): PostingList {
    return chunks.length === 0 ? PostingList.EMPTY : new PostingList(chunks)
  }

  /** Copies rows [from, to) into `target`. Both positions must be within the list. */
  copy(from: number, to: number, target: Uint32Array): void {
    let chunk = this.#chunkOf(from)
    let at = from - this.#before[chunk]
    for (let written = 0; written < to - from; chunk++, at = 0) {
      const rows = this.chunks[chunk]
      const end = Math.min(rows.length, at + to - from - written)
      while (at < end) target[written++] = rows[at++]
    }
  }

  /** The chunks of rows [from, to), the first and the last without the other rows. */
  chunksOf(from: number, to: number): readonly Uint32Array[] {
    if (from >= to) return []
    const first = this.#chunkOf(from)
    const last = this.#chunkOf(to - 1)
    const chunks = this.chunks.slice(first, last + 1)
    chunks[last - first] = this.chunks[last].subarray(0, to - this.#before[last])
    chunks[0] = chunks[0].subarray(from - this.#before[first])
    return chunks
  }

  /** A copy of rows [from, to). Both positions must be within the list. */
  slice(from: number, to: number): Uint32Array {
    const rows = new Uint32Array(to - from)
    this.copy(from, to, rows)
    return rows
  }

  /** The row at a position from 0; undefined past the end. */
  at(position: number): number | undefined {
    return position < this.length ? this.#rowAt(position) : undefined
  }

  #rowAt(position: number): number {
    const chunk = this.#chunkOf(position)
    return this.chunks[chunk][position - this.#before[chunk]]
  }

  /** Number of rows that start before an instant. */
  countBefore(startMs: number, order: RowOrder): number {
    let low = 0
    let high = this.chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (order.startOf(this.chunks[middle][0]) < startMs) low = middle + 1
      else high = middle
    }
    if (low === 0) return 0
    const rows = this.chunks[low - 1]
    let first = 0
    let last = rows.length
    while (first < last) {
      const middle = (first + last) >>> 1
      if (order.startOf(rows[middle]) < startMs) first = middle + 1
      else last = middle
    }
    return this.#before[low - 1] + first
  }

  /** Length of the prefix for which a predicate holds; it must not hold for any row after the prefix. */
  countWhile(isTrue: (row: number) => boolean): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isTrue(this.#rowAt(middle))) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether a row is in the list. */
  includes(row: number, order: RowOrder): boolean {
    return this.at(this.countWhile((other) => order.compare(other, row) < 0)) === row
  }

  /**
   * Returns the list with rows added and removed. Rows to remove that are not in the list are ignored; rows to add must
   * not be in it. Yields after each changed chunk, so that the work can be spread over time.
   */
  *merge(added: PostingList, removed: PostingList, order: RowOrder): Generator<void, PostingList> {
    if (this.length === 0) return added
    if (added.length + removed.length === 0) return this
    const merged = new ChunkWriter()
    let chunk = 0
    let a = 0
    let r = 0
    while ((a < added.length || r < removed.length) && chunk < this.chunks.length) {
      const touched = this.#chunkFor(firstOf(added.at(a), removed.at(r), order), chunk, order)
      for (; chunk < touched; chunk++) merged.share(this.chunks[chunk])
      const rows = this.chunks[chunk]
      const next = this.chunks[chunk + 1]
      const aEnd = added.#countBelow(a, next === undefined ? rows[rows.length - 1] : next[0], order)
      const rEnd = next === undefined ? removed.length : removed.#countBelow(r, next[0], order)
      merged.write(mergeChunk(rows, added.slice(a, aEnd), removed.slice(r, rEnd), order))
      a = aEnd
      r = rEnd
      chunk++
      yield
    }
    for (; chunk < this.chunks.length; chunk++) merged.share(this.chunks[chunk])
    // The remaining rows come after all others.
    for (; a < added.length; a += CHUNK_ROWS_MAX) {
      merged.write(added.slice(a, Math.min(a + CHUNK_ROWS_MAX, added.length)))
      yield
    }
    return PostingList.of(merged.chunks)
  }

  /** The first position from `from` on whose row does not come before a bound. */
  #countBelow(from: number, bound: number, order: RowOrder): number {
    let low = from
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (order.compare(this.#rowAt(middle), bound) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #chunkOf(position: number): number {
    const before = this.#before
    let low = 0
    let high = before.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (before[middle] <= position) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The chunk, from `from` on, that contains a row or into which it would be inserted. */
  #chunkFor(row: number, from: number, order: RowOrder): number {
    let low = from
    let high = this.chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (order.compare(this.chunks[middle][0], row) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** So long that a filtered list has few chunks, and so short that a pass over one takes some microseconds. */
const BUILT_CHUNK_ROWS = 4096

/** A list of sorted rows, which it keeps. */
export function listOfRows(rows: Uint32Array): PostingList {
  const chunks: Uint32Array[] = []
  for (let from = 0; from < rows.length; from += BUILT_CHUNK_ROWS)
    chunks.push(rows.subarray(from, from + BUILT_CHUNK_ROWS))
  return PostingList.of(chunks)
}

/** Builds a list from rows that arrive in order. */
export class PostingListBuilder {
  readonly #chunks: Uint32Array[] = []
  #rows = NO_ROWS
  #length = 0

  push(row: number): void {
    if (this.#rows === NO_ROWS) this.#rows = new Uint32Array(CHUNK_ROWS_MAX)
    this.#rows[this.#length++] = row
    if (this.#length === CHUNK_ROWS_MAX) this.#turn()
  }

  build(): PostingList {
    if (this.#length > 0) this.#turn()
    return PostingList.of(this.#chunks)
  }

  #turn(): void {
    this.#chunks.push(this.#rows.slice(0, this.#length))
    this.#length = 0
  }
}

const NO_ROWS = new Uint32Array(0)

/** Collects the chunks of a new list; merges small neighbors and splits large chunks evenly. */
class ChunkWriter {
  readonly chunks: Uint32Array[] = []

  share(rows: Uint32Array): void {
    this.chunks.push(rows)
  }

  write(rows: Uint32Array): void {
    const last = this.chunks.at(-1)
    if (last !== undefined && last.length + rows.length <= CHUNK_ROWS_MAX / 2) {
      const both = new Uint32Array(last.length + rows.length)
      both.set(last)
      both.set(rows, last.length)
      this.chunks[this.chunks.length - 1] = both
    } else if (rows.length <= CHUNK_ROWS_MAX) {
      if (rows.length > 0) this.chunks.push(rows)
    } else {
      const pieces = Math.ceil(rows.length / CHUNK_ROWS_MAX)
      for (let piece = 0; piece < pieces; piece++) {
        const from = Math.floor((piece * rows.length) / pieces)
        this.chunks.push(rows.slice(from, Math.floor(((piece + 1) * rows.length) / pieces)))
      }
    }
  }
}

/** The earlier of two rows, at least one of which is defined. */
function firstOf(a: number | undefined, b: number | undefined, order: RowOrder): number {
  if (a === undefined) return b as number
  if (b === undefined) return a
  return order.compare(a, b) < 0 ? a : b
}

function mergeChunk(rows: Uint32Array, added: Uint32Array, removed: Uint32Array, order: RowOrder): Uint32Array {
  const merged = new Uint32Array(rows.length + added.length)
  let length = 0
  let from = 0
  let r = 0
  const copyBefore = (position: number) => {
    for (; from < position; from++) merged[length++] = rows[from]
  }
  const dropBefore = (row: number | undefined) => {
    for (; r < removed.length && (row === undefined || order.compare(removed[r], row) < 0); r++) {
      const position = positionIn(rows, from, removed[r], order)
      copyBefore(position)
      if (rows[position] === removed[r]) from++
    }
  }
  for (const row of added) {
    dropBefore(row)
    copyBefore(positionIn(rows, from, row, order))
    merged[length++] = row
  }
  dropBefore(undefined)
  copyBefore(rows.length)
  return length === merged.length ? merged : merged.slice(0, length)
}

/** Position of a row, or where it would be inserted, from a position on. */
function positionIn(rows: Uint32Array, from: number, row: number, order: RowOrder): number {
  let low = from
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order.compare(rows[middle], row) < 0) low = middle + 1
    else high = middle
  }
  return low
}
