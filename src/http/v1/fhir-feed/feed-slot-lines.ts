// Hot path
import type { Offering } from '../../../slot/slot.ts'
import type { SnapshotChunk } from '../../../slot-index/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshot-reader.ts'
import { PieceMemory } from '../export-slots/chunk-buffer.ts'
import { OfferingMemo } from '../export-slots/offering-cache.ts'
import { OwnJson } from '../export-slots/own-json.ts'
import { CutPieces } from '../export-slots/snapshot-chunks.ts'
import {
  ACCEPTING_PATIENTS,
  BOOKING_DEEP_LINK,
  BOOKING_PHONE,
  PATIENT_TYPE,
  SLOT_CAPACITY,
} from './canonical.ts'
import type { FeedOrigin } from './feed-origin.ts'
import { isVirtualAtPlace, scheduleIdOf } from './offering-resources.ts'

/** About 70 kB, and a tenth of a millisecond; longer at the beginning, while offerings are new. */
const ROWS_MAX = 128

const HEAD = Buffer.from('{"resourceType":"Slot",')
const QUOTE = Buffer.from('"')
const EXTENSIONS = Buffer.from(',"extension":[')
const COMMA = Buffer.from(',')
const BEFORE_LINK = Buffer.from(`{"url":"${BOOKING_DEEP_LINK}","valueUrl":`)
const BEFORE_CAPACITY = Buffer.from(`{"url":"${SLOT_CAPACITY}","valueInteger":`)
const AFTER_VALUE = Buffer.from('}')
const AFTER_EXTENSIONS = Buffer.from(']')
const TAIL = Buffer.from('}\n')
/** More than all that a line has beside its own JSON and its offering's. */
const ADDED_BYTES = 512
/** Stands ahead of what an offering says, and tells whether that ends with an extension. */
const HAS_EXTENSION = '1'.charCodeAt(0)

/** The slots of a cut as FHIR Slots in NDJSON; what an offering says is written once, and copied for each of its slots. */
export class FeedSlotLines extends CutPieces {
  readonly #memory = new PieceMemory()
  readonly #own = new OwnJson()
  readonly #shared: OfferingMemo
  #line: Buffer = HEAD
  #end = 0

  constructor(cut: SnapshotReader, origin: FeedOrigin) {
    super(cut, ROWS_MAX)
    this.#shared = new OfferingMemo(ROWS_MAX, (offering) => sharedText(offering, origin))
  }

  protected override write(piece: SnapshotChunk): Buffer {
    const shared = this.#shared.gather(piece)
    this.#line = this.#memory.ofLength(piece.byteLength + shared + piece.count * ADDED_BYTES)
    this.#end = 0
    for (let n = 0; n < piece.count; n++) {
      const [segment, start] = [piece.segments[n * 2], piece.starts[n * 2]]
      this.#own.read(segment, start, start + piece.lengths[n * 2])
      this.#writeSlot(segment, start, this.#shared.found[n])
    }
    return this.#line.subarray(0, this.#end)
  }

  /** Id, status, start and end have the names in FHIR that they have in our JSON, which is copied as it stands. */
  #writeSlot(json: Buffer, start: number, shared: Buffer): void {
    const own = this.#own
    this.#put(HEAD)
    this.#put(json, start + 1, own.endTo)
    this.#put(QUOTE)
    this.#put(shared, 1)
    let isFirst = shared[0] !== HAS_EXTENSION
    const hasLink = own.linkTo > own.linkFrom
    const hasCapacity = own.capacityTo > own.capacityFrom
    const hasNone = isFirst && !hasLink && !hasCapacity
    if (isFirst && !hasNone) this.#put(EXTENSIONS)
    if (hasLink) {
      if (!isFirst) this.#put(COMMA)
      this.#putExtension(BEFORE_LINK, json, own.linkFrom, own.linkTo)
      isFirst = false
    }
    if (hasCapacity) {
      if (!isFirst) this.#put(COMMA)
      this.#putExtension(BEFORE_CAPACITY, json, own.capacityFrom, own.capacityTo)
    }
    if (!hasNone) this.#put(AFTER_EXTENSIONS)
    this.#put(TAIL)
  }

  #putExtension(before: Buffer, json: Buffer, from: number, to: number): void {
    this.#put(before)
    this.#put(json, from, to)
    this.#put(AFTER_VALUE)
  }

  #put(bytes: Buffer, from = 0, to = bytes.length): void {
    bytes.copy(this.#line, this.#end, from, to)
    this.#end += to - from
  }
}

/** What a slot says by its offering; last, if there are any, its extensions, which are still open then. */
function sharedText(offering: Offering, origin: FeedOrigin): string {
  const meta = JSON.stringify({ source: origin.sourceOf(offering.publisher) })
  const { appointmentType: word } = offering
  const type = word === undefined ? '' : `,"appointmentType":${JSON.stringify(conceptOf(word))}`
  const text = `,"meta":${meta},"schedule":{"reference":"Schedule/${scheduleIdOf(offering)}"}${type}`
  const extensions = extensionsOf(offering, origin).map((each) => JSON.stringify(each))
  return extensions.length === 0 ? `0${text}` : `1${text},"extension":[${extensions.join(',')}`
}

/** A code, if it has the form of one (FHIR R4, 2.24.0.1). */
function conceptOf(word: string): unknown {
  return /^\S+(?: \S+)*$/.test(word) ? { coding: [{ code: word }] } : { text: word }
}

function extensionsOf(offering: Offering, origin: FeedOrigin): unknown[] {
  const { acceptingPatients: code, bookingPhone: value } = offering
  const extensions: unknown[] = []
  if (value !== undefined)
    extensions.push({ url: BOOKING_PHONE, valueContactPoint: { system: 'phone', value } })
  if (code !== undefined)
    extensions.push({ url: PATIENT_TYPE, valueCoding: { system: ACCEPTING_PATIENTS, code } })
  if (isVirtualAtPlace(offering)) extensions.push({ url: origin.channelUrl, valueCode: 'virtual' })
  return extensions
}
