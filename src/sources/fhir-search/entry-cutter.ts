// Hot path: looks at every byte of a page.
import { type Json, objectOf, shown, Unreadable } from '../fhir/json.ts'
import { LINE_BYTES_MAX, type LineBatch } from '../web/lines.ts'

/** Enough of an overlong element to show what it was. */
const BEGINNING_BYTES = 2048

/** What stands around the array: a type, links, a total. */
const AROUND_BYTES_MAX = 2 ** 20

const NAME_LENGTH_MAX = 50

const PIECES_MAX = 1024

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [123, 125, 91, 93]
const SPACE = 32

/**
 * Cuts a JSON object into the elements of one of its arrays and what stands around it, without holding either an element
 * that was handed on or more of an unfinished one than `LINE_BYTES_MAX`:
 *
 *     { "resourceType": "Bundle", "link": […], "entry": [ {…} , {…} , … ] }
 *       └───────────── around ────────────┘               └─ elements ─┘
 *
 * Follows strings, braces and brackets alone: whether an element is JSON is for whoever parses it to find, and what
 * stands around is parsed at the end. A page of 64 MiB that is made to fill the memory once parsed thus never is.
 */
export class EntryCutter {
  readonly #array: string
  #depth = 0
  #inString = false
  #isEscaped = false
  /** Inside the array: its elements are at depth 2. */
  #isInside = false
  /** The last string at the top of the object, and the one that stood before a colon. */
  #word = ''
  #name = ''
  #next = 1
  /** Where in this piece the element began; -1 between elements. */
  #from = -1
  #open: Buffer[] = []
  #openBytes = 0
  #elements: Buffer[] = []
  #overlong = new Set<number>()
  #around: Buffer[] = []
  #aroundBytes = 0

  /** `array`: under which name the array stands. */
  constructor(array: string) {
    this.#array = array
  }

  /** The elements that ended in this piece. Throws `Unreadable` if it is no object, or too much stands around the array. */
  cut(piece: Buffer): LineBatch {
    this.#from = this.#openBytes > 0 ? 0 : -1
    let aroundFrom = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]
      if (this.#inString) {
        this.#passString(byte)
      } else if (byte > SPACE) {
        const wasInside = this.#isInside
        if (wasInside) this.#passInside(byte, at, piece)
        else this.#passAround(byte, piece)
        if (this.#isInside === wasInside) continue
        if (wasInside) aroundFrom = at
        else this.#keepAround(piece.subarray(aroundFrom, at + 1))
      }
    }
    if (!this.#isInside) this.#keepAround(piece.subarray(aroundFrom))
    else if (this.#from >= 0) this.#keepOpen(piece.subarray(this.#from))
    return this.#take()
  }

  /** The object with an empty array in the place of the cut one. Throws `Unreadable` if it is not whole, or no JSON. */
  end(): Json {
    const text = Buffer.concat(this.#around)
      .toString()
      .replace(/^\ufeff/, '')
    if (this.#depth > 0) throw new Unreadable('it must be whole: got "an end in the middle"')
    try {
      const around = objectOf(JSON.parse(text))
      if (around !== undefined) return around
    } catch {
      // Said below.
    }
    throw new Unreadable(`it must be a JSON object: got "${shown(text.trim())}"`)
  }

  #passString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#inString = false
    if (this.#inString && this.#depth === 1 && this.#word.length < NAME_LENGTH_MAX)
      this.#word += String.fromCharCode(byte)
  }

  #passAround(byte: number, piece: Buffer): void {
    if (this.#depth === 0 && byte !== BRACE && byte < 128) this.#refuse(piece)
    if (byte === QUOTE) {
      this.#inString = true
      this.#word = ''
    } else if (byte === COLON && this.#depth === 1) {
      this.#name = this.#word
    } else if (byte === BRACE || byte === BRACKET) {
      this.#isInside = byte === BRACKET && this.#depth === 1 && this.#name === this.#array
      this.#depth++
    } else if (byte === BRACE_END || byte === BRACKET_END) {
      this.#depth--
    }
  }

  #passInside(byte: number, at: number, piece: Buffer): void {
    const isBetween = this.#depth === 2
    if (isBetween && (byte === COMMA || byte === BRACKET_END)) {
      if (this.#from >= 0) this.#close(piece.subarray(this.#from, at))
      if (byte === COMMA) return
      this.#isInside = false
      this.#name = ''
      this.#depth--
      return
    }
    if (this.#from < 0) this.#from = at
    if (byte === QUOTE) this.#inString = true
    else if (byte === BRACE || byte === BRACKET) this.#depth++
    else if (byte === BRACE_END || byte === BRACKET_END) this.#depth--
  }

  #refuse(piece: Buffer): void {
    const text = Buffer.concat([...this.#around, piece]).toString('utf8', 0, 1000)
    throw new Unreadable(`it must be a JSON object: got "${shown(text.replace(/^\ufeff/, '').trim())}"`)
  }

  #keepAround(part: Buffer): void {
    this.#aroundBytes += part.length
    if (this.#aroundBytes > AROUND_BYTES_MAX) {
      throw new Unreadable(
        `what stands around "${this.#array}" must be at most ${AROUND_BYTES_MAX} bytes: got "more"`,
      )
    }
    // A copy: a part of a piece would hold all of it.
    this.#around.push(Buffer.from(part))
    if (this.#around.length > PIECES_MAX) this.#around = [Buffer.concat(this.#around)]
  }

  #keepOpen(part: Buffer): void {
    if (this.#openBytes <= LINE_BYTES_MAX) this.#open.push(part)
    this.#openBytes += part.length
    if (this.#openBytes > LINE_BYTES_MAX)
      this.#open = [Buffer.from(Buffer.concat(this.#open).subarray(0, BEGINNING_BYTES))]
    // One that drips in byte by byte would cost far more in pieces than whole.
    else if (this.#open.length > PIECES_MAX) this.#open = [Buffer.concat(this.#open)]
  }

  #close(part: Buffer): void {
    this.#from = -1
    const isWhole = this.#openBytes === 0 && part.length <= LINE_BYTES_MAX
    if (!isWhole) this.#keepOpen(part)
    if (this.#openBytes > LINE_BYTES_MAX) this.#overlong.add(this.#elements.length)
    this.#elements.push(isWhole ? part : Buffer.concat(this.#open))
    this.#open = []
    this.#openBytes = 0
  }

  #take(): LineBatch {
    const batch = { first: this.#next, lines: this.#elements, overlong: this.#overlong }
    this.#next += this.#elements.length
    this.#elements = []
    this.#overlong = new Set()
    return batch
  }
}
