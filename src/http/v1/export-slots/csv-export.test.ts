import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/support/any-character.ts'
import { casesOf } from '../../../../test/support/cases.ts'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import { parseCsv } from '../../../../test/support/http/parse-csv.ts'
import type { Offering, Slot } from '../../../slot/slot.ts'
import { SlotIndex } from '../../../slot-index/slot-index.ts'
import { CsvExport } from './csv-export.ts'

const TEXTS = [
  '=1+1',
  '+1-617',
  '-1',
  '@x',
  '\tx',
  '\rx',
  '\nx',
  '＝1',
  "'x",
  'a,b',
  'a"b',
  'a\r\nb',
  '☂',
  '=a"b,c',
  '',
  ' =1',
]
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: anyCharacter, maxLength: 20 }))
const offering: fc.Arbitrary<Offering> = fc.record(
  {
    publisher: text,
    scheduleId: text,
    isVirtual: fc.boolean(),
    serviceTypes: fc.array(fc.record({ system: text, code: text, display: text }, { requiredKeys: [] }), {
      maxLength: 3,
    }),
    bookingPhone: text,
    modalities: fc.constant(['in-person', 'virtual'] as const),
    location: fc.record(
      { name: text, phone: fc.array(text, { maxLength: 3 }), latitude: fc.constantFrom(-0.5, 42.1, 1e-7) },
      { requiredKeys: [] },
    ),
    provider: fc.record({ npi: fc.constant('0123456789') }),
  },
  { requiredKeys: ['publisher', 'scheduleId', 'isVirtual'] },
)
const link = fc.constantFrom(
  'https://a.example/b?c="d"',
  'https://a.example/,;=x',
  'https://a.example/\\"',
  'https://ü.example/☂',
  'https://a.example/\\',
)
const own = fc.record({ bookingDeepLink: link, capacity: fc.nat() }, { requiredKeys: [] })

test('a CSV export reads back unchanged except for the apostrophe before formulas', () => {
  fc.assert(
    fc.property(
      fc.array(offering, { minLength: 1, maxLength: 5 }),
      fc.array(own, { maxLength: 300 }),
      (offerings, owns) => {
        const slots = owns.map((each, n) => slotOf(n, each, offerings[n % offerings.length]))
        const index = new SlotIndex()
        fillIndex(index, slots)
        const rows = parseCsv(textOf(index))
        assert.deepEqual(rows, slots.map(expected))
      },
    ),
    { numRuns: casesOf(60) },
  )
})

test('writes the same lines for offerings beyond the cache limit', () => {
  const index = new SlotIndex()
  const long = (n: number) => ({
    publisher: 'north',
    scheduleId: `${n}`,
    isVirtual: false,
    location: { name: 'x'.repeat(400_000) },
  })
  const slots = Array.from({ length: 60 }, (_, n) => slotOf(n, {}, long(n)))
  const twice = slots.map((slot, n) => ({ ...slotOf(n + 60, {}, slot.offering), offering: slot.offering }))
  fillIndex(index, [...slots, ...twice])
  assert.deepEqual(parseCsv(textOf(index)), [...slots, ...twice].map(expected))
})

function textOf(index: SlotIndex): string {
  const table = new CsvExport(index.open({ status: 'free', sort: 'start' }, 0))
  const pieces: Buffer[] = []
  for (let piece = table.next(); piece !== undefined; piece = table.next()) pieces.push(Buffer.from(piece))
  table.close()
  return Buffer.concat(pieces).toString()
}

function slotOf(n: number, own: Partial<Slot>, offering: Offering): Slot {
  const times = { startMs: n * 1000, endMs: n * 1000 + 500 }
  const [start, end] = [new Date(times.startMs).toISOString(), new Date(times.endMs).toISOString()]
  return { id: String(n).padStart(24, '0'), status: 'free', start, end, ...times, ...own, offering }
}

/** Reference implementation of the expected cells. */
function expected({ startMs: _start, endMs: _end, offering, ...own }: Slot): Record<string, string> {
  const { location = {}, provider = {}, serviceTypes, ...shared } = JSON.parse(JSON.stringify(offering)) as Offering
  const cells: Record<string, string> = Object.fromEntries(ALL_COLUMNS.map((name) => [name, '']))
  const put = (name: string, value: unknown) => {
    const text = Array.isArray(value) ? value.join('; ') : value
    cells[name] = typeof text === 'string' && isFormula(text) ? `'${text}` : String(text)
  }
  for (const [name, value] of Object.entries({ ...own, ...shared })) put(name, value)
  const codings = serviceTypes?.map(({ system = '', code = '', display = '' }) => [system, code, display].join('|'))
  if (codings !== undefined) put('serviceTypes', codings)
  for (const [name, value] of Object.entries(location)) put(`location.${name}`, value)
  for (const [name, value] of Object.entries(provider)) put(`provider.${name}`, value)
  return cells
}

function isFormula(text: string): boolean {
  return ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'].includes(text.charAt(0))
}

const ALL_COLUMNS = [
  ...['id', 'status', 'start', 'end', 'bookingDeepLink', 'capacity', 'publisher', 'scheduleId', 'serviceTypeCode'],
  ...['serviceTypeText', 'appointmentType', 'acceptingPatients', 'bookingPhone', 'isVirtual', 'modalities'],
  ...['name', 'phone', 'website', 'addressLine', 'city', 'state', 'postalCode', 'latitude', 'longitude'].map(
    (name) => `location.${name}`,
  ),
  ...['serviceStates', 'provider.name', 'provider.specialty', 'provider.npi', 'serviceTypes'],
]
