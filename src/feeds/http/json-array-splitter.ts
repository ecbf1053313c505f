// Hot path: looks at every byte of a document.

import { excerpt, type Json } from '../../lib/json.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { InvalidData } from '../invalid-data.ts'
import { type LineBatch, LineGatherer } from './lines.ts'

/** Which array of a document is cut, and what such a document is called where another one comes. */
export interface ArrayPlace {
  /** Under which names it may stand at the top of an object: the first one that is met is it. */
  readonly names: readonly string[]
  /** The document may be the array itself. */
  readonly atRoot: boolean
  /** What a document must be: "a JSON object". */
  readonly document: string
}

/** What stands beside the array: a type, links, a total. */
const BESIDE_BYTES_MAX = 2 ** 20

const NAME_LENGTH_MAX = 50

const PIECES_MAX = 1024

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [123, 125, 91, 93]
const SPACE = 32

/** Makes a bracket a brace, and nothing else one: `[` and `{` differ in this bit alone, as do `]` and `}`. */
const BRACE_BIT = 32

/**
 * Cuts a JSON document into the elements of one of its arrays and what stands beside it, without holding either an element
 * that was handed on or more of an unfinished one than `LINE_BYTES_MAX`:
 *
 *     { "resourceType": "Bundle", "link": […], "entry": [ {…} , {…} , … ], "total": 2 }      [ {…} , {…} , … ]
 *       └───────────── beside ────────────┘               └─ elements ─┘   └ beside ┘          └─ elements ─┘
 *
 * Follows strings, braces and brackets alone: whether an element is JSON is for whoever parses it to find, and what stands
 * beside is parsed at the end. A document of 64 MiB that is made to fill the memory once parsed thus never is.
 */
export class ElementCutter {
  readonly #place: ArrayPlace
  readonly #elements = new LineGatherer()
  #depth = 0
  #inString = false
  #isEscaped = false
  #hasBegun = false
  /** The depth of the array's elements while inside of it; 0 outside. */
  #arrayDepth = 0
  /** The document is the array. */
  #isRoot = false
  /** The name that it stands under. */
  #found: string | undefined
  #inElement = false
  /** The last string at the top of the document, and the one that stood before a colon. */
  #word = ''
  #name = ''
  #beside: Buffer[] = []
  #besideBytes = 0

  constructor(place: ArrayPlace) {
    this.#place = place
  }

  /** The array was there. */
  get isFound(): boolean {
    return this.#isRoot || this.#found !== undefined
  }

