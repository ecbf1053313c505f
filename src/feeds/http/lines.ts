/** Some lines of a file that came together. */
export interface LineBatch {
  /** The number of the first one, counted from 1. */
  readonly first: number
  /** Without their ends. A line that was too long is here with its beginning only. */
  readonly lines: readonly Buffer[]
  /** Which of `lines`, by index, were longer than `LINE_BYTES_MAX`. */
  readonly overlong: ReadonlySet<number>
}

/** A Slot takes about 600 bytes; a line of more than 1 MiB is no resource that anyone publishes. */
export const LINE_BYTES_MAX = 2 ** 20

/**
 * Cuts a stream into lines at `\n` or `\r\n`; the last needs no end, a byte order mark is dropped, and blank lines are
 * counted and yielded. Holds one piece of the stream and one unfinished line, never more than `LINE_BYTES_MAX` of it.
 */
export async function* readLines(body: AsyncIterable<Buffer>): AsyncGenerator<LineBatch> {
  const cutter = new LineCutter()
  for await (const piece of body) {
    const batch = cutter.cut(piece)
    if (batch.lines.length > 0) yield batch
  }
  const last = cutter.end()
  if (last.lines.length > 0) yield last
}

/** Enough of an overlong line to show what it was. */
const BEGINNING_BYTES = 2048

const PIECES_MAX = 1024

/**
 * Puts together what comes in parts (lines, elements of a document) and numbers it, without ever holding more than
 * `LINE_BYTES_MAX` of an unfinished one. What came whole is handed on as it is, without a copy.
 */
export class LineGatherer {
  #next = 1
  /** The parts of the one that has no end yet. */
  #open: Buffer[] = []
  #openBytes = 0
  #lines: Buffer[] = []
  #overlong = new Set<number>()

  /** None has been pushed yet. */
  get isEmpty(): boolean {
    return this.#next === 1 && this.#lines.length === 0
  }

  /** One has begun and has no end yet. */
  get isOpen(): boolean {
    return this.#openBytes > 0
  }

  /** Holds a part of one that goes on. */
  keep(part: Buffer): void {
    const wasOverlong = this.#openBytes > LINE_BYTES_MAX
    this.#openBytes += part.length
    if (wasOverlong) return
    this.#open.push(part)
    if (this.#openBytes > LINE_BYTES_MAX) this.#open = [beginningOf(this.#open)]
    // One that drips in byte by byte would cost far more in pieces than whole.
    else if (this.#open.length > PIECES_MAX) this.#open = [Buffer.concat(this.#open)]
  }

  /** The one that ends with this part, or the beginning of one that is too long: to be pushed next, whole or trimmed. */
  close(part: Buffer): Buffer {
    if (this.#openBytes === 0 && part.length <= LINE_BYTES_MAX) return part
    this.keep(part)
    if (this.#openBytes > LINE_BYTES_MAX) this.#overlong.add(this.#lines.length)
    const line = Buffer.concat(this.#open)
    this.#open = []
    this.#openBytes = 0
    return line
  }

  push(line: Buffer): void {
    this.#lines.push(line)
  }

  /** All that were pushed since the last call. */
  take(): LineBatch {
    const batch = { first: this.#next, lines: this.#lines, overlong: this.#overlong }
    this.#next += this.#lines.length
    this.#lines = []
    this.#overlong = new Set()
    return batch
  }
}

function beginningOf(parts: readonly Buffer[]): Buffer {
  const [only] = parts
  const whole = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
  return whole.length <= BEGINNING_BYTES ? whole : Buffer.from(whole.subarray(0, BEGINNING_BYTES))
}

const NEWLINE = 10
const RETURN = 13
const NOTHING = Buffer.alloc(0)
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

class LineCutter {
  readonly #lines = new LineGatherer()

  cut(piece: Buffer): LineBatch {
    let from = 0
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      this.#push(this.#lines.close(piece.subarray(from, end)))
      from = end + 1
    }
    if (from < piece.length) this.#lines.keep(piece.subarray(from))
    return this.#lines.take()
  }

  end(): LineBatch {
    if (this.#lines.isOpen) this.#push(this.#lines.close(NOTHING))
    return this.#lines.take()
  }

  #push(line: Buffer): void {
    const end = line.at(-1) === RETURN ? line.length - 1 : line.length
    const start = this.#lines.isEmpty && hasByteOrderMark(line) ? BYTE_ORDER_MARK.length : 0
    this.#lines.push(end === line.length && start === 0 ? line : line.subarray(start, end))
  }
}

function hasByteOrderMark(line: Buffer): boolean {
  return line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
}
