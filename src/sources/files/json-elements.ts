// Hot path: looks at every byte of a document.
import { LINE_BYTES_MAX, type LineBatch } from '../web/lines.ts'

/** Enough of an overlong element to show what it was. */
const BEGINNING_BYTES = 2048

/** Names and short values beside the array are remembered up to this length. */
const WORD_BYTES_MAX = 64

/** Under which name an array of slots or resources stands. */
const ARRAYS: ReadonlySet<string> = new Set(['slots', 'entry'])

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [123, 125, 91, 93]
const SPACE = 32

/**
 * Cuts a JSON document into the elements of its one great array, without ever holding more than an element:
 *
 *     [ {…}, {…} ]      { "slots": [ {…}, {…} ], "total": 2 }      { "resourceType": "Bundle", "entry": [ {…} ] }
 *
 * Follows strings, braces and brackets alone: whether an element is JSON is for whoever parses it to find. Elements are
 * numbered from 1; of one that is longer than `LINE_BYTES_MAX` only the beginning is handed on.
 */
export class JsonElements {
  /** What stands beside the array, if it is short: `resourceType`, `total`. */
  readonly beside = new Map<string, string>()
  /** The array was there. */
  isFound = false
  #depth = 0
  /** The depth of the array while inside of it; -1 outside. */
  #arrayDepth = -1
  #inString = false
  #isEscaped = false
  #isOver = false
  #hasMore = false
  #next = 1
  /** Where in the piece the element began; -1 between elements. */
  #from = -1
  #open: Buffer[] = []
  #openBytes = 0
  #lines: Buffer[] = []
  #overlong = new Set<number>()
  /** The name or short value that is being read at the top of the document. */
  #word = ''
  #key: string | undefined

  /** The elements that ended in this piece. */
  cut(piece: Buffer): LineBatch {
    this.#from = this.#openBytes > 0 ? 0 : -1
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]
      if (this.#inString) this.#passString(byte)
      else if (byte > SPACE) this.#pass(byte, at, piece)
    }
    if (this.#from >= 0) this.#keepOpen(piece.subarray(this.#from))
    return this.#take()
  }

  /** Why what was cut is no whole document; undefined if it is. To be asked at the end. */
  fault(): string | undefined {
    if (!this.#isOver) return 'it must be whole: got "an end in the middle of it"'
    if (this.#arrayDepth >= 0) return 'it must be JSON: got "brackets that do not match"'
    if (this.#hasMore) return 'it must be one JSON document: got "more behind its end"'
    if (this.isFound || this.beside.get('resourceType') === 'Bundle') return undefined
    return 'it must be a Bundle, an array, or {"slots": […]}: got "another document"'
  }

  #passString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#inString = false
    if (this.#inString && this.#depth === 1 && this.#arrayDepth < 0) this.#addToWord(byte)
  }

  #pass(byte: number, at: number, piece: Buffer): void {
    if (this.#isOver) {
      this.#hasMore = true
      return
    }
    if (this.#depth === this.#arrayDepth && this.#passBetween(byte, at, piece)) return
    if (byte === QUOTE) this.#inString = true
    else if (byte === BRACE || byte === BRACKET) this.#goDeeper(byte)
    else if (byte === BRACE_END || byte === BRACKET_END) this.#comeBack(at, piece)
    else if (this.#depth === 1 && this.#arrayDepth < 0) this.#passTop(byte)
  }

  /** Inside the array and outside of any element's own braces. True if that is all there is to do. */
  #passBetween(byte: number, at: number, piece: Buffer): boolean {
    const ends = byte === COMMA || byte === BRACKET_END
    if (!ends && this.#from < 0) this.#from = at
    // A bare word ends here; an object ended with its brace.
    if (ends && this.#from >= 0) this.#close(piece.subarray(this.#from, at))
    if (byte !== BRACKET_END) return ends
    this.#arrayDepth = -1
    this.#key = undefined
    this.#descend()
    return true
  }

  #goDeeper(byte: number): void {
    const isTop = this.#depth === 0
    this.#depth++
    if (byte !== BRACKET || this.#arrayDepth >= 0 || this.isFound) return
    if (!isTop && !(this.#depth === 2 && ARRAYS.has(this.#key ?? ''))) return
    this.#arrayDepth = this.#depth
    this.isFound = true
  }

  #comeBack(at: number, piece: Buffer): void {
    if (this.#depth === 1) this.#endWord()
    this.#descend()
    if (this.#depth === this.#arrayDepth) this.#close(piece.subarray(this.#from, at + 1))
  }

  #descend(): void {
    this.#depth--
    if (this.#depth <= 0) this.#isOver = true
  }

  /** Between the names and values at the top of the document. */
  #passTop(byte: number): void {
    if (byte === COLON) {
      this.#key = this.#word
      this.#word = ''
    } else if (byte === COMMA) this.#endWord()
    else this.#addToWord(byte)
  }

  #endWord(): void {
    if (this.#key !== undefined && this.#word !== '' && this.beside.size < 20)
      this.beside.set(this.#key, this.#word)
    this.#key = undefined
    this.#word = ''
  }

  #addToWord(byte: number): void {
    if (this.#word.length < WORD_BYTES_MAX) this.#word += String.fromCharCode(byte)
  }

  #keepOpen(part: Buffer): void {
    if (this.#openBytes <= LINE_BYTES_MAX) this.#open.push(part)
    this.#openBytes += part.length
    if (this.#openBytes > LINE_BYTES_MAX)
      this.#open = [Buffer.from(Buffer.concat(this.#open).subarray(0, BEGINNING_BYTES))]
  }

  #close(part: Buffer): void {
    this.#from = -1
    if (this.#openBytes + part.length > LINE_BYTES_MAX) {
      this.#keepOpen(part)
      this.#overlong.add(this.#lines.length)
      this.#lines.push(Buffer.concat(this.#open))
    } else this.#lines.push(this.#openBytes > 0 ? Buffer.concat([...this.#open, part]) : part)
    this.#open = []
    this.#openBytes = 0
  }

  #take(): LineBatch {
    const batch = { first: this.#next, lines: this.#lines, overlong: this.#overlong }
    this.#next += this.#lines.length
    this.#lines = []
    this.#overlong = new Set()
    return batch
  }
}
