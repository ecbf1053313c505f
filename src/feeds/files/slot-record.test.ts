import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { InvalidData } from '../rejections.ts'
import { Offerings } from './record-fields.ts'
import { readSlotRecord } from './slot-record.ts'

const TIMES = { start: '2030-01-07T10:00:00Z', end: '2030-01-07T10:30:00Z' }

const read = (record: object, offerings = new Offerings('clinic')) =>
  readSlotRecord({ ...TIMES, ...record }, { offerings })

test('requires only start and end', () => {
  const slot = read({})
  assert.deepEqual(
    { ...slot, id: '', offering: {} },
    {
      id: '',
      status: 'free',
      ...TIMES,
      startMs: Date.parse(TIMES.start),
      endMs: Date.parse(TIMES.end),
      offering: {},
    },
  )
  assert.deepEqual(Object.keys(slot?.offering ?? {}), ['publisher', 'scheduleId', 'isVirtual'])
})

test('ends after the duration to the millisecond, as text and as a number', () => {
  const slot = read({ start: '2030-01-07T10:00:00.250-05:00', end: undefined, duration: '30' })
  assert.equal(slot?.end, '2030-01-07T10:30:00.250-05:00')
  assert.equal(slot.endMs, Date.parse(slot.end))
})

test('slots of one service, location and provider share a schedule, regardless of the phone', () => {
  const offerings = new Offerings('clinic')
  const at = (location: object, more: object = {}) => read({ location, serviceTypeText: 'Flu', ...more }, offerings)
  const [a, b, c] = [
    at({ city: 'Lynn' }),
    at({ city: 'Lynn', phone: '617-555-0100' }, { bookingPhone: '617-555-0100' }),
    at({ city: 'Salem' }),
  ]
  assert.equal(a?.id, b?.id)
  assert.notEqual(a?.id, c?.id)
  assert.equal(at({ city: 'Lynn' })?.offering, a?.offering, 'the same object')
})

test('reads the telephone numbers of a cell one by one', () => {
  const phones = (phone: string) => read({ location: { phone } })?.offering.location?.phone
  const [one, two] = ['617-555-0100', '+1 (617) 555-0101']
  for (const text of [
    `${one} / ${two}`,
    `${one}/${two}`,
    `${one}, ${two}, ${one}`,
    `${one} | ${two}`,
    `${one}; ${two}`,
  ])
    assert.deepEqual(phones(text), [one, two], text)
  for (const text of [`${one} / 0101`, `${one}, ext. 123`, `${one}, ask for 211`, `${one} / fax ${two}`])
    assert.deepEqual(phones(text), [text])
  assert.throws(() => phones('6175550142.0'), /location.phone must be a telephone number/)
})

test('cannot replace a slot of another source', () => {
  const one = read({ id: 'a', publisher: 'victim', scheduleId: 's' })
  const other = read({ id: 'a', publisher: 'victim', scheduleId: 's' }, new Offerings('victim'))
  assert.equal(one?.offering.publisher, 'clinic')
  assert.notEqual(one?.id, other?.id)
})

test('rejects an id that is a number beyond 2^53', () => {
  assert.notEqual(read({ id: 900719925474099 })?.id, undefined)
  const message = /^id must be text in quotes, because a number beyond 2\^53 loses digits: got "12345678901234567000"/
  assert.throws(() => read({ id: Number('12345678901234567890') }), { name: 'InvalidData', message })
})

test('rejects an object without a text representation as an invalid field', () => {
  const textless = { toString: 5, valueOf: 5 }
  for (const record of [{ isVirtual: textless }, { modalities: textless }, { modalities: [textless] }])
    assert.throws(() => read(record), InvalidData, Object.keys(record)[0])
})

for (const [record, modalities, isVirtual] of [
  [{}, undefined, false],
  [{ isVirtual: false }, undefined, false],
  [{ isVirtual: 'YES' }, ['virtual'], true],
  [{ modalities: 'virtual | in-person' }, ['in-person', 'virtual'], true],
  [{ modalities: ['in-person'] }, ['in-person'], false],
  [{ modalities: 'video | in-person' }, ['in-person', 'virtual', 'video'], true],
  [{ modalities: ['virtual'], isVirtual: 1 }, ['virtual'], true],
] as const) {
  test(`understands ${JSON.stringify(record)}`, () => {
    const { offering } = read(record) ?? {}
    assert.deepEqual([offering?.modalities, offering?.isVirtual], [modalities, isVirtual])
  })
}

for (const [record, said] of [
  [{ end: '2030-01-07T09:00:00Z' }, /end must not be before start/],
  [
    { date: '2030-01-07', start: '23:45Z', end: '00:15Z' },
    /end must be after start, with an endDate if it is on another day: got "00:15Z"/,
  ],
  [{ status: 'perhaps' }, /status must be one of free, busy.*\(or Open, Available, Booked, Blocked\)/],
  [{ isVirtual: true, modalities: ['in-person'] }, /isVirtual must be false, because modalities is in-person/],
  [{ modalities: ['by carrier pigeon'] }, /modalities must be one or more of in-person, virtual, phone, video/],
  [{ bookingDeepLink: 'data:text/html,x' }, /bookingDeepLink must be an http or https URL/],
  [{ bookingDeepLink: 'https://u:p@clinic.example/' }, /bookingDeepLink/],
  [{ bookingPhone: '<script>617-555-0100' }, /bookingPhone must be a telephone number/],
  [{ capacity: -1 }, /capacity must be a number from 0/],
  [{ capacity: '1e9' }, /capacity/],
  [{ serviceStates: 'MA|Narnia' }, /serviceStates must be a US state/],
  [{ location: 'Boston' }, /location must be an object/],
  [{ location: { website: 'www.clinic.example' } }, /location.website must be an http or https URL/],
  [
    {
      location: {
        phone: Array(21)
          .fill(0)
          .map((_, n) => `617-555-01${n + 10}`),
      },
    },
    /location.phone must be at most 20/,
  ],
  [{ location: { latitude: 91, longitude: 0 } }, /location.latitude must be a number from -90 to 90/],
  [{ location: { latitude: 42 } }, /location.longitude must be present if latitude is/],
  [{ provider: { npi: '123' } }, /provider.npi must be ten digits/],
  [{ provider: [] }, /provider must be an object/],
  [{ id: 'x'.repeat(257) }, /id must be a text of at most 256/],
  [{ acceptingPatients: 'all' }, /acceptingPatients must be one of/],
] as const) {
  test(`rejects ${JSON.stringify(record).slice(0, 60)}, naming the field`, () => {
    assert.throws(() => read(record), InvalidData)
    assert.throws(() => read(record), said)
  })
}

test('reads every coordinate as text, whatever its number of decimals', () => {
  const property = fc.property(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
    (latitude, longitude) => {
      const slot = read({ location: { latitude: `${latitude}`, longitude: `${longitude}` } })
      assert.deepEqual(slot?.offering.location, { latitude: latitude + 0, longitude: longitude + 0 })
    },
  )
  fc.assert(property, {
    numRuns: casesOf(300),
    examples: [
      [51.5073509, -0.12775829999999999],
      [1.3520829999999999, 9.1e-7],
    ],
  })
})

test('normalizes states and ZIP codes', () => {
  const slot = read({
    location: { state: 'n.j.', postalCode: '8015' },
    serviceStates: 'Mass.; New York | CT',
  })
  assert.deepEqual(slot?.offering.location, { state: 'NJ', postalCode: '08015' })
  assert.deepEqual(slot?.offering.serviceStates, ['CT', 'MA', 'NY'])
})
