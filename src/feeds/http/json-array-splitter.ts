// Hot path: reads every byte of a document.

import { excerpt, type Json } from '../../lib/json.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { InvalidData } from '../rejections.ts'
import { LineAssembler, type LineBatch } from './lines.ts'

/** The array of a document to split, and the name of such a document in errors. */
export interface ArrayLocation {
  /** Its possible names as a member of the top-level object: the first one found counts. */
  readonly names: readonly string[]
  /** The document may be the array itself. */
  readonly atRoot: boolean
  /** The expected type of a document: "a JSON object". */
  readonly document: string
}

/** Everything outside the array: a type, links, a total. */
const REST_BYTES_MAX = 2 ** 20

const NAME_LENGTH_MAX = 50

const PIECES_MAX = 1024

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [123, 125, 91, 93]
const SPACE = 32

/** Turns a bracket into a brace, and no other character: `[` and `{` differ in this bit alone, as do `]` and `}`. */
const BRACE_BIT = 32

/**
 * Streaming splitter of a JSON document into the elements of one of its arrays and the rest of the document. Buffers at most
 * `LINE_BYTES_MAX` of an unfinished element:
 *
 *     { "resourceType": "Bundle", "link": […], "entry": [ {…} , {…} , … ], "total": 2 }      [ {…} , {…} , … ]
 *       └────────────── rest ─────────────┘               └─ elements ─┘   └─ rest ─┘          └─ elements ─┘
 *
 * Tracks strings, braces and brackets only: the caller parses the elements, and `end()` parses the rest. So a document of
 * 64 MiB that would fill the memory once parsed is never parsed as a whole.
 */
export class JsonArraySplitter {
  readonly #place: ArrayLocation
  readonly #elements = new LineAssembler()
  #depth = 0
  #inString = false
  #isEscaped = false
  #hasBegun = false
  /** The depth of the array's elements while inside it; 0 outside. */
  #arrayDepth = 0
  /** The document itself is the array. */
  #isRoot = false
  /** The name of the array. */
  #found: string | undefined
  #inElement = false
  /** The last string at the top level, and the last one before a colon. */
  #word = ''
  #name = ''
  #rest: Buffer[] = []
  #restBytes = 0

  constructor(place: ArrayLocation) {
    this.#place = place
  }

  /** The document has the array. */
  get isFound(): boolean {
    return this.#isRoot || this.#found !== undefined
  }

  /**
   * The elements that end in this chunk, numbered from 1; of one that is too long only the beginning. Throws `InvalidData` if
   * the document is of another kind, continues after its end, or has too much outside the array.
   */
  split(piece: Buffer): LineBatch {
    for (let at = 0; at < piece.length; ) {
      if (this.#inElement) at = this.#passElement(piece, at)
      else if (this.#arrayDepth > 0) at = this.#passBetween(piece, at)
      else at = this.#passRest(piece, at)
    }
    return this.#elements.take()
  }

  /**
   * The document with an empty array in place of the elements; an empty object if the document is the array. Throws
   * `InvalidData` if the document is truncated, or is no JSON.
   */
  end(): Json {
    if (this.#depth > 0) throw new InvalidData('it is truncated: its end is missing')
    const text = withoutMark(Buffer.concat(this.#rest).toString())
    try {
      return this.#isRoot && Array.isArray(JSON.parse(text)) ? {} : parseResource(text, false)
    } catch {
      throw this.#wrongDocument(excerpt(text.trim()))
    }
  }

  /** Outside the array: to the bracket that opens it, or to the end of the chunk. */
  #passRest(piece: Buffer, from: number): number {
    let at = from
    while (at < piece.length && this.#arrayDepth === 0) {
      const byte = piece[at++]
      if (this.#inString) this.#passString(byte)
      else if (byte > SPACE) {
        if (this.#depth === 0) this.#begin(byte, piece.subarray(from))
        this.#passToken(byte)
      }
    }
    this.#keepRest(piece.subarray(from, at))
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
    if (this.#hasBegun) throw this.#wrongDocument('data after its end')
    this.#hasBegun = byte === BRACE || (byte === BRACKET && this.#place.atRoot)
    // A byte order mark may come first; any other character fails when the rest is parsed.
    if (this.#hasBegun || byte >= 128) return
    const text = Buffer.concat([...this.#rest, piece]).toString('utf8', 0, 1000)
    throw this.#wrongDocument(excerpt(withoutMark(text).trim()))
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

  /** Enters an array, which may be the one to split. */
  #enter(): void {
    if (this.#depth === 0) this.#isRoot = true
    else if (this.#depth === 1 && (this.#found ?? this.#name) === this.#name && this.#place.names.includes(this.#name))
      this.#found = this.#name
    else return
    this.#arrayDepth = this.#depth + 1
  }

  /** Between elements: to the beginning of one, or to the bracket that ends the array. */
  #passBetween(piece: Buffer, from: number): number {
    let at = from
    while (at < piece.length && (piece[at] <= SPACE || piece[at] === COMMA)) at++
    if (at === piece.length) return at
    if (piece[at] === BRACKET_END) this.#arrayDepth = 0
    else this.#inElement = true
    return at
  }

  /** Within an element: to its end, or to the end of the chunk. Objects and arrays end at their brace, others before a comma. */
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
        if (depth === top) throw this.#wrongDocument('mismatched brackets')
        if (--depth > top) continue
        this.#depth = depth
        return this.#closeElement(piece, from, at + 1)
      }
    }
    this.#depth = depth
    this.#elements.keep(piece.subarray(from))
    return piece.length
  }

  /** Within a string of an element: to the quote that ends it, or to the end of the chunk. */
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

  #keepRest(part: Buffer): void {
    this.#restBytes += part.length
    if (this.#restBytes > REST_BYTES_MAX) {
      const names = this.#place.names.map((name) => `"${name}"`).join(' or ')
      throw new InvalidData(`the document must have at most ${REST_BYTES_MAX} bytes outside ${names}`)
    }
    // A copy: a slice would retain the whole chunk.
    this.#rest.push(Buffer.from(part))
    // A document that arrives byte by byte would take far more memory in parts.
    if (this.#rest.length > PIECES_MAX) this.#rest = [Buffer.concat(this.#rest)]
  }

  #wrongDocument(got: string): InvalidData {
    return new InvalidData(`it must be ${this.#place.document}: got "${got}"`)
  }
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '')
}
