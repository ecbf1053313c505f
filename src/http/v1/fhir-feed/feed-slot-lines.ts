import type { Offering } from '../../../slot/slot.ts'
import type { SnapshotChunk } from '../../../slot-index/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshot-reader.ts'
import { OfferingCache } from '../export-slots/offering-cache.ts'
import { SlotJsonFields } from '../export-slots/slot-json-fields.ts'
import { ChunkBuffer, SnapshotEncoder } from '../export-slots/snapshot-chunks.ts'
import {
  ACCEPTING_PATIENTS,
  BOOKING_DEEP_LINK,
  BOOKING_PHONE,
  type FeedProvenance,
  isVirtualOnlyAtLocation,
  PATIENT_TYPE,
  SLOT_CAPACITY,
  scheduleIdOf,
} from './offering-resources.ts'

/** About 70 kB, and a tenth of a millisecond; longer at first, while the offerings are not cached. */
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
/** Upper bound of the bytes of a line beside the JSON of the slot and of its offering. */
const ADDED_BYTES = 512
/** The first byte of an encoded offering: whether it ends with an open list of extensions. */
const HAS_EXTENSION = '1'.charCodeAt(0)

/** Slots as FHIR Slot resources in NDJSON. The elements of an offering are encoded once and copied for each slot. */
export class FeedSlotLines extends SnapshotEncoder {
  readonly #memory = new ChunkBuffer()
  readonly #fields = new SlotJsonFields()
  readonly #shared: OfferingCache
  #line: Buffer = HEAD
  #end = 0

  constructor(reader: SnapshotReader, origin: FeedProvenance) {
    super(reader, ROWS_MAX)
    this.#shared = new OfferingCache(ROWS_MAX, (offering) => sharedText(offering, origin))
  }

  protected override encode(chunk: SnapshotChunk): Buffer {
    const shared = this.#shared.gather(chunk)
    this.#line = this.#memory.ofLength(chunk.byteLength + shared + chunk.count * ADDED_BYTES)
    this.#end = 0
    for (let n = 0; n < chunk.count; n++) {
      const [segment, start] = [chunk.segments[n * 2], chunk.starts[n * 2]]
      this.#fields.read(segment, start, start + chunk.lengths[n * 2])
      this.#writeSlot(segment, start, this.#shared.gathered[n])
    }
    return this.#line.subarray(0, this.#end)
  }

  /** Id, status, start and end have the same names in FHIR, so their JSON is copied unchanged. */
  #writeSlot(json: Buffer, start: number, shared: Buffer): void {
    const fields = this.#fields
    this.#put(HEAD)
    this.#put(json, start + 1, fields.endTo)
    this.#put(QUOTE)
    this.#put(shared, 1)
    let isFirst = shared[0] !== HAS_EXTENSION
    const hasLink = fields.linkTo > fields.linkFrom
    const hasCapacity = fields.capacityTo > fields.capacityFrom
    const hasNone = isFirst && !hasLink && !hasCapacity
    if (isFirst && !hasNone) this.#put(EXTENSIONS)
    if (hasLink) {
      if (!isFirst) this.#put(COMMA)
      this.#putExtension(BEFORE_LINK, json, fields.linkFrom, fields.linkTo)
      isFirst = false
    }
    if (hasCapacity) {
      if (!isFirst) this.#put(COMMA)
      this.#putExtension(BEFORE_CAPACITY, json, fields.capacityFrom, fields.capacityTo)
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

/** The elements that a slot has from its offering, with the extensions last, their list still open. */
function sharedText(offering: Offering, origin: FeedProvenance): string {
  const meta = JSON.stringify({ source: origin.sourceOf(offering.publisher) })
  const { appointmentType } = offering
  const type = appointmentType === undefined ? '' : `,"appointmentType":${JSON.stringify(conceptOf(appointmentType))}`
  const text = `,"meta":${meta},"schedule":{"reference":"Schedule/${scheduleIdOf(offering)}"}${type}`
  const extensions = extensionsOf(offering, origin).map((each) => JSON.stringify(each))
  return extensions.length === 0 ? `0${text}` : `1${text},"extension":[${extensions.join(',')}`
}

/** A coding if the text is a valid code (FHIR R4, 2.24.0.1), else a text. */
function conceptOf(text: string): unknown {
  return /^\S+(?: \S+)*$/.test(text) ? { coding: [{ code: text }] } : { text }
}

function extensionsOf(offering: Offering, origin: FeedProvenance): unknown[] {
  const { acceptingPatients: code, bookingPhone: value } = offering
  const extensions: unknown[] = []
  if (value !== undefined) extensions.push({ url: BOOKING_PHONE, valueContactPoint: { system: 'phone', value } })
  if (code !== undefined) extensions.push({ url: PATIENT_TYPE, valueCoding: { system: ACCEPTING_PATIENTS, code } })
  if (isVirtualOnlyAtLocation(offering)) extensions.push({ url: origin.channelUrl, valueCode: 'virtual' })
  return extensions
}
