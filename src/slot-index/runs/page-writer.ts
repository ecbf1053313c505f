// Hot path
import { ADDRESS, DURATION, epochMinuteOf, formOf, ODD_FORM, OFFERING, RECORD_WORDS, START } from './row-record.ts'
import type { RowBlock, Run } from './run.ts'
import type { SlotForm } from './slot-texts.ts'

/** The shared texts that rows refer to. */
export interface SharedTexts {
  readonly forms: readonly SlotForm[]
  readonly prefixes: readonly string[]
  readonly offerings: {
    /** Bytes of `encodeOffering()`, by number. */
    jsonLengthOf(offering: number): number
    /** Copies it and returns the end. */
    copyJson(offering: number, target: Buffer, at: number): number
  }
}

const QUOTE = 34

/** Writes the JSON of rows. It is made of parts that are prepared once, so a slot costs some 200 ns. */
export class PageWriter {
  readonly #texts: SharedTexts
  readonly #status: Buffer
  readonly #forms: PreparedForm[] = []
  readonly #prefixes: Buffer[] = []

  constructor(texts: SharedTexts, status: string) {
    this.#texts = texts
    this.#status = Buffer.from(`","status":"${status}","start":"`)
  }

  /** Most bytes that a row takes. */
  sizeOf(run: Run, row: number): number {
    const { records, arena } = run.parts
    const at = row * RECORD_WORDS
    const shared = this.#texts.offerings.jsonLengthOf(records[at + OFFERING])
    if (formOf(records, at) === ODD_FORM) return arena.readUInt32LE(records[at + ADDRESS] + ODD_LENGTH_AT) + shared
    const prefix = this.#prefixOf(records[at + DURATION] >>> 16).length
    return FIXED_BYTES + prefix + lengthOfText(run.parts, row, this.#texts.forms) + shared
  }

  /** Writes a row at `end` and returns the new end. */
  write(run: Run, row: number, page: Buffer, end: number): number {
    const own = this.writeOwn(run, row, page, end)
    return this.#texts.offerings.copyJson(run.parts.records[row * RECORD_WORDS + OFFERING], page, own)
  }

  /** As `write()`, without what the row shares with others: see `encodeSlot()`. */
  writeOwn(run: Run, row: number, page: Buffer, end: number): number {
    const { records, arena } = run.parts
    const at = row * RECORD_WORDS
    const isOdd = formOf(records, at) === ODD_FORM
    return isOdd ? writeOdd(arena, records[at + ADDRESS], page, end) : this.#writeOwn(run, at, page, end)
  }

  /** A row as the JSON of a slot. */
  textOf(run: Run, row: number): string {
    const page = Buffer.allocUnsafe(this.sizeOf(run, row))
    return page.toString('utf8', 0, this.write(run, row, page, 0))
  }

  #writeOwn(run: Run, at: number, page: Buffer, begin: number): number {
    const { records, arena } = run.parts
    const form = this.#formOf(formOf(records, at))
    const start = epochMinuteOf(records[at + START])
    let end = writeId(records, at, page, put(ID_HEAD, page, begin))
    end = put(this.#status, page, end)
    end = put(form.startTail, page, writeTime(start + form.startOffset, page, end))
    const minutes = records[at + DURATION] & 0xffff
    end = put(form.endTail, page, writeTime(start + minutes + form.endOffset, page, end))
    const prefix = records[at + DURATION] >>> 16
    let text = records[at + ADDRESS]
    if (prefix !== 0) {
      end = put(this.#prefixOf(prefix), page, end)
      for (const to = text + 1 + arena[text++]; text < to; text++) page[end++] = arena[text]
      page[end++] = QUOTE
    }
    end = put(form.capacity, page, end)
    if (!form.hasIdentifier) return end
    end = put(IDENTIFIER, page, end)
    return end + arena.copy(page, end, text + 2, text + 2 + arena.readUInt16LE(text))
  }

  #formOf(number: number): PreparedForm {
    const known = this.#forms[number]
    if (known !== undefined) return known
    const { startOffset, endOffset, startTail, endTail, capacity, hasIdentifier } = this.#texts.forms[number]
    this.#forms[number] = {
      startOffset,
      endOffset,
      startTail: Buffer.from(`${startTail}","end":"`),
      endTail: Buffer.from(`${endTail}"`),
      capacity: Buffer.from(capacity === '' ? '' : `,"capacity":${capacity}`),
      hasIdentifier,
    }
    return this.#forms[number]
  }

