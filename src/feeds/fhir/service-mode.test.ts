import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Offering } from '../../slot/slot.ts'
import { Directory } from './directory.ts'
import { readSlot } from './read-slot.ts'
import type { DirectoryResourceType } from './resources.ts'

const GUIDE = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition'
const DELIVERY_CHANNEL = 'https://fhir.nhs.uk/STU3/StructureDefinition/Extension-GPConnect-DeliveryChannel-2'
const typed = (code: string) => ({ physicalType: { coding: [{ code }] } })
const licensed = (...states: string[]) => ({
  extension: states.map((valueString) => ({ url: `${GUIDE}/licensed-states`, valueString })),
})
const ref = (reference: string, display?: string) => ({ reference, ...(display && { display }) })

const BOSTON = { ...typed('ph'), name: 'Boston clinic', address: { city: 'Boston', state: 'MA', line: ['1 Elm St'] } }
const CHICAGO = { ...typed('ph'), name: 'Chicago clinic', address: { city: 'Chicago', state: 'IL' } }
const LINE = {
  ...typed('vi'),
  name: 'Video clinic',
  telecom: [
    { system: 'phone', value: '555-0100' },
    { system: 'url', value: 'https://video.example/room' },
  ],
  address: { line: ['9 Head Office Rd'], city: 'Boston', state: 'MA', postalCode: '02114' },
  position: { latitude: 42, longitude: -71 },
}
const PLACES = { bos: BOSTON, chi: CHICAGO, vi: LINE, untyped: { name: 'Somewhere', address: { state: 'VT' } } }
const ROLES = { two: { location: [ref('Location/bos'), ref('Location/chi')] } }

type Resources = { readonly [T in DirectoryResourceType]?: Readonly<Record<string, object>> }

/** The offering of a slot of a Schedule with these actors. */
function offeringOf(actors: readonly (string | object)[], more: Resources = {}, slot: object = {}): Offering {
  const directory = new Directory('clinic', false, Date.UTC(2026, 0))
  const actor = actors.map((each) => (typeof each === 'string' ? ref(each) : each))
  const all: Resources = { Location: PLACES, PractitionerRole: ROLES, ...more }
  const Schedule = { s: { actor, ...all.Schedule?.s } }
  for (const [type, byId] of Object.entries({ ...all, Schedule }))
    for (const [id, resource] of Object.entries(byId)) directory.put(type as DirectoryResourceType, { id, ...resource })
  const start = '2026-03-21T10:00:00-04:00'
  const read = readSlot({ id: 'x', status: 'free', start, end: start, schedule: ref('Schedule/s'), ...slot }, directory)
  assert.ok(read)
  return read.offering
}

/** All states by which the slot is found. */
const statesOf = ({ location, serviceStates = [] }: Offering) =>
  [...new Set([location?.state, ...serviceStates])].filter((state) => state !== undefined).sort()
const channel = (valueCode: string, url = DELIVERY_CHANNEL) => ({ extension: [{ url, valueCode }] })

test("an in-person slot is not found in the states of its role's other offices", () => {
  assert.deepEqual(statesOf(offeringOf(['Location/bos', 'PractitionerRole/two'])), ['MA'])
  assert.deepEqual(statesOf(offeringOf(['Location/chi', 'PractitionerRole/two'])), ['IL'])
  assert.deepEqual(statesOf(offeringOf(['PractitionerRole/two'])), ['MA'])
  const other = { Location: { ...PLACES, chi: { ...CHICAGO, ...licensed('IL', 'WI') } } }
  assert.deepEqual(statesOf(offeringOf(['Location/bos', 'PractitionerRole/two'], other)), ['MA'])
})

test("a virtual slot is found in the states of its role's offices", () => {
  const { serviceStates, modalities } = offeringOf(['Location/vi', 'PractitionerRole/two'])
  assert.deepEqual([serviceStates, modalities], [['IL', 'MA'], ['virtual']])
  const byPhone = offeringOf(['PractitionerRole/two'], {}, channel('Telephone'))
  assert.deepEqual(statesOf(byPhone), ['IL', 'MA'])
})

test('a slot of both modes is found at its location in person, and virtually where a virtual slot is', () => {
  const licences = { Location: { ...PLACES, vi: { ...LINE, ...licensed('NH') } } }
  const both = offeringOf(['Location/vi', 'Location/bos', 'PractitionerRole/two'], licences)
  assert.deepEqual(
    [statesOf(both), both.modalities],
    [
      ['IL', 'MA', 'NH'],
      ['in-person', 'virtual'],
    ],
  )
  assert.deepEqual(both.details?.modeStates, { inPerson: ['MA'], virtual: ['IL', 'MA', 'NH'] })
  assert.equal(both.location?.name, 'Boston clinic')
})

test('a slot of several physical Locations is found in the states of all', () => {
  const offering = offeringOf(['Location/bos', 'Location/untyped'])
  assert.deepEqual([statesOf(offering), offering.location?.name], [['MA', 'VT'], 'Boston clinic'])
})

