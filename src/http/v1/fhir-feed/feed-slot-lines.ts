import { defined } from '../../../lib/optional.ts'
import type { Offering } from '../../../slot/slot.ts'
import type { SnapshotChunk } from '../../../slot-index/snapshots/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshots/snapshot-reader.ts'
import { OfferingCache } from '../export-slots/offering-cache.ts'
import { SlotJsonFields } from '../export-slots/slot-json-fields.ts'
import { ChunkBuffer, SnapshotEncoder } from '../export-slots/snapshot-chunks.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { ACCEPTING_PATIENTS, BOOKING_DEEP_LINK, BOOKING_PHONE, PATIENT_TYPE, UNKNOWN } from './fhir-urls.ts'
import { PublishedOffering } from './offering-resources.ts'
import { ownChannelsOf } from './own-channels.ts'
import { ownSpecialtyOf } from './published-schedule.ts'
import type { ResourceGraph } from './resource-graph.ts'

/** About 70 kB, and a tenth of a millisecond; longer at first, while the offerings are not cached. */
const ROWS_MAX = 128

const HEAD = Buffer.from('{"resourceType":"Slot",')
const QUOTE = Buffer.from('"')
const COMMA = Buffer.from(',')
const BEFORE_LINK = Buffer.from(`,{"url":"${BOOKING_DEEP_LINK}","valueUrl":`)
const AFTER_VALUE = Buffer.from('}')
const TAIL = Buffer.from(']}\n')
/** Upper bound of the bytes of a line beside the JSON of the slot and of its offering. */
const ADDED_BYTES = 512

/** Slots as FHIR Slot resources in NDJSON. The elements of an offering are encoded once and copied for each slot. */
export class FeedSlotLines extends SnapshotEncoder {
  readonly #lines: SlotLineWriter
  readonly #shared: OfferingCache

  constructor(reader: SnapshotReader, origin: FeedProvenance) {
    super(reader, ROWS_MAX)
    this.#lines = new SlotLineWriter(origin)
    this.#shared = new OfferingCache(ROWS_MAX, (offering) => sharedSlotText(new PublishedOffering(offering), origin))
  }

  protected override encode(chunk: SnapshotChunk): Buffer {
    const shared = this.#shared.gather(chunk)
    this.#lines.begin(chunk.byteLength + shared, chunk.count)
    const { json, starts } = chunk
    for (let n = 0; n < chunk.count; n++) {
      this.#lines.write(json, { from: starts[n * 2], to: starts[n * 2 + 1] }, this.#shared.gathered[n])
    }
    return this.#lines.written
  }
}

/** Writes slots as lines of NDJSON into memory that is used again. */
export class SlotLineWriter {
  readonly #memory = new ChunkBuffer()
  readonly #fields = new SlotJsonFields()
  readonly #beforeCapacity: Buffer
  #line: Buffer = HEAD
  #end = 0

  constructor(origin: FeedProvenance) {
    this.#beforeCapacity = Buffer.from(`,{"url":"${origin.extensionUrl('capacity')}","valueInteger":`)
  }

  /** Starts over, with room for `count` slots of `bytes` bytes together. */
  begin(bytes: number, count: number): void {
    this.#line = this.#memory.ofLength(bytes + count * (ADDED_BYTES + this.#beforeCapacity.length))
    this.#end = 0
  }

  /** Valid until the next `begin()`. */
  get written(): Buffer {
    return this.#line.subarray(0, this.#end)
  }

  /**
   * Writes the slot whose own JSON is in a range of bytes; `shared`: its `sharedSlotText()`. Id, status, start, end and identifier have the
   * same form in FHIR, so their JSON is copied unchanged.
   */
  write(json: Buffer, { from, to }: { readonly from: number; readonly to: number }, shared: Buffer): void {
    const fields = this.#fields
    fields.read(json, from, to)
    this.#put(HEAD)
    this.#put(json, from + 1, fields.endTo)
    this.#put(QUOTE)
    if (fields.identifierTo > fields.identifierFrom) {
      this.#put(COMMA)
      this.#put(json, fields.identifierFrom, fields.identifierTo)
    }
    this.#put(shared)
    if (fields.linkTo > fields.linkFrom) this.#putExtension(BEFORE_LINK, json, fields.linkFrom, fields.linkTo)
    if (fields.capacityTo > fields.capacityFrom)
      this.#putExtension(this.#beforeCapacity, json, fields.capacityFrom, fields.capacityTo)
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
export function sharedSlotText({ offering, graph, schedule }: PublishedOffering, origin: FeedProvenance): string {
  const { publisher, details } = offering
  const elements = defined({
    meta: origin.metaOf(publisher, details?.resources?.Slot?.[0]),
    schedule: { reference: `Schedule/${schedule.id}` },
    specialty: ownSpecialtyOf(offering, graph),
    appointmentType: appointmentConcept(offering),
  })
  const extensions = extensionsOf(offering, graph, origin).map((each) => JSON.stringify(each))
  return `,${JSON.stringify(elements).slice(1, -1)},"extension":[${extensions.join(',')}`
}

/** All codings; a text without a system is a code if it is a valid one (FHIR R4, 2.24.0.1). */
function appointmentConcept({ appointmentType: text, details }: Offering): unknown {
  const codings = details?.appointmentTypes
  if (codings?.[0].code !== undefined) return { coding: codings }
  if (codings !== undefined) return { coding: codings, text }
  if (text === undefined) return undefined
  return /^\S+(?: \S+)*$/.test(text) ? { coding: [{ code: text }] } : { text }
}

/** Never empty, because the guide requires the patient type. */
function extensionsOf(offering: Offering, graph: ResourceGraph, origin: FeedProvenance): readonly unknown[] {
  const { acceptingPatients, bookingPhone: value } = offering
  const code = acceptingPatients === undefined ? { _code: UNKNOWN } : { code: acceptingPatients }
  return [
    ...(value === undefined ? [] : [{ url: BOOKING_PHONE, valueContactPoint: { system: 'phone', value } }]),
    { url: PATIENT_TYPE, valueCoding: { system: ACCEPTING_PATIENTS, ...code } },
    ...ownChannelsOf(offering, graph).map((valueCode) => ({ url: origin.extensionUrl('channel'), valueCode })),
  ]
}
