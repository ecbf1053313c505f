// Hot path
import type { Offering } from '../../slot/slot.ts'
import { prefetched } from '../prefetch.ts'
import { Column } from './column.ts'

const CACHE_LINE = 64

/** Words of `places`: the number of the chunk comes first, and where the details end last. */
const WORDS = 4
const JSON_FROM = 1
const DETAILS_FROM = 2

/** The JSON of offerings by number, in chunks of shared memory. */
export class OfferingJson {
  readonly chunks: Buffer[] = []
  /** Four words by offering, in one cache line: the number of a chunk, and where its JSON begins there, and its details begin and end. */
  readonly places = new Column<Uint32Array>(Uint32Array)

  /** Number of offerings. */
  get length(): number {
    return this.places.length / WORDS
  }

  /** Adds memory with the texts of so many offerings, which are put next. */
  addChunk(memory: SharedArrayBuffer, count: number): void {
    this.chunks.push(Buffer.from(memory))
    this.places.reserve(count * WORDS)
  }

  /** The next offering, in the last chunk. */
  put(from: number, detailsFrom: number, to: number): void {
    for (const word of [this.chunks.length - 1, from, detailsFrom, to]) this.places.push(word)
  }

  /** The next offering, with the JSON of another. */
  putLike(original: number): void {
    for (let word = 0; word < WORDS; word++) this.places.push(this.places.values[original * WORDS + word])
  }

  /** Bytes of an offering's `encodeOffering()`. */
  lengthOf(number: number): number {
    const at = number * WORDS
    return this.places.values[at + DETAILS_FROM] - this.places.values[at + JSON_FROM]
  }

  /** Prefetches where the texts of an offering are. */
  prefetchPlace(number: number): void {
    prefetched[0] = this.places.values[number * WORDS]
  }

  /** Prefetches an offering's `encodeOffering()`. */
  prefetch(number: number): void {
    const { values } = this.places
    const word = number * WORDS
    const bytes = this.chunks[values[word]]
    let sum = 0
    for (let at = values[word + JSON_FROM]; at < values[word + DETAILS_FROM]; at += CACHE_LINE) sum ^= bytes[at]
    prefetched[0] = sum
  }

  /** Copies an offering's `encodeOffering()` and returns the end. */
  copy(number: number, target: Buffer, at: number): number {
    const { values } = this.places
    const word = number * WORDS
    return at + this.chunks[values[word]].copy(target, at, values[word + JSON_FROM], values[word + DETAILS_FROM])
  }

  /** An offering with its details. */
  parse(number: number): Offering {
    const word = number * WORDS
    const [place, from, middle, to] = this.places.values.subarray(word, word + WORDS)
    const chunk = this.chunks[place]
    // The bytes begin with a comma in place of the opening brace.
    const served = JSON.parse(`{${chunk.toString('utf8', from + 1, middle)}`)
    return middle === to ? served : { ...served, details: JSON.parse(chunk.toString('utf8', middle, to)) }
  }
}
