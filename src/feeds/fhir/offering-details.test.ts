import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../lib/json.ts'
import { filterValuesOf, matcherOf } from '../../slot/filter-values.ts'
import { encodeOffering, encodeSlot, type Slot } from '../../slot/slot.ts'
import type { SlotFilters } from '../../slot/slot-filters.ts'
import { Directory } from './directory.ts'
import { readSlot } from './read-slot.ts'
import type { DirectoryResourceType } from './resources.ts'

const NPI = { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }
const STAFF = { system: 'https://clinic.example/staff', value: '77' }
const ROOM = { system: 'https://clinic.example/rooms', value: '12' }
const TAG = { system: 'https://clinic.example/tags', code: 'pilot' }
const SPANISH = { system: 'urn:ietf:bcp:47', code: 'es-MX', display: 'Spanish (Mexico)' }

const FEED: Readonly<Record<DirectoryResourceType, readonly Json[]>> = {
  Location: [
    { id: 'online', physicalType: { coding: [{ code: 'vi' }] } },
    { id: 'room', name: 'Room 12', identifier: [ROOM, { system: 'no value' }], meta: { tag: [TAG] } },
  ],
  Schedule: [
    {
      id: 's',
      actor: ['Location/online', 'Location/room', 'PractitionerRole/r', 'HealthcareService/h'].map((reference) => ({
        reference,
      })),
      identifier: [{ value: 'calendar-1' }],
      extension: [
        {
          url: 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/has-availability',
          valueCode: 'some',
        },
      ],
    },
  ],
  PractitionerRole: [{ id: 'r', practitioner: { reference: 'Practitioner/p' }, identifier: [STAFF] }],
  Practitioner: [{ id: 'p', name: [{ text: 'Ada Roe' }], identifier: [NPI], communication: [{ coding: [SPANISH] }] }],
  HealthcareService: [{ id: 'h', identifier: [{ value: 'h-1' }], communication: [{ text: 'English' }] }],
}

function slotOf(more: Json = {}): Slot {
  const directory = new Directory('clinic', false)
  for (const [type, resources] of Object.entries(FEED)) {
    for (const resource of resources) directory.put(type as DirectoryResourceType, resource)
  }
  const [start, end] = ['2026-03-21T10:00:00-04:00', '2026-03-21T10:15:00-04:00']
  const slot = readSlot(
    { id: 'x', schedule: { reference: 'Schedule/s' }, status: 'free', start, end, ...more },
    directory,
  )
  assert.ok(slot)
  return slot
}

function finds(filters: Omit<SlotFilters, 'status'>): boolean {
  return matcherOf({ status: 'free', ...filters })?.(filterValuesOf(slotOf().offering)) ?? true
}

test('keeps identity, labels and contents of every resource behind a slot, those of the served location first', () => {
  assert.deepEqual(slotOf().offering.details?.resources, {
    Schedule: [
      {
        identifier: [{ value: 'calendar-1' }],
        availability: 'some',
        actors: { Location: [1, 0], PractitionerRole: [0], HealthcareService: [0] },
      },
    ],
    Location: [
      { id: 'room', identifier: [ROOM], tag: [TAG] },
      { id: 'online', physicalType: [{ code: 'vi' }] },
    ],
    PractitionerRole: [{ id: 'r', identifier: [STAFF], practitioner: 0 }],
    Practitioner: [{ id: 'p', identifier: [NPI], name: 'Ada Roe', languages: [SPANISH] }],
    HealthcareService: [{ id: 'h', identifier: [{ value: 'h-1' }], languages: [{ display: 'English' }] }],
  })
})

test('keeps only the identity of resources whose contents are too large together', () => {
  const directory = new Directory('clinic', false)
  const ids = Array.from({ length: 20 }, (_, n) => `l${n}`)
  for (const id of ids) directory.put('Location', { id, name: id.repeat(60), identifier: [{ value: id }] })
  directory.put('Schedule', { id: 's', actor: ids.map((id) => ({ reference: `Location/${id}` })) })
  const { details } = directory.schedule({ reference: 'Schedule/s' }).plain()
  const kept = ids.slice(0, 5).map((id) => ({ id, identifier: [{ value: id }] }))
  assert.deepEqual(details?.resources, { Schedule: [{}], Location: kept })
})

test('keeps the identifiers of a Slot with the slot, and its labels with the slots that share them', () => {
  const identifier = [{ system: 'https://clinic.example/slots', value: 'x-1' }]
  const security = [{ system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code: 'N' }]
  const slot = slotOf({ identifier, meta: { lastUpdated: '2026-03-01T00:00:00Z', security } })
  assert.deepEqual(slot.identifier, identifier)
  assert.deepEqual(slot.offering.details?.resources?.Slot, [{ security }])
  assert.deepEqual(JSON.parse(encodeSlot(slot) + encodeOffering(slot.offering)).identifier, identifier)
})

test('serves no details with a slot', () => {
  const { offering } = slotOf()
  assert.equal(JSON.parse(`{${encodeOffering(offering).slice(1)}`).details, undefined)
})

test('finds a slot by the identifiers of each resource, with their systems', () => {
  for (const identifier of [
    `${NPI.system}|1234567893`,
    `${STAFF.system}|77`,
    `${ROOM.system}|12`,
    '|calendar-1',
    '|h-1',
  ])
    assert.ok(finds({ identifiers: [identifier] }), identifier)
  for (const identifier of ['|12', `${ROOM.system}|13`, '|1234567893']) assert.ok(!finds({ identifiers: [identifier] }))
  assert.ok(finds({ identifiers: ['|none', `${ROOM.system}|12`] }))
})

test('finds a slot by the languages of the provider and the service, with or without region', () => {
  assert.deepEqual(slotOf().offering.details?.languages, [SPANISH, { display: 'English' }])
  for (const language of ['es', 'es-mx', 'english']) assert.ok(finds({ languages: [language] }), language)
  for (const language of ['e', 'es-m', 'mx', 'es-es']) assert.ok(!finds({ languages: [language] }), language)
})

test('reads the languages of a Practitioner of FHIR R5', () => {
  const directory = new Directory('clinic', false)
  directory.put('Practitioner', { id: 'p', communication: [{ language: { coding: [SPANISH] }, preferred: true }] })
  assert.deepEqual(directory.find('Practitioner', { id: 'p' })?.languages, [SPANISH])
})

test('leaves out identifiers that are too long or too many', () => {
  const identifier = Array.from({ length: 30 }, (_, n) => ({ value: `${n}` }))
  const slot = slotOf({ identifier: [{ value: 'x'.repeat(300) }, ...identifier] })
  assert.deepEqual(slot.identifier, identifier.slice(0, 10))
})