test('a virtual Location keeps its name, phone, website and video address without a street address', () => {
  const { location, serviceStates, isVirtual } = offeringOf(['Location/vi'])
  const contact = { name: 'Video clinic', phone: ['555-0100'], website: ['https://video.example/room'] }
  assert.deepEqual([location, serviceStates, isVirtual], [contact, ['MA'], true])
  const details = { virtualService: [{ addressUrl: 'https://meet.example/1' }], telecom: [] }
  const { location: withAddress } = offeringOf(['Location/vi'], { Location: { vi: { ...LINE, ...details } } })
  assert.deepEqual(withAddress, { name: 'Video clinic', website: ['https://meet.example/1'] })
})

test("a virtual-only slot does not show a clinic's address", () => {
  const { location } = offeringOf(['Location/vi', 'PractitionerRole/two'])
  assert.equal(location?.name, 'Video clinic')
  const bare = { Location: { ...PLACES, vi: typed('vi') } }
  assert.equal(offeringOf(['Location/vi', 'PractitionerRole/two'], bare).location, undefined)
  assert.deepEqual(offeringOf(['Location/bos'], {}, channel('Video')).location, { name: 'Boston clinic' })
})

test('GP Connect telephone and video slots are virtual', () => {
  for (const [code, modalities] of [
    ['Telephone', ['virtual', 'phone']],
    ['Video', ['virtual', 'video']],
    ['In-person', ['in-person']],
  ] as const) {
    const slot = offeringOf(['Location/bos'], {}, channel(code))
    assert.deepEqual([slot.modalities, slot.isVirtual], [modalities, code !== 'In-person'], code)
    const Schedule = { s: channel(code) }
    assert.deepEqual(offeringOf(['Location/bos'], { Schedule }).modalities, modalities, code)
  }
})

test('a channel that is not understood leaves modalities out, unless the Location is virtual', () => {
  for (const more of [channel('carrier pigeon'), channel('pigeon', `${GUIDE}/channel`)]) {
    const { modalities, isVirtual, location } = offeringOf(['Location/bos'], {}, more)
    assert.deepEqual([modalities, isVirtual, location?.city], [undefined, false, 'Boston'])
    assert.deepEqual(offeringOf(['Location/vi'], {}, more).modalities, ['virtual'])
  }
  const Schedule = { s: channel('carrier pigeon') }
  assert.equal(offeringOf(['Location/bos'], { Schedule }).modalities, undefined)
  assert.deepEqual(offeringOf(['Location/bos'], { Schedule }, channel('Video')).modalities, ['virtual', 'video'])
})

test('modalities are absent where the source says nothing about attendance', () => {
  const { modalities, isVirtual, location } = offeringOf(['Location/untyped'])
  assert.deepEqual([modalities, isVirtual, location?.name], [undefined, false, 'Somewhere'])
  for (const code of ['area', 'jdn', 'unknown'])
    assert.equal(offeringOf(['Location/l'], { Location: { l: typed(code) } }).modalities, undefined, code)
  for (const code of ['ph', 'bu', 'ro', 've'])
    assert.deepEqual(offeringOf(['Location/l'], { Location: { l: typed(code) } }).modalities, ['in-person'], code)
  assert.deepEqual(offeringOf(['Location/untyped', 'Location/vi']).modalities, ['in-person', 'virtual'])
})

test('a Location that is not in the feed is named by the display text of its reference', () => {
  const { location, modalities } = offeringOf([ref('Location/gone', 'Elm Street')])
  assert.deepEqual([location, modalities], [{ name: 'Elm Street' }, undefined])
  assert.equal(offeringOf([ref('Practitioner/gone', 'Dr. Roe')]).location, undefined)
})

test('a Location without a reference is named by its display text, and published again', () => {
  const elm = { type: 'Location', identifier: { value: '7' }, display: 'Elm Street' }
  const { location, details } = offeringOf([elm, { ...elm, display: 'Oak Street' }])
  assert.deepEqual(location, { name: 'Elm Street' })
  const names = details?.resources?.Location?.map((one) => one.location?.name)
  assert.deepEqual(names, [undefined, 'Oak Street'])
})

test('a room has the address of its building', () => {
  const Location = {
    room: { ...typed('ro'), name: 'Room 2', partOf: ref('Location/floor') },
    floor: { partOf: ref('Location/bos') },
    bos: { ...BOSTON, position: { latitude: 42, longitude: -71 }, telecom: [{ system: 'phone', value: '555-0100' }] },
  }
  const { location } = offeringOf(['Location/room'], { Location })
  const address = { addressLine: ['1 Elm St'], city: 'Boston', state: 'MA', latitude: 42, longitude: -71 }
  assert.deepEqual(location, { name: 'Room 2', ...address })
  const loop = { room: { name: 'Room 2', partOf: ref('Location/room') } }
  assert.deepEqual(offeringOf(['Location/room'], { Location: loop }).location, { name: 'Room 2' })
})
