import fc from 'fast-check'
import { MINUTE_MS } from '../../../src/lib/time.ts'
import { slotId } from '../../../src/slot/ids.ts'
import { encodeSlot, type Slot } from '../../../src/slot/slot.ts'
import { NO_CELL } from '../../../src/slot-index/offerings/circle-spans.ts'
import type { OfferingGroups } from '../../../src/slot-index/offerings/term-offerings.ts'
import { PageWriter } from '../../../src/slot-index/runs/page-writer.ts'
import type { SlotTexts } from '../../../src/slot-index/runs/slot-texts.ts'
import { anyCharacter } from '../any-character.ts'

/** A slot of the offering with a number. */
export interface SampleRow {
  readonly slot: Slot
  readonly offering: number
}

const OFFERINGS = 8
/** Offering n has term 0, term 1 + n % 3 and, if it is even, term 9. */
const TERMS = Array.from({ length: OFFERINGS }, (_, n) => [0, 1 + (n % 3), ...(n % 2 === 0 ? [9] : [])])
export const SAMPLE_GROUPS: OfferingGroups = {
  terms: Uint32Array.from(TERMS.flat()),
  ends: Uint32Array.from(TERMS, (_, n) => TERMS.slice(0, n + 1).flat().length),
  termsEnd: 10,
  // Two offerings have no position.
  cells: Uint32Array.of(7, 3, NO_CELL, 3, 5, 7, NO_CELL, 3),
}

export function hasTerm({ offering }: SampleRow, term: number | undefined): boolean {
  return term === undefined || TERMS[offering].includes(term)
}

const BASE_MS = Date.UTC(2026, 10, 22)

const startMs = fc.oneof(
  fc.nat(40).map((minute) => BASE_MS + minute * MINUTE_MS),
  fc.nat(3_000_000).map((ms) => BASE_MS + ms),
  // Before 1903, at the beginning, on a leap day, at the end of the last year that RFC 3339 can write, and after it.
  fc.constantFrom(-5e12, 0, Date.UTC(2028, 1, 29), Date.UTC(9999, 11, 31, 23, 59), 2.53e14),
)

const link = fc.oneof(
  fc.constantFrom('https://a.example/book?slot=', 'https://b.example/"ü"/', 'https://c.example/\\', 'x', ''),
  fc.constantFrom(83, 84, 85, 300).map((length) => `https://a.example/${'x'.repeat(length)}`),
  fc.constantFrom('☂', '😀', '\ud800', '\u2028').map((character) => `https://a.example/${character.repeat(84)}`),
)

const identifier = fc.array(
  fc.record(
    {
      system: fc.constantFrom('https://clinic.example/rooms', 'urn:"ü"'),
      value: fc.oneof({ arbitrary: fc.string({ unit: anyCharacter }), weight: 9 }, fc.constant('☂'.repeat(22_000))),
    },
    { requiredKeys: ['value'] },
  ),
  { minLength: 1, maxLength: 2 },
)

/** FNV-1a of 32 bits gives both one hash. */
export const COLLIDING_IDENTIFIERS = [
  { system: 'costarring', value: '1' },
  { system: 'liquid', value: '1' },
]

/** Slots whose texts have the form that runs compress, and texts that deviate from it in each possible way. */
export const sampleRow: fc.Arbitrary<SampleRow> = fc
  .record({
    n: fc.nat(1e6),
    startMs,
    minutes: fc.constantFrom(0, 15, 20, 30, 1 / 3, 65_535, 65_536),
    startOffset: fc.constantFrom(0, -300, 345, 1439),
    endOffset: fc.constantFrom(undefined, -240),
    seconds: fc.constantFrom('', ':00', ':00.000'),
    capacity: fc.constantFrom(undefined, 0, 3, 1e21),
    link: fc.option(link, { nil: undefined }),
    identifier: fc.option(fc.oneof(identifier, fc.subarray(COLLIDING_IDENTIFIERS, { minLength: 1 })), {
      nil: undefined,
      freq: 3,
    }),
    offering: fc.nat(OFFERINGS - 1),
  })
  .map(
    ({ n, startMs, minutes, startOffset, endOffset = startOffset, seconds, capacity, link, identifier, offering }) => {
      const endMs = startMs + Math.floor(minutes * MINUTE_MS)
      const slot: Slot = {
        id: slotId('p', 's', String(n), { startMs, endMs }),
        status: 'free',
        start: localTime(startMs, startOffset, seconds),
        end: localTime(endMs, endOffset, seconds),
        startMs,
        endMs,
        ...(link !== undefined && { bookingDeepLink: link + (n % 3) }),
        ...(capacity !== undefined && { capacity }),
        ...(identifier !== undefined && { identifier }),
        offering: { publisher: 'p', scheduleId: 's', isVirtual: false },
      }
      return { slot, offering }
    },
  )

export const sampleRows = fc.uniqueArray(sampleRow, { selector: ({ slot }) => slot.id, maxLength: 100, size: 'max' })

/** An instant as local time with its offset; `seconds` is left out if there are seconds. */
export function localTime(ms: number, offset: number, seconds: string): string {
  const local = new Date(ms + offset * MINUTE_MS).toISOString()
  const text = local.endsWith(':00.000Z') ? local.slice(0, -8) + seconds : local.slice(0, -1)
  if (offset === 0) return `${text}Z`
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return `${text}${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

export function compareRows({ slot: a }: SampleRow, { slot: b }: SampleRow): number {
  return a.startMs - b.startMs || (a.id < b.id ? -1 : 1)
}

/** The expected output of a writer. */
export function rowText({ slot, offering }: SampleRow): string {
  return encodeSlot(slot) + offeringText(offering)
}

function offeringText(offering: number): string {
  return `,"scheduleId":"s${offering}"}`
}

export function sampleWriter({ forms, prefixes }: SlotTexts): PageWriter {
  const json = {
    lengthOf: (offering: number) => offeringText(offering).length,
    prefetchPlace: () => undefined,
    prefetch: () => undefined,
    copy: (offering: number, target: Buffer, at: number) => at + target.write(offeringText(offering), at),
  }
  return new PageWriter({ forms, prefixes, offerings: { json } }, 'free')
}
