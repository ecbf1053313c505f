import { hasSignature } from '../lib/signature.ts'

/** Observes the bytes of a file as they are read. */
export class ObservedBody {
  bytes = 0
  /** Lines that end in `\r\n`. */
  crlfLines = 0
  hasByteOrderMark = false
  #prefix: Buffer = Buffer.alloc(0)
  #last = NEWLINE

  get endsWithNewline(): boolean {
    return this.#last === NEWLINE
  }

  /** True if the decoded content is still gzip. */
  get isGzip(): boolean {
    return hasSignature(this.#prefix, 'gzip')
  }

  /** True if it begins with a bracket on a separate line, like a pretty-printed document. */
  get isPretty(): boolean {
    return /^\ufeff?\s*[{[][ \t]*\r?\n/.test(this.#prefix.toString())
  }

  /** Yields the chunks unchanged. */
  async *observe(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      this.#add(chunk)
      yield chunk
    }
  }

  #add(chunk: Buffer): void {
    if (chunk.length === 0) return
    if (this.#prefix.length < PREFIX_BYTES)
      this.#prefix = Buffer.concat([this.#prefix, chunk.subarray(0, PREFIX_BYTES)]).subarray(0, PREFIX_BYTES)
    if (this.bytes < 3) this.hasByteOrderMark = this.#prefix.subarray(0, 3).equals(BYTE_ORDER_MARK)
    if (this.#last === RETURN && chunk[0] === NEWLINE) this.crlfLines++
    for (let at = chunk.indexOf('\r\n'); at >= 0; at = chunk.indexOf('\r\n', at + 2)) this.crlfLines++
    this.bytes += chunk.length
    this.#last = chunk[chunk.length - 1]
  }
}

const NEWLINE = 10
const RETURN = 13
const PREFIX_BYTES = 256
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
