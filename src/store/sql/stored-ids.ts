// Hot path: the ids of all slots of a source.

const CAPACITY_MIN = 4_096

/** Room for new rows beside those that are expected. */
const ROOM = 17 / 16

/** The largest share of buckets in use. */
const LOAD_MAX = 3 / 4

/** Rows of a snapshot by ascending key. `tags`: `tagOf()` of their ids. */
interface TaggedRows {
  readonly tags: Uint32Array
  readonly keys: Uint32Array | Float64Array
}

/**
 * Candidate rows by slot id: an open-addressing hash table for one sync, 6 to 11 bytes per row besides its tag.
 *
 *     bucket     the tag, a hash of the id, as a fraction of 2^32 of the capacity, or the next free one (linear probing)
 *     entry      Uint32    low bits: the number of the row, plus 1: first the stored rows, then the drafts
 *                          other bits: the low ones of the tag, which tell most other tags apart without reading theirs
 *
 * It returns candidates: ids with equal hashes share a tag, and deleted rows stay. The caller reads and compares the rows. The
 * alternative, an index in the database, was rejected: ids are random, so each batch of a first sync would rewrite nearly every page.
 */
export class StoredIds {
  #stored: TaggedRows = { tags: new Uint32Array(0), keys: new Float64Array(0) }
  #drafts = new Uint32Array(CAPACITY_MIN)
  #draftCount = 0
  /** Drafts with consecutive keys: the number of the first draft, and its key. */
  readonly #ranges: { readonly draft: number; readonly key: number }[] = []
  #table: Uint32Array
  #rowBits: number

  /** `expected`: the number of rows at first; growing doubles the cost of filling. */
  constructor(expected = 0) {
    this.#table = new Uint32Array(Math.max(CAPACITY_MIN, Math.ceil((expected * ROOM) / LOAD_MAX)))
    this.#rowBits = rowBitsOf(this.#table)
  }

  /** Adds the rows of the last snapshot, once. */
  setStored(rows: TaggedRows): void {
    const isFirst = this.#draftCount === 0
    this.#stored = rows
    if (!isFirst || this.#size >= this.#table.length * LOAD_MAX) this.#fill(this.#size)
    else for (let row = 0; row < rows.tags.length; row++) this.#insert(rows.tags[row], row)
  }

  /** `tag`: `tagOf(id)`. */
  add(tag: number, key: number): void {
    if (this.#size + 1 >= this.#table.length * LOAD_MAX) this.#fill(this.#size * 2)
    if (this.#draftCount === this.#drafts.length) this.#growDrafts()
    const draft = this.#draftCount++
    const last = this.#ranges.at(-1)
    if (last === undefined || last.key + draft - last.draft !== key) this.#ranges.push({ draft, key })
    this.#drafts[draft] = tag
    this.#insert(tag, this.#stored.tags.length + draft)
  }

  /** The keys of all rows that may have one of the ids. */
  candidates(ids: readonly string[]): number[] {
    const table = this.#table
    const rowBits = this.#rowBits
    const rowMask = 2 ** rowBits - 1
    const keys: number[] = []
    for (const id of ids) {
      const tag = tagOf(id)
      for (let at = bucketOf(tag, table); table[at] !== 0; at = at + 1 < table.length ? at + 1 : 0) {
        if ((table[at] ^ (tag << rowBits)) >>> rowBits !== 0) continue
        const row = (table[at] & rowMask) - 1
        if (this.#tagAt(row) === tag) keys.push(this.#keyAt(row))
      }
    }
    return keys
  }

  get #size(): number {
    return this.#stored.tags.length + this.#draftCount
  }

  #tagAt(row: number): number {
    const { tags } = this.#stored
    return row < tags.length ? tags[row] : this.#drafts[row - tags.length]
  }

  #keyAt(row: number): number {
    const { keys } = this.#stored
    if (row < keys.length) return keys[row]
    const draft = row - keys.length
    let low = 0
    for (let high = this.#ranges.length - 1; low < high; ) {
      const middle = (low + high + 1) >>> 1
      if (this.#ranges[middle].draft <= draft) low = middle
      else high = middle - 1
    }
    return this.#ranges[low].key + draft - this.#ranges[low].draft
  }

  #insert(tag: number, row: number): void {
    const table = this.#table
    let at = bucketOf(tag, table)
    while (table[at] !== 0) at = at + 1 < table.length ? at + 1 : 0
    table[at] = ((tag << this.#rowBits) >>> 0) + row + 1
  }

  /** Replaces the table, with room for `expected` rows. */
  #fill(expected: number): void {
    this.#table = new Uint32Array(Math.max(CAPACITY_MIN, Math.ceil((expected * ROOM) / LOAD_MAX)))
    this.#rowBits = rowBitsOf(this.#table)
    for (let row = 0; row < this.#size; row++) this.#insert(this.#tagAt(row), row)
  }

  #growDrafts(): void {
    const drafts = new Uint32Array(this.#drafts.length * 2)
    drafts.set(this.#drafts)
    this.#drafts = drafts
  }
}

/** The bits that the number of any row, plus 1, fits into. */
function rowBitsOf(table: Uint32Array): number {
  return 32 - Math.clz32(table.length)
}

/** Where the search for a tag begins. */
function bucketOf(tag: number, table: Uint32Array): number {
  return Math.floor((tag / 2 ** 32) * table.length)
}

/** Ids are hashes: the last characters, 40 bits, are as good as all. */
const TAG_LENGTH = 8

/** A hash of an id: FNV-1a, mixed so that the high bits, which select the bucket, depend on all these characters. */
export function tagOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = Math.max(0, id.length - TAG_LENGTH); at < id.length; at++)
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
