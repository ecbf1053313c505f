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

/** Enough of an overlong line to show what it was. */
const BEGINNING_BYTES = 2048

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

const PIECES_MAX = 1024

const NEWLINE = 10
const RETURN = 13
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

class LineCutter {
  #next = 1
  /** The pieces of the line that has no end yet. */
  #open: Buffer[] = []
  #openBytes = 0
  #lines: Buffer[] = []
  #overlong = new Set<number>()

  cut(piece: Buffer): LineBatch {
    let from = 0
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      if (this.#openBytes > 0 || end - from > LINE_BYTES_MAX) {
        this.#keepOpen(piece.subarray(from, end))
        this.#close()
      } else {
        this.#push(piece.subarray(from, end))
      }
      from = end + 1
    }
    if (from < piece.length) this.#keepOpen(piece.subarray(from))
    return this.#take()
  }

  end(): LineBatch {
    if (this.#openBytes > 0) this.#close()
    return this.#take()
  }

  #keepOpen(part: Buffer): void {
    if (this.#openBytes <= LINE_BYTES_MAX) this.#open.push(part)
    this.#openBytes += part.length
    if (this.#openBytes > LINE_BYTES_MAX) this.#open = [beginningOf(this.#open)]
    // A line that drips in byte by byte would cost far more in pieces than whole.
    else if (this.#open.length > PIECES_MAX) this.#open = [Buffer.concat(this.#open)]
  }

  #close(): void {
    if (this.#openBytes > LINE_BYTES_MAX) this.#overlong.add(this.#lines.length)
    this.#push(Buffer.concat(this.#open))
    this.#open = []
    this.#openBytes = 0
  }

  #push(line: Buffer): void {
    const end = line.at(-1) === RETURN ? line.length - 1 : line.length
    const start =
      this.#next === 1 && this.#lines.length === 0 && hasByteOrderMark(line) ? BYTE_ORDER_MARK.length : 0
    this.#lines.push(end === line.length && start === 0 ? line : line.subarray(start, end))
  }

  #take(): LineBatch {
    const batch = { first: this.#next, lines: this.#lines, overlong: this.#overlong }
    this.#next += this.#lines.length
    this.#lines = []
    this.#overlong = new Set()
    return batch
  }
}

function beginningOf(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces
  const whole = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
  return whole.length <= BEGINNING_BYTES ? whole : Buffer.from(whole.subarray(0, BEGINNING_BYTES))
}

function hasByteOrderMark(line: Buffer): boolean {
  return line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
}
