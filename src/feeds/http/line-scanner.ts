// Hot path: every byte of a feed.
import { createHash, randomBytes } from 'node:crypto'
import { KEY_BYTES, openLineScan, PIECE_BYTES } from './line-scan.ts'
import { BEGINNING_BYTES, fingerprint, hasByteOrderMark, LINE_BYTES_MAX, partMask } from './lines.ts'

/** The lines that end in a piece of a file; valid until the next piece is scanned. */
export interface ScannedLines {
  /** The number of the first one, counted from 1. */
  readonly first: number
  readonly count: number
  /** Identifies a line: an integer from 0 to below 2^52. */
  fingerprint(at: number): number
  /** Without its end. Of a line that is too long only the beginning. */
  line(at: number): Buffer
  isOverlong(at: number): boolean
}

/** A random key for the fingerprints of a source. Its publisher must not learn it. */
export function newLineKey(): string {
  return randomBytes(32).toString('base64url')
}

const NEWLINE = 10
const BYTE_ORDER_MARK_BYTES = 3

/**
 * Splits files into lines like `LineSplitter`, and identifies each line by a keyed hash, at several bytes per nanosecond: in WebAssembly,
 * without an object for a line.
 *
 *     input     [ unfinished line | piece of the file ]      copied, so that the chunk can be freed
 *
 * The hash is the multilinear hash of Carter and Wegman, twice, with the upper 26 bits of each (D. Lemire and O. Kaser, Strongly
 * universal string hashing is fast, 2014). Two lines collide with a probability of 2^-52 whatever they are, for one who does not know
 * the key and never sees a fingerprint: a collision would keep a deleted slot.
 */
export class LineScanner implements ScannedLines {
  readonly #scan = openLineScan()
  #part = 0
  #openAt = 0
  #openBytes = 0
  #isOpenOverlong = false
  #isFirstOverlong = false
  first = 1
  count = 0

  /** `key`: see `newLineKey()`. */
  constructor(key: string) {
    this.#scan.keys.set(createHash('shake256', { outputLength: KEY_BYTES }).update(key).digest())
  }

  /** Begins a file; `part` is its number: see `fingerprint()` of lines. */
  startFile(part: number): void {
    this.#part = part
    this.#openAt = 0
    this.#openBytes = 0
    this.#isOpenOverlong = false
    this.first = 1
    this.count = 0
  }

  /** Yields itself for each piece of the chunk. */
  *scan(chunk: Uint8Array): Generator<ScannedLines> {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield this.#add(chunk.subarray(at, at + PIECE_BYTES))
  }

  /** The last line of the file, if it has no end. */
  *end(): Generator<ScannedLines> {
    if (this.#openBytes > 0) yield this.#add(Uint8Array.of(NEWLINE))
  }

  fingerprint(at: number): number {
    const hashed = this.#scan.fingerprints[at]
    return hashed >= 0 ? hashed : fingerprint(this.line(at), this.#part)
  }

  line(at: number): Buffer {
    const length = this.#scan.lengths[at]
    const end = this.isOverlong(at) ? Math.min(length, BEGINNING_BYTES) : length
    return Buffer.from(this.#scan.input.buffer, this.#scan.starts[at], end)
  }

  isOverlong(at: number): boolean {
    return at === 0 && this.#isFirstOverlong
  }

  #add(piece: Uint8Array): this {
    const { input, starts, lengths } = this.#scan
    // Not before: the lines of the last piece were valid until now.
    input.copyWithin(0, this.#openAt, this.#openAt + this.#openBytes)
    input.set(piece, this.#openBytes)
    this.first += this.count
    const end = this.#openBytes + piece.length
    const start = this.first === 1 && hasByteOrderMark(input.subarray(0, end)) ? BYTE_ORDER_MARK_BYTES : 0
    this.count = this.#scan.run(start, Math.max(start, this.#openBytes), end, partMask(this.#part))
    const hasLines = this.count > 0
    this.#isFirstOverlong = hasLines && (this.#isOpenOverlong || lengths[0] > LINE_BYTES_MAX)
    this.#openAt = hasLines ? starts[this.count] - input.byteOffset : 0
    this.#openBytes = end - this.#openAt
    this.#isOpenOverlong = this.#openBytes > LINE_BYTES_MAX || (this.#isOpenOverlong && !hasLines)
    if (this.#isOpenOverlong) this.#openBytes = BEGINNING_BYTES
    return this
  }
}
