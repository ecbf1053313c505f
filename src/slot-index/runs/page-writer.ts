// Hot path
import type { OfferingJson } from '../offerings/offering-json.ts'
import { prefetched } from '../prefetch.ts'
import { ID_LENGTH } from '../slot-ids.ts'
import { type ByteBlock, byteBlock, ID_AT, TIME_LENGTH, writeId, writeTime } from './byte-block.ts'
import { ADDRESS, DURATION, epochMinuteOf, formOf, ODD_FORM, OFFERING, RECORD_WORDS, START } from './row-record.ts'
import type { RowBlock, Run } from './run.ts'
import type { SlotForm } from './slot-texts.ts'

/** The shared texts that rows refer to. */
export interface SharedTexts {
  readonly forms: readonly SlotForm[]
  readonly prefixes: readonly string[]
  readonly offerings: { readonly json: Pick<OfferingJson, 'lengthOf' | 'prefetchPlace' | 'prefetch' | 'copy'> }
}

const QUOTE = 34

/** Writes the JSON of rows: copies prepared texts, and writes the numbers into them. A slot costs some 200 ns. */
export class PageWriter {
  readonly #texts: SharedTexts
  readonly #status: string
  /** By form and link prefix. */
  readonly #heads: PreparedHead[][] = []
  #prepared = 0

  constructor(texts: SharedTexts, status: string) {
    this.#texts = texts
    this.#status = status
  }

  /** Most bytes that a row takes. */
  sizeOf(run: Run, row: number): number {
    const { records, arena } = run.parts
    const at = row * RECORD_WORDS
    const shared = this.#texts.offerings.json.lengthOf(records[at + OFFERING])
    if (formOf(records, at) === ODD_FORM) return arena.readUInt32LE(records[at + ADDRESS] + ODD_LENGTH_AT) + shared
    const { text, capacity } = this.#headOf(records, at)
    return text.length + capacity.length + FIXED_BYTES + lengthOfText(run.parts, row, this.#texts.forms) + shared
  }

  /** Prefetches what the record of a row points to: its own text, and where that of its offering is. */
  prefetchOwn({ parts: { records, arena } }: Run, row: number): void {
    prefetched[0] = arena[records[row * RECORD_WORDS + ADDRESS]]
    this.#texts.offerings.json.prefetchPlace(records[row * RECORD_WORDS + OFFERING])
  }

  /** Prefetches the text of a row's offering. */
  prefetchShared({ parts: { records } }: Run, row: number): void {
    this.#texts.offerings.json.prefetch(records[row * RECORD_WORDS + OFFERING])
  }

  /** Writes a row at `end` and returns the new end. */
  write(run: Run, row: number, page: ByteBlock, end: number): number {
    const own = this.writeOwn(run, row, page, end)
    return this.#texts.offerings.json.copy(run.parts.records[row * RECORD_WORDS + OFFERING], page.bytes, own)
  }

  /** As `write()`, without what the row shares with others: see `encodeSlot()`. */
  writeOwn(run: Run, row: number, page: ByteBlock, end: number): number {
    const { records, arena } = run.parts
    const at = row * RECORD_WORDS
    const isOdd = formOf(records, at) === ODD_FORM
    return isOdd ? writeOdd(arena, records[at + ADDRESS], page.bytes, end) : this.#writeOwn(run, at, page, end)
  }

  /** A row as the JSON of a slot. */
  textOf(run: Run, row: number): string {
    const page = byteBlock(Buffer.allocUnsafe(this.sizeOf(run, row)))
    return page.bytes.toString('utf8', 0, this.write(run, row, page, 0))
  }

  #writeOwn(run: Run, at: number, page: ByteBlock, begin: number): number {
    const { records, arena } = run.parts
    const { bytes, view } = page
    const head = this.#headOf(records, at)
    const start = epochMinuteOf(records[at + START])
    let end = put(head.text, bytes, begin)
    writeId(records, at, view, begin + ID_AT)
    writeTime(start + head.startOffset, view, begin + head.startAt)
    writeTime(start + (records[at + DURATION] & 0xffff) + head.endOffset, view, begin + head.endAt)
    let text = records[at + ADDRESS]
    if (head.hasLink) {
      for (const to = text + 1 + arena[text++]; text < to; text++) bytes[end++] = arena[text]
      bytes[end++] = QUOTE
    }
    end = put(head.capacity, bytes, end)
    if (!head.hasIdentifier) return end
    end = put(IDENTIFIER, bytes, end)
    return end + arena.copy(bytes, end, text + 2, text + 2 + arena.readUInt16LE(text))
  }

  /** Of a row with a form. */
  #headOf(records: Uint32Array, at: number): PreparedHead {
    const form = formOf(records, at)
    const prefix = records[at + DURATION] >>> 16
    return this.#heads[form]?.[prefix] ?? this.#prepare(form, prefix)
  }

  #prepare(form: number, prefix: number): PreparedHead {
    if (++this.#prepared > HEADS_MAX) {
      this.#heads.length = 0
      this.#prepared = 1
    }
    const { startOffset, endOffset, startTail, endTail, capacity, hasIdentifier } = this.#texts.forms[form]
    const start = `{"id":"${' '.repeat(ID_LENGTH)}","status":"${this.#status}","start":"`
    const middle = `${start}${TIME}${startTail}","end":"`
    const link = prefix === 0 ? '' : `,"bookingDeepLink":"${this.#texts.prefixes[prefix]}`
    const head: PreparedHead = {
      text: Buffer.from(`${middle}${TIME}${endTail}"${link}`),
      startAt: Buffer.byteLength(start),
      endAt: Buffer.byteLength(middle),
      startOffset,
      endOffset,
      hasLink: prefix !== 0,
      capacity: Buffer.from(capacity === '' ? '' : `,"capacity":${capacity}`),
      hasIdentifier,
    }
    this.#heads[form] ??= []
    this.#heads[form][prefix] = head
    return head
  }
}

/** Of some 300 bytes each. */
const HEADS_MAX = 4096

/**
 * The JSON of a form and a link prefix up to the end of the prefix, or of the end without a link, with spaces where the id and the times
 * of a row are written.
 */
interface PreparedHead {
  readonly text: Buffer
  readonly startAt: number
  readonly endAt: number
  readonly startOffset: number
  readonly endOffset: number
  readonly hasLink: boolean
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
/** The quote behind a link, and the name of the identifiers. */
const FIXED_BYTES = 1 + IDENTIFIER.length
const TIME = ' '.repeat(TIME_LENGTH)

function writeOdd(arena: Buffer, address: number, page: Buffer, end: number): number {
  const from = address + ODD_TEXT_AT
  return end + arena.copy(page, end, from, from + arena.readUInt32LE(address + ODD_LENGTH_AT))
}

function put(text: Buffer, page: Buffer, end: number): number {
  return text.length === 0 ? end : end + text.copy(page, end)
}