  /**
   * The elements that ended in this piece, numbered from 1; of one that is too long only the beginning. Throws `InvalidData`
   * if the document is none of those that are cut, goes on behind its end, or holds too much beside the array.
   */
  cut(piece: Buffer): LineBatch {
    for (let at = 0; at < piece.length; ) {
      if (this.#inElement) at = this.#passElement(piece, at)
      else if (this.#arrayDepth > 0) at = this.#passBetween(piece, at)
      else at = this.#passBeside(piece, at)
    }
    return this.#elements.take()
  }

  /**
   * What stands beside the array, with an empty one in its place; an empty object if the document is the array. Throws
   * `InvalidData` if the document is not whole, or what stands beside no JSON.
   */
  end(): Json {
    if (this.#depth > 0) throw new InvalidData('it must be whole: got "an end in the middle"')
    const text = withoutMark(Buffer.concat(this.#beside).toString())
    try {
      return this.#isRoot && Array.isArray(JSON.parse(text)) ? {} : parseResource(text, false)
    } catch {
      throw this.#refusal(excerpt(text.trim()))
    }
  }

  /** Beside the array: to behind the bracket that opens it, or the end of the piece. */
  #passBeside(piece: Buffer, from: number): number {
    let at = from
    while (at < piece.length && this.#arrayDepth === 0) {
      const byte = piece[at++]
      if (this.#inString) this.#passString(byte)
      else if (byte > SPACE) {
        if (this.#depth === 0) this.#begin(byte, piece.subarray(from))
        this.#passToken(byte)
      }
    }
    this.#keepBeside(piece.subarray(from, at))
    return at
  }

  #passString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#inString = false
    if (this.#inString && this.#depth === 1 && this.#word.length < NAME_LENGTH_MAX)
      this.#word += String.fromCharCode(byte)
  }

  #begin(byte: number, piece: Buffer): void {
    if (this.#hasBegun) throw this.#refusal('more behind its end')
    this.#hasBegun = byte === BRACE || (byte === BRACKET && this.#place.atRoot)
    // A byte order mark may come first; other letters than that are found when all is parsed.
    if (this.#hasBegun || byte >= 128) return
    const text = Buffer.concat([...this.#beside, piece]).toString('utf8', 0, 1000)
    throw this.#refusal(excerpt(withoutMark(text).trim()))
  }

  #passToken(byte: number): void {
    if (byte === QUOTE) {
      this.#inString = true
      this.#word = ''
    } else if (byte === COLON && this.#depth === 1) {
      this.#name = this.#word
    } else if ((byte | BRACE_BIT) === BRACE) {
      if (byte === BRACKET) this.#enter()
      this.#depth++
    } else if ((byte | BRACE_BIT) === BRACE_END) {
      this.#depth--
    }
  }

  /** Into an array, which may be the one. */
  #enter(): void {
    if (this.#depth === 0) this.#isRoot = true
    else if (
      this.#depth === 1 &&
      (this.#found ?? this.#name) === this.#name &&
      this.#place.names.includes(this.#name)
    )
      this.#found = this.#name
    else return
    this.#arrayDepth = this.#depth + 1
  }

  /** Between elements: to where one begins, or to the bracket that ends the array. */
  #passBetween(piece: Buffer, from: number): number {
    let at = from
    while (at < piece.length && (piece[at] <= SPACE || piece[at] === COMMA)) at++
    if (at === piece.length) return at
    if (piece[at] === BRACKET_END) this.#arrayDepth = 0
    else this.#inElement = true
    return at
  }

  /** Within an element: to its end, or the end of the piece. An object or an array ends behind its brace, all else before a comma. */
  #passElement(piece: Buffer, from: number): number {
    const top = this.#arrayDepth
    let depth = this.#depth
    for (let at = this.#inString ? this.#passText(piece, from) : from; at < piece.length; at++) {
      const byte = piece[at]
      if (byte === QUOTE) at = this.#passText(piece, at + 1) - 1
      else if (byte === COMMA && depth === top) return this.#closeElement(piece, from, at)
      else if ((byte | BRACE_BIT) === BRACE) depth++
      else if ((byte | BRACE_BIT) === BRACE_END) {
        if (depth === top && byte === BRACKET_END) return this.#closeElement(piece, from, at)
        if (depth === top) throw this.#refusal('brackets that do not match')
        if (--depth > top) continue
        this.#depth = depth
        return this.#closeElement(piece, from, at + 1)
      }
    }
    this.#depth = depth
    this.#elements.keep(piece.subarray(from))
    return piece.length
  }

  /** Within a string of an element: to behind the quote that ends it, or the end of the piece. */
  #passText(piece: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    while (at < piece.length && piece[at] !== QUOTE) at += piece[at] === BACKSLASH ? 2 : 1
    this.#inString = at >= piece.length
    this.#isEscaped = at > piece.length
    return Math.min(at + 1, piece.length)
  }

  #closeElement(piece: Buffer, from: number, to: number): number {
    this.#elements.push(this.#elements.close(piece.subarray(from, to)))
    this.#inElement = false
    return to
  }

  #keepBeside(part: Buffer): void {
    this.#besideBytes += part.length
    if (this.#besideBytes > BESIDE_BYTES_MAX) {
      const names = this.#place.names.map((name) => `"${name}"`).join(' or ')
      throw new InvalidData(
        `what stands around ${names} must be at most ${BESIDE_BYTES_MAX} bytes: got "more"`,
      )
    }
    // A copy: a part of a piece would hold all of it.
    this.#beside.push(Buffer.from(part))
    // What drips in byte by byte would cost far more in pieces than whole.
    if (this.#beside.length > PIECES_MAX) this.#beside = [Buffer.concat(this.#beside)]
  }

  #refusal(got: string): InvalidData {
    return new InvalidData(`it must be ${this.#place.document}: got "${got}"`)
  }
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '')
}
