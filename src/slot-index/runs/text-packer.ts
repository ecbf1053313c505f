// Hot path: every slot of a load.
import { MINUTE_MS } from '../../lib/time.ts'
import { writeIdBits } from '../slot-ids.ts'
import { byteBlock, ID_AT, writeId, writeTime } from './byte-block.ts'
import type { SlotToPack } from './pack-rows.ts'
import { ODD_FORM } from './row-record.ts'
import { hasRegularTimes, isSeparator, LINK_LENGTH_MAX, type PackedText, type SlotTexts } from './slot-texts.ts'

/** The last slot that was divided into its parts, as a pattern of those that follow. */
interface Pattern {
  readonly packed: PackedText
  readonly startOffset: number
  readonly endOffset: number
  /** What follows the end of the link. */
  readonly rest: Buffer
}

/**
 * Packs the own texts of slots of one status. Most have the form and the link prefix of the last one: if its text begins in the same way
 * with another id and other times written into it, it need not be divided, which takes five times as long.
 *
 *     {"id":"…","status":"free","start":"…:00-05:00","end":"…:00-05:00","bookingDeepLink":"https://clinic.example/book?slot=
 */
export class TextPacker {
  /** The JSON of the last slot in UTF-8, and its length. */
  bytes = Buffer.alloc(BEGIN_LENGTH_MAX * 4)
  length = 0
  /** See `writeIdBits()`. */
  readonly idBits = new Uint32Array(4)
  readonly #texts: SlotTexts
  #words = new Uint32Array(this.bytes.buffer)
  #pattern: Pattern | undefined
  readonly #begin = byteBlock(Buffer.alloc(BEGIN_LENGTH_MAX))
  readonly #beginWords = new Uint32Array(this.#begin.bytes.buffer)

  constructor(texts: SlotTexts) {
    this.#texts = texts
  }

  /** As `SlotTexts.pack()`, with places in `bytes`. */
  pack({ startMs, endMs, json }: SlotToPack): PackedText {
    this.#encode(json)
    writeIdBits(this.bytes, ID_AT, this.idBits)
    const known = hasRegularTimes(startMs, endMs) ? this.#packAsPattern(startMs, endMs) : undefined
    if (known !== undefined) return known
    const divided = this.#texts.pack(json, startMs, endMs)
    if (divided.form === ODD_FORM) return divided
    const packed = this.length === json.length ? divided : inBytes(divided, json)
    this.#takePattern(packed)
    return packed
  }

  #encode(json: string): void {
    if (json.length * 3 > this.bytes.length) {
      this.bytes = Buffer.alloc(json.length * 4)
      this.#words = new Uint32Array(this.bytes.buffer)
    }
    this.length = this.bytes.write(json)
  }

  #takePattern(packed: PackedText): void {
    const { form, link, linkEnd } = packed
    const { startOffset, endOffset, hasIdentifier } = this.#texts.forms[form]
    this.#pattern = undefined
    if (hasIdentifier || link > BEGIN_LENGTH_MAX) return
    this.bytes.copy(this.#begin.bytes, 0, 0, link)
    const rest = Buffer.from(this.bytes.subarray(linkEnd, this.length))
    this.#pattern = { packed, startOffset, endOffset, rest }
  }

  /** Undefined if the slot has another form or prefix than the pattern. */
  #packAsPattern(startMs: number, endMs: number): PackedText | undefined {
    if (this.#pattern === undefined) return undefined
    const { packed, startOffset, endOffset, rest } = this.#pattern
    const { form, prefix, start, end, link } = packed
    const { view } = this.#begin
    writeId(this.idBits, 0, view, ID_AT)
    writeTime(startMs / MINUTE_MS + startOffset, view, start)
    writeTime(endMs / MINUTE_MS + endOffset, view, end)
    if (!this.#beginsAs(link)) return undefined
    const linkEnd = prefix === 0 ? link : this.#endOfLink(link)
    const fits = linkEnd - link <= LINK_LENGTH_MAX && this.#endsAs(rest, linkEnd)
    return fits ? { form, prefix, start, end, link, linkEnd, identifier: this.length } : undefined
  }

  #beginsAs(length: number): boolean {
    const [words, begin, whole] = [this.#words, this.#beginWords, length >>> 2]
    for (let at = 0; at < whole; at++) if (words[at] !== begin[at]) return false
    for (let at = whole * 4; at < length; at++) if (this.bytes[at] !== this.#begin.bytes[at]) return false
    return true
  }

  #endsAs(text: Buffer, from: number): boolean {
    if (from + text.length !== this.length) return false
    for (let at = 0; at < text.length; at++) if (this.bytes[from + at] !== text[at]) return false
    return true
  }

  /** Where a link without a separator or an escape ends; beyond every limit if it has one. */
  #endOfLink(from: number): number {
    const { bytes } = this
    for (let at = from; at < this.length; at++) {
      if (bytes[at] === QUOTE) return at
      if (bytes[at] === BACKSLASH || isSeparator(bytes[at])) break
    }
    return Number.POSITIVE_INFINITY
  }
}

function inBytes(packed: PackedText, json: string): PackedText {
  const placeOf = (at: number) => Buffer.byteLength(json.slice(0, at))
  const [start, end, link] = [packed.start, packed.end, packed.link].map(placeOf)
  return { ...packed, start, end, link, linkEnd: placeOf(packed.linkEnd), identifier: placeOf(packed.identifier) }
}

/** The prefixes of most links end before. */
const BEGIN_LENGTH_MAX = 1024
const QUOTE = 34
const BACKSLASH = 92
