import type { SortedRows } from './build-run.ts'
import { ODD_TEXT_AT } from './page-writer.ts'
import { ADDRESS, DURATION, minuteOf, ODD_FORM, OFFERING, RECORD_WORDS, START, writeIdAndForm } from './row-record.ts'
import type { SlotTexts } from './slot-texts.ts'
import { orderOf } from './sort-rows.ts'
import { TextPacker } from './text-packer.ts'

/** A slot to be packed. */
export interface SlotToPack {
  readonly startMs: number
  readonly endMs: number
  /** See `encodeSlot()`. */
  readonly json: string
}

/** Packs slots of one status into rows. */
export class RowPacker {
  readonly #text: TextPacker
  #count = 0
  #records = new Uint32Array(0)
  /** Exact: records have whole minutes. */
  #startsMs = new Float64Array(0)
  #arena = Buffer.alloc(0)
  #arenaBytes = 0

  constructor(texts: SlotTexts) {
    this.#text = new TextPacker(texts)
  }

  get count(): number {
    return this.#count
  }

  /** `offering`: its number in the offering table. */
  add(slot: SlotToPack, offering: number): void {
    const { startMs, endMs, json } = slot
    const row = this.#count++
    if (row >= this.#startsMs.length) this.#grow()
    const { form, prefix, link, linkEnd, identifier } = this.#text.pack(slot)
    const at = row * RECORD_WORDS
    writeIdAndForm(this.#records, at, this.#text.idBits, 0, form)
    this.#records[at + START] = minuteOf(startMs)
    this.#records[at + DURATION] = Math.min(0xffff, Math.floor((endMs - startMs) / 60_000)) + prefix * 65_536
    this.#records[at + OFFERING] = offering
    this.#records[at + ADDRESS] = this.#arenaBytes
    this.#startsMs[row] = startMs
    if (form === ODD_FORM) this.#putOdd(startMs, endMs, json)
    else {
      if (prefix !== 0) this.#putText(link, linkEnd, 1)
      if (identifier < this.#text.length) this.#putText(identifier, this.#text.length, 2)
    }
  }

  /** The rows in order of (start, id), in shared memory; then there are none. */
  take(): SortedRows {
    const count = this.#count
    const records = this.#records
    const order = orderOf(records, this.#startsMs.subarray(0, count))
    const sorted = new Uint32Array(new SharedArrayBuffer(count * RECORD_WORDS * 4))
    for (let n = 0; n < count; n++) {
      const from = order[n] * RECORD_WORDS
      for (let word = 0; word < RECORD_WORDS; word++) sorted[n * RECORD_WORDS + word] = records[from + word]
    }
    const arena = Buffer.from(new SharedArrayBuffer(this.#arenaBytes))
    this.#arena.copy(arena, 0, 0, this.#arenaBytes)
    const rows = { count, records: sorted, arena, arenaBytes: this.#arenaBytes }
    this.#count = 0
    this.#arenaBytes = 0
    return rows
  }

  /** Writes bytes [from, to) of the text behind their number, which takes `lengthBytes`, 1 or 2. */
  #putText(from: number, to: number, lengthBytes: number): void {
    this.#reserve(lengthBytes + to - from)
    const [arena, { bytes }] = [this.#arena, this.#text]
    let end = this.#arenaBytes
    arena[end++] = to - from
    if (lengthBytes === 2) arena[end++] = (to - from) >>> 8
    for (let at = from; at < to; at++) arena[end++] = bytes[at]
    this.#arenaBytes = end
  }

  #putOdd(startMs: number, endMs: number, json: string): void {
    this.#reserve(ODD_TEXT_AT + json.length * 3)
    const length = this.#arena.write(json, this.#arenaBytes + ODD_TEXT_AT)
    this.#arena.writeDoubleLE(startMs, this.#arenaBytes)
    this.#arena.writeDoubleLE(endMs, this.#arenaBytes + 8)
    this.#arena.writeUInt32LE(length, this.#arenaBytes + 16)
    this.#arenaBytes += ODD_TEXT_AT + length
  }

  #reserve(bytes: number): void {
    if (this.#arenaBytes + bytes <= this.#arena.length) return
    const larger = Buffer.allocUnsafeSlow(this.#arena.length * 2 + bytes)
    this.#arena.copy(larger, 0, 0, this.#arenaBytes)
    this.#arena = larger
  }

  #grow(): void {
    const rows = Math.max(1024, this.#startsMs.length * 2)
    const before = { records: this.#records, startsMs: this.#startsMs }
    this.#records = new Uint32Array(rows * RECORD_WORDS)
    this.#records.set(before.records)
    this.#startsMs = new Float64Array(rows)
    this.#startsMs.set(before.startsMs)
  }
}
