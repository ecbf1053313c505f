/** What is known of a file's bytes once they have gone by. */
export class ObservedBody {
  bytes = 0
  /** Lines that end in `\r\n`. */
  returns = 0
  hasByteOrderMark = false
  #first: Buffer = Buffer.alloc(0)
  #last = NEWLINE

  get endsWithNewline(): boolean {
    return this.#last === NEWLINE
  }

  get isGzip(): boolean {
    return this.#first[0] === 0x1f && this.#first[1] === 0x8b
  }

  /** It begins like a JSON document over several lines: with a bracket that stands alone. */
  get isPretty(): boolean {
    return /^\ufeff?\s*[{[][ \t]*\r?\n/.test(this.#first.toString())
  }

  /** Hands the pieces on. */
  async *watch(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of body) {
      this.#look(piece)
      yield piece
    }
  }

  #look(piece: Buffer): void {
    if (piece.length === 0) return
    if (this.#first.length < BEGINNING_BYTES)
      this.#first = Buffer.concat([this.#first, piece.subarray(0, BEGINNING_BYTES)]).subarray(
        0,
        BEGINNING_BYTES,
      )
    if (this.bytes < 3) this.hasByteOrderMark = this.#first.subarray(0, 3).equals(BYTE_ORDER_MARK)
    if (this.#last === RETURN && piece[0] === NEWLINE) this.returns++
    for (let at = piece.indexOf('\r\n'); at >= 0; at = piece.indexOf('\r\n', at + 2)) this.returns++
    this.bytes += piece.length
    this.#last = piece[piece.length - 1]
  }
}

const NEWLINE = 10
const RETURN = 13
const BEGINNING_BYTES = 256
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
