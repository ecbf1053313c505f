// Hot path
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'

/** Bytes of JSON, and a view of the same memory for the numbers in them. */
export interface ByteBlock {
  readonly bytes: Buffer
  readonly view: DataView
}

export function byteBlock(bytes: Buffer): ByteBlock {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
}

/** Where the id is in the JSON of a slot: behind `{"id":"`. */
export const ID_AT = 7

/** Two characters of base32hex for each 10 bits. */
const PAIRS = Uint16Array.from({ length: 1024 }, (_, bits) =>
  Buffer.from(`${(bits >> 5).toString(32)}${(bits & 31).toString(32)}`).readUInt16LE(),
)

/** Writes the id of a record. */
export function writeId(records: Uint32Array, at: number, page: DataView, begin: number): void {
  for (let word = 0; word < 4; word++) {
    const bits = records[at + word]
    const end = begin + word * 6
    page.setUint16(end, PAIRS[(bits >>> 20) & 1023], true)
    page.setUint16(end + 2, PAIRS[(bits >>> 10) & 1023], true)
    page.setUint16(end + 4, PAIRS[bits & 1023], true)
  }
}

/** Of `YYYY-MM-DDTHH:MM`. */
export const TIME_LENGTH = 16

const DAY_MINUTES = DAY_MS / MINUTE_MS

/** `HH:M` of each minute of a day, and the last digit. */
const CLOCK = Uint32Array.from({ length: DAY_MINUTES }, (_, minute) =>
  Buffer.from(
    [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'),
  ).readUInt32LE(),
)
const ZERO = 48

/** `YYYY-MM-DDT` of the days that were written last, of 16 bytes each: direct-mapped. */
const DAYS = 256
const dayTexts = new DataView(new ArrayBuffer(DAYS * 16))
const dayNumbers = new Float64Array(DAYS).fill(Number.NaN)

/** `YYYY-MM-DDTHH:MM` of a local time in minutes since 1970. */
export function writeTime(minute: number, page: DataView, at: number): void {
  const day = Math.floor(minute / DAY_MINUTES)
  const from = (day & (DAYS - 1)) * 16
  if (dayNumbers[from >>> 4] !== day) writeDay(day, from)
  const ofDay = minute - day * DAY_MINUTES
  page.setBigUint64(at, dayTexts.getBigUint64(from, true), true)
  page.setUint32(at + 8, dayTexts.getUint32(from + 8, true), true)
  page.setUint32(at + 11, CLOCK[ofDay], true)
  page.setUint8(at + 15, ZERO + (ofDay % 10))
}

function writeDay(day: number, from: number): void {
  Buffer.from(dayTexts.buffer).write(new Date(day * DAY_MS).toISOString().slice(0, 11), from)
  dayNumbers[from >>> 4] = day
}
