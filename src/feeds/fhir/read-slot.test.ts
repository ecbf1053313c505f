import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotId } from '../../slot/ids.ts'
import { Directory } from './directory.ts'
import { readSlot } from './read-slot.ts'

const OLD = 'http://fhir-registry.smarthealthit.org/StructureDefinition'
const NEW = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition'
const SLOT = {
  resourceType: 'Slot',
  id: 'x',
  schedule: { reference: 'Schedule/s' },
  status: 'free',
  start: '2026-03-21T10:45:00-04:00',
  end: '2026-03-21T11:15:00-04:00',
}

function directoryOf(strict: boolean): Directory {
  const directory = new Directory('clinic', strict)
  directory.put('Location', { id: 'l', address: { state: 'MA' } })
  directory.put('Schedule', {
    id: 's',
    actor: [{ reference: 'Location/l' }],
    serviceType: [{ coding: [{ code: '124' }] }],
  })
  return directory
}

const lenient = directoryOf(false)
const read = (more: object, directory = lenient) => readSlot({ ...SLOT, ...more }, directory)
const extended = (...extension: unknown[]) => read({ extension })

test('reads the 2021 form', () => {
  const slot = extended(
    { url: `${OLD}/booking-deep-link`, valueUrl: 'https://ehr.example.org/bookings?slot=opaque-1' },
    { url: `${OLD}/booking-phone`, valueString: '555-0100' },
    { url: `${OLD}/slot-capacity`, valueInteger: 300 },
  )
  const [startMs, endMs] = [Date.parse(SLOT.start), Date.parse(SLOT.end)]
  assert.deepEqual(slot, {
    id: slotId('clinic', 's', 'x', { startMs, endMs }),
    status: 'free',
    start: SLOT.start,
    end: SLOT.end,
    startMs,
    endMs,
    bookingDeepLink: 'https://ehr.example.org/bookings?slot=opaque-1',
    capacity: 300,
    offering: { ...lenient.schedule(SLOT.schedule).plain(), bookingPhone: '555-0100' },
  })
})

test('reads the form of the HL7 guide', () => {
  const slot = read({
    appointmentType: { coding: [{ code: 'ROUTINE', display: 'Routine' }] },
    extension: [
      { url: `${NEW}/booking-deep-link`, valueUrl: 'https://ehr.example.org/booking/slots/123' },
      { url: `${NEW}/booking-phone`, valueContactPoint: { system: 'phone', value: '+1-555-123-4567' } },
      { url: `${NEW}/patient-type`, valueCoding: { system: 'any', code: 'existptonly' } },
    ],
  })
  assert.deepEqual(
    [slot?.bookingDeepLink, slot?.offering.bookingPhone],
    ['https://ehr.example.org/booking/slots/123', '+1-555-123-4567'],
  )
  const { appointmentType, acceptingPatients, serviceTypeCode } = slot?.offering ?? {}
  assert.deepEqual([appointmentType, acceptingPatients, serviceTypeCode], ['ROUTINE', 'existptonly', '124'])
})

test('fields of a slot override those of its Schedule', () => {
  const { serviceTypeCode, serviceTypeText } =
    read({ serviceType: [{ text: 'Checkup', coding: [{ code: '9' }] }] })?.offering ?? {}
  assert.deepEqual([serviceTypeCode, serviceTypeText], ['9', 'Checkup'])
})

test('prefers the channel of a slot over its Locations', () => {
  const modalities = (...parts: object[]) => {
    const offering = extended(...parts)?.offering
    return [offering?.isVirtual, offering?.modalities?.join()]
  }
  const url = `${NEW}/channel`
  assert.deepEqual(modalities(), [false, undefined])
  assert.deepEqual(modalities({ url, valueCode: 'vi' }), [true, 'virtual'])
  assert.deepEqual(modalities({ url, valueCoding: { code: 'ph' } }), [false, 'in-person'])
  assert.deepEqual(modalities({ url, valueCode: 'vi' }, { url, valueCode: 'ph' }), [true, 'in-person,virtual'])
  assert.deepEqual(modalities({ url: `${OLD}/virtual-service-base`, valueBoolean: true }), [true, 'virtual'])
  assert.deepEqual(modalities({ url: `${NEW}/virtual-service`, extension: [{ url: 'channelType' }] }), [
    true,
    'virtual',
  ])
})

test('reads the patient type of either model, and withholds nopt slots', () => {
  const accepting = (code: string) =>
    extended({ url: `${NEW}/patient-type`, valueCoding: { code } })?.offering.acceptingPatients
  for (const code of ['newpt', 'existptonly', 'existptfam']) assert.equal(accepting(code), code)
  assert.equal(accepting('everybody'), undefined)
  const nested = { url: 'acceptingPatients', valueCodeableConcept: { coding: [{ code: 'newpt' }] } }
  const slot = extended({ url: `${NEW}/characteristic`, extension: [{ url: 'languagesSpoken' }, nested] })
  assert.equal(slot?.offering.acceptingPatients, 'newpt')
  assert.equal(extended({ url: `${NEW}/patient-type`, valueCoding: { code: 'nopt' } }), undefined)
})