  #prefixOf(number: number): Buffer {
    const known = this.#prefixes[number]
    if (known !== undefined) return known
    this.#prefixes[number] = Buffer.from(number === 0 ? '' : `,"bookingDeepLink":"${this.#texts.prefixes[number]}`)
    return this.#prefixes[number]
  }
}

interface PreparedForm {
  readonly startOffset: number
  readonly endOffset: number
  readonly startTail: Buffer
  readonly endTail: Buffer
  readonly capacity: Buffer
  readonly hasIdentifier: boolean
}

/** Exact start and end as float64, then the length of the text, then the text. */
export const ODD_LENGTH_AT = 16
export const ODD_TEXT_AT = 20

/**
 * Number of bytes that a row has in the arena: without a form its odd text, else the suffix of its link behind one byte with its
 * length, and its identifiers behind two.
 */
export function lengthOfText({ records, arena }: RowBlock, row: number, forms: readonly SlotForm[]): number {
  const at = row * RECORD_WORDS
  const from = records[at + ADDRESS]
  const form = formOf(records, at)
  if (form === ODD_FORM) return ODD_TEXT_AT + arena.readUInt32LE(from + ODD_LENGTH_AT)
  const link = records[at + DURATION] >>> 16 === 0 ? 0 : 1 + arena[from]
  return forms[form].hasIdentifier ? link + 2 + arena.readUInt16LE(from + link) : link
}

const IDENTIFIER = Buffer.from(',"identifier":')
const ID_HEAD = Buffer.from('{"id":"')
/** More than the head, id, status, times, quotes, capacity and names of a row. */
const FIXED_BYTES = 250

function writeOdd(arena: Buffer, address: number, page: Buffer, end: number): number {
  const from = address + ODD_TEXT_AT
  return end + arena.copy(page, end, from, from + arena.readUInt32LE(address + ODD_LENGTH_AT))
}

function put(text: Buffer, page: Buffer, end: number): number {
  for (let n = 0; n < text.length; n++) page[end + n] = text[n]
  return end + text.length
}

/** Two characters of base32hex for each 10 bits. */
const PAIRS = Buffer.from(
  Array.from({ length: 1024 }, (_, bits) => `${(bits >> 5).toString(32)}${(bits & 31).toString(32)}`).join(''),
)

function writeId(records: Uint32Array, at: number, page: Buffer, begin: number): number {
  let end = begin
  for (let word = 0; word < 4; word++) {
    const bits = records[at + word]
    for (let shift = 20; shift >= 0; shift -= 10) {
      const pair = ((bits >>> shift) & 1023) * 2
      page[end++] = PAIRS[pair]
      page[end++] = PAIRS[pair + 1]
    }
  }
  return end
}

/** `HH:MM` of each minute of a day. */
const CLOCK = Buffer.from(
  Array.from({ length: 1440 }, (_, minute) =>
    [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'),
  ).join(''),
)

let day = Number.NaN
let dayText = ID_HEAD

/** `YYYY-MM-DDTHH:MM` of a local time in minutes since 1970. The slots of a page are mostly of one day. */
function writeTime(minute: number, page: Buffer, end: number): number {
  const ofDay = Math.floor(minute / 1440)
  if (ofDay !== day) {
    day = ofDay
    dayText = Buffer.from(new Date(ofDay * 86_400_000).toISOString().slice(0, 11))
  }
  for (let n = 0; n < 11; n++) page[end + n] = dayText[n]
  const at = (minute - ofDay * 1440) * 5
  for (let n = 0; n < 5; n++) page[end + 11 + n] = CLOCK[at + n]
  return end + 16
}
