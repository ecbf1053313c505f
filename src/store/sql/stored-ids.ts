// Hot path: the ids of all slots of a source.

const CAPACITY_MIN = 4_096

const ROOM = 17 / 16

/** The largest share of buckets in use. */
const LOAD_MAX = 3 / 4

/**
 * Candidate rows by slot id: an open-addressing hash table for one sync, 11 to 21 bytes per row.
 *
 *     bucket     the tag as a fraction of 2^32 of the capacity, or the next free one (linear probing)
 *     entry      Uint32    tag, the hash of the id; 0 marks a free bucket
 *                Uint32    the row's key modulo 2^32
 *
 * It returns candidates: ids with equal hashes share a tag, keys that differ by 2^32 an entry, and deleted rows stay. The caller reads and
 * compares the rows. The alternative, an index in the database, was rejected: ids are random, so each batch of a first sync would rewrite
 * nearly every page.
 */
export class StoredIds {
  #entries: Uint32Array
  #size = 0
  #firstKey = Number.POSITIVE_INFINITY
  #lastKey = 0

  /** `expected`: the number of rows at first; room for some more, since growing doubles the cost of filling. */
  constructor(expected = 0) {
    this.#entries = new Uint32Array(2 * Math.max(CAPACITY_MIN, Math.ceil((expected * ROOM) / LOAD_MAX)))
  }

  /** `tag`: `tagOf(id)`. */
  add(tag: number, key: number): void {
    if (this.#size * 2 >= this.#entries.length * LOAD_MAX) this.#grow()
    this.#insert(tag, key % KEY_PERIOD)
    this.#firstKey = Math.min(this.#firstKey, key)
    this.#lastKey = Math.max(this.#lastKey, key)
    this.#size++
  }

  /** The keys of all rows that may have one of the ids. */
  candidates(ids: readonly string[]): number[] {
    const entries = this.#entries
    const keys: number[] = []
    for (const id of ids) {
      const tag = tagOf(id)
      for (let at = bucketOf(tag, entries); entries[at] !== 0; at = at + 2 < entries.length ? at + 2 : 0) {
        if (entries[at] === tag) this.#addKeys(keys, entries[at + 1])
      }
    }
    return keys
  }

  /** All keys with this remainder; one, until a store has inserted four billion rows. */
  #addKeys(keys: number[], remainder: number): void {
    const period = Math.floor(this.#firstKey / KEY_PERIOD) * KEY_PERIOD
    for (let key = period + remainder; key <= this.#lastKey; key += KEY_PERIOD)
      if (key >= this.#firstKey) keys.push(key)
  }

  #insert(tag: number, key: number): void {
    const entries = this.#entries
    let at = bucketOf(tag, entries)
    while (entries[at] !== 0) at = at + 2 < entries.length ? at + 2 : 0
    entries[at] = tag
    entries[at + 1] = key
  }

  #grow(): void {
    const entries = this.#entries
    this.#entries = new Uint32Array(entries.length * 2)
    for (let at = 0; at < entries.length; at += 2) {
      if (entries[at] !== 0) this.#insert(entries[at], entries[at + 1])
    }
  }
}

const KEY_PERIOD = 2 ** 32

/** Where the search for a tag begins. */
function bucketOf(tag: number, entries: Uint32Array): number {
  return 2 * Math.floor((tag / 2 ** 32) * (entries.length / 2))
}

/** Ids are hashes: the last characters, 40 bits, are as good as all. */
const TAG_LENGTH = 8

/** A hash of an id, never 0: FNV-1a, mixed so that the high bits, which select the bucket, depend on all these characters. */
export function tagOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = Math.max(0, id.length - TAG_LENGTH); at < id.length; at++)
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = (hash ^ (hash >>> 13)) >>> 0
  return hash === 0 ? 1 : hash
}