test('a fax or an old number is no booking phone', () => {
  const url = `${NEW}/booking-phone`
  const phone = (...contacts: object[]) =>
    extended(...contacts.map((valueContactPoint) => ({ url, valueContactPoint })))?.offering.bookingPhone
  const [value, fax] = ['+1-555-123-4567', { system: 'fax', value: '+1-555-123-0000' }]
  assert.equal(phone(fax), undefined)
  assert.equal(phone({ system: 'phone', use: 'old', value }), undefined)
  assert.equal(phone(fax, { value }), value)
  assert.equal(phone({ system: 'sms', value }), value)
})

test('withholds entered-in-error slots, and rejects invalid ones', () => {
  assert.equal(read({ status: 'entered-in-error' }), undefined)
  assert.throws(() => read({ status: 'entered-in-error', start: 'x' }), /start must be/)
})

test('reads all statuses, and no others', () => {
  for (const status of ['free', 'busy', 'busy-unavailable', 'busy-tentative'])
    assert.equal(read({ status })?.status, status)
  for (const status of ['Free', 'booked', '', null, undefined, 5, ['free']]) {
    assert.throws(
      () => read({ status }),
      /status must be one of free, busy, busy-unavailable, busy-tentative: (?:got|not provided)/,
    )
  }
})

test('leaves out unusable values', () => {
  const slot = extended(
    { url: `${NEW}/booking-deep-link`, valueUrl: 'javascript:alert(1)' },
    { url: `${NEW}/booking-phone`, valueString: ' ' },
    { url: `${OLD}/slot-capacity`, valueInteger: -1 },
    { url: 'constructor', valueString: 'x' },
    { url: '__proto__', valueString: 'x' },
    null,
    'x',
    {},
  )
  assert.deepEqual(Object.keys(slot ?? {}), ['id', 'status', 'start', 'end', 'startMs', 'endMs', 'offering'])
  for (const extension of [undefined, null, {}, 'x', 5]) assert.notEqual(read({ extension }), undefined)
})

test('reads a capacity from 0, as a number or as digits', () => {
  const capacity = (value: object) => extended({ url: `${OLD}/slot-capacity`, ...value })?.capacity
  assert.equal(capacity({ valueInteger: 0 }), 0)
  assert.equal(capacity({ valueString: ' 12 ' }), 12)
  assert.equal(capacity({ valueInteger: '7' }), 7)
  for (const value of [1.5, '1.5', 'many', '', null, 1e300, '9'.repeat(30)])
    assert.equal(capacity({ valueInteger: value }), undefined)
})

test('rejects an id whose last digits JSON has lost', () => {
  assert.notEqual(read({ id: 2 ** 53 - 1 })?.id, undefined)
  assert.throws(() => read({ id: 2 ** 53 }), /id must be text in quotes, .*: got "9007199254740992"/)
})

test('rejects invalid times and an end before the start', () => {
  for (const start of [
    '2026-02-30T10:00:00Z',
    '2026-03-21T25:00:00Z',
    '2026-03-21T10:45:00',
    '2026-03-21',
    '',
    null,
    5,
    undefined,
  ]) {
    assert.throws(() => read({ start }), /start must be a valid instant with an offset/)
  }
  assert.throws(() => read({ end: undefined }), /end must be a valid instant/)
  assert.throws(() => read({ end: '2026-03-21T10:44:59-04:00' }), /end must not be before start/)
  assert.equal(read({ end: SLOT.start })?.endMs, Date.parse(SLOT.start))
})

test('distinguishes slots with the same id by schedule and time', () => {
  const ids = [
    read({}),
    read({ start: '2026-03-21T10:46:00-04:00' }),
    read({ end: '2026-03-21T11:16:00-04:00' }),
    read({ id: 'y' }),
  ]
  assert.equal(new Set(ids.map((slot) => slot?.id)).size, 4)
  assert.equal(read({})?.id, read({ status: 'busy', start: '2026-03-21T14:45:00Z' })?.id)
})

test('rejects tolerated deviations when strict', () => {
  const strict = directoryOf(true)
  assert.equal(read({}, strict)?.status, 'free')
  for (const more of [
    { start: '2026-03-21T10:45:00-04' },
    { id: 'with_underscore' },
    { id: 7 },
    { schedule: { reference: 's' } },
    { extension: [{ url: `${OLD}/slot-capacity`, valueString: '12' }] },
    { extension: [{ url: `${OLD}/booking-deep-link`, valueUrl: '/book' }] },
    { extension: [{ url: `${OLD}/booking-deep-link`, valueString: 'https://example.org' }] },
  ]) {
    assert.notEqual(read(more), undefined)
    assert.throws(() => read(more, strict), { name: 'InvalidData' }, JSON.stringify(more))
  }
})
