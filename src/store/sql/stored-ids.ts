/** Room at first, if no more is expected; it doubles when two thirds are taken. A power of two. */
const ROOM_MIN = 4_096

/**
 * Which rows may hold a slot id: a hash table in memory, 12 to 36 bytes a row, for one sync.
 *
 *     place      hash & (room - 1), or the next free one
 *     tags       Uint32    the hash of the id; 0 marks a free place
 *     keys       Float64   the row's key
 *
 * It answers with candidates: two ids of one hash share a tag, and rows that died since are still named. The caller
 * reads the rows and compares. An index in the database was the alternative: ids are random, so each batch of a first
 * sync would rewrite nearly every page of it.
 */
export class StoredIds {
  #tags: Uint32Array
  #keys: Float64Array
  #size = 0

  /** `expected`: about how many rows there will be; to grow would double what it costs to fill. */
  constructor(expected = 0) {
    const room = Math.max(ROOM_MIN, 2 ** Math.ceil(Math.log2(expected * 1.5 + 1)))
    this.#tags = new Uint32Array(room)
    this.#keys = new Float64Array(room)
  }

  add(id: string, key: number): void {
    if (this.#size * 3 >= this.#tags.length * 2) this.#grow()
    this.#insert(tagOf(id), key)
    this.#size++
  }

  /** The keys of all rows that may hold one of the ids: for each often one, mostly none when there is none. */
  candidates(ids: readonly string[]): number[] {
    const mask = this.#tags.length - 1
    const keys: number[] = []
    for (const id of ids) {
      const tag = tagOf(id)
      for (let place = tag & mask; this.#tags[place] !== 0; place = (place + 1) & mask) {
        if (this.#tags[place] === tag) keys.push(this.#keys[place])
      }
    }
    return keys
  }

  #insert(tag: number, key: number): void {
    const mask = this.#tags.length - 1
    let place = tag & mask
    while (this.#tags[place] !== 0) place = (place + 1) & mask
    this.#tags[place] = tag
    this.#keys[place] = key
  }

  #grow(): void {
    const tags = this.#tags
    const keys = this.#keys
    this.#tags = new Uint32Array(tags.length * 2)
    this.#keys = new Float64Array(tags.length * 2)
    for (let place = 0; place < tags.length; place++) {
      if (tags[place] !== 0) this.#insert(tags[place], keys[place])
    }
  }
}

/** FNV-1a over the characters, stirred so that the low bits, which choose the place, depend on all of them. */
function tagOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = (hash ^ (hash >>> 13)) >>> 0
  return hash === 0 ? 1 : hash
}
