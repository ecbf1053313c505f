import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Directory } from '../../../feeds/fhir/directory.ts'
import type { Offering } from '../../../slot/slot.ts'
import { KnownSources } from '../../../slot-index/known-sources.ts'
import { FeedProvenance } from './feed-provenance.ts'
import { UNKNOWN } from './fhir-urls.ts'
import { PublishedOffering, type Resource, resourcesOf as resourcesFrom } from './offering-resources.ts'
import { DIRECTORY_TYPES, type FeedDirectoryType } from './published-resource.ts'

const OFFERING: Offering = {
  publisher: 'north',
  scheduleId: 'a',
  isVirtual: true,
  modalities: ['in-person', 'virtual'],
  location: { name: 'Clinic', state: 'MA' },
  serviceStates: ['NH'],
  provider: { name: 'Dr. Ellery', specialty: 'Dermatology', npi: '1346271483' },
}

const NOWHERE: Offering = { publisher: 'north', scheduleId: 'a', isVirtual: false }

test('the schedule id ignores fields that slots carry and depends on all others', () => {
  const id = scheduleIdOf(OFFERING)
  for (const own of [{ appointmentType: 'x' }, { acceptingPatients: 'newpt' as const }, { bookingPhone: '1' }])
    assert.equal(scheduleIdOf({ ...OFFERING, ...own }), id)
  for (const other of [{ scheduleId: 'b' }, { serviceTypeCode: '1' }, { serviceStates: [] }, { publisher: 'south' }])
    assert.notEqual(scheduleIdOf({ ...OFFERING, ...other }), id)
})

test('shares equal resources within one publisher and never between publishers', () => {
  for (const type of DIRECTORY_TYPES) {
    const ids = (offering: Offering) => resourcesOf(offering, type).map(({ id }) => id)
    const south = new Set(ids({ ...OFFERING, publisher: 'south' }))
    assert.equal(ids(OFFERING).length > 0, type !== 'HealthcareService')
    assert.deepEqual(
      ids(OFFERING).filter((id) => south.has(id)),
      [],
    )
    if (type !== 'Schedule') assert.deepEqual(ids({ ...OFFERING, scheduleId: 'b' }), ids(OFFERING))
  }
})

test('writes a Location for each stated service mode, and no physical type if none is stated', () => {
  const places = (modalities: Offering['modalities']) => {
    const { modalities: _, ...rest } = OFFERING
    return resourcesOf({ ...rest, ...(modalities && { modalities }) }, 'Location').map(({ name, physicalType }) => [
      name,
      /"(..)","display":"\w+"}]}$/.exec(JSON.stringify(physicalType) ?? '')?.[1],
    ])
  }
  assert.deepEqual(places(['in-person', 'virtual']), [
    ['Clinic', 'ph'],
    [undefined, 'vi'],
  ])
  assert.deepEqual(places(['in-person']), [['Clinic', 'ph']])
  assert.deepEqual(places(['virtual', 'phone']), [['Clinic', 'vi']])
  assert.deepEqual(places(undefined), [['Clinic', undefined]])
})

test('includes every actor of a schedule with its name, and the resources that roles reference', () => {
  const [schedule] = resourcesOf(OFFERING, 'Schedule')
  const [role] = resourcesOf(OFFERING, 'PractitionerRole')
  const [practitioner] = resourcesOf(OFFERING, 'Practitioner')
  const [clinic, virtual] = resourcesOf(OFFERING, 'Location')
  assert.deepEqual(schedule.actor, [
    { reference: `Location/${clinic.id}`, display: 'Clinic' },
    { reference: `Location/${virtual.id}` },
    { reference: `PractitionerRole/${role.id}`, display: 'Dr. Ellery' },
  ])
  assert.deepEqual(role.practitioner, { reference: `Practitioner/${practitioner.id}`, display: 'Dr. Ellery' })
})

test('says of what the guide requires and the source does not provide that it is unknown', () => {
  const [schedule] = resourcesOf(NOWHERE, 'Schedule')
  const [location, ...others] = resourcesOf(NOWHERE, 'Location')
  assert.deepEqual(others, [])
  assert.deepEqual(schedule.actor, [{ reference: `Location/${location.id}` }])
  assert.deepEqual(schedule.serviceType, [UNKNOWN])
  assert.deepEqual([location._name, location.telecom], [UNKNOWN, [{ _system: UNKNOWN, _value: UNKNOWN }]])
  const [virtual] = resourcesOf({ ...NOWHERE, isVirtual: true, modalities: ['virtual'] }, 'Location')
  assert.match(JSON.stringify(virtual.extension), /licensed-states","_valueString"/)
})

test('a specialty of a schedule without a provider is its own', () => {
  const specialties = [{ system: 'http://snomed.info/sct', code: '394582007', display: 'Dermatology' }]
  const coded = { ...NOWHERE, provider: { specialty: 'Dermatology' }, details: { specialties } }
  assert.match(JSON.stringify(resourcesOf(coded, 'Schedule')), /schedule-specialty","valueCoding":{"system"/)
  assert.deepEqual(readBack(coded), [coded.provider, coded.details])
  const inWords = { ...NOWHERE, provider: { specialty: 'Skin' }, details: { specialties } }
  assert.deepEqual(readBack(inWords), [inWords.provider, inWords.details])
})

test('whether a Schedule has availability is read back', () => {
  const offering = { ...OFFERING, details: { resources: { Schedule: [{ availability: 'some' }] } } }
  const read = directoryOf(offering)
    .schedule({ reference: `Schedule/${scheduleIdOf(offering)}` })
    .plain()
  assert.equal(read.details?.resources?.Schedule?.[0]?.availability, 'some')
})

test('all providers of a slot are read back in their order', () => {
  const providers = [{ name: 'Dr. Poe', npi: '1234567893' }, { name: 'Dr. Roe' }]
  for (const provider of [OFFERING.provider, { name: 'Dr. Ellery' }, { npi: '1346271483', specialty: 'Surgery' }]) {
    const offering = { ...OFFERING, details: { providers }, ...(provider && { provider }) }
    const [read, details] = readBack(offering)
    assert.deepEqual([read, details?.providers], [provider, providers])
  }
})

/** Provider and details of an offering after it was published and read, without the resources. */
function readBack(offering: Offering): [Offering['provider'], Omit<NonNullable<Offering['details']>, 'resources'>?] {
  const directory = directoryOf(offering)
  const { provider, details } = directory.schedule({ reference: `Schedule/${scheduleIdOf(offering)}` }).plain()
  const { resources: _, ...others } = details ?? {}
  return [provider, others]
}

function directoryOf(offering: Offering): Directory {
  const directory = new Directory('north', true)
  for (const type of DIRECTORY_TYPES) for (const resource of resourcesOf(offering, type)) directory.put(type, resource)
  return directory
}

function resourcesOf(offering: Offering, type: FeedDirectoryType): readonly Resource[] {
  return resourcesFrom(
    new PublishedOffering(offering),
    type,
    new FeedProvenance('https://slots.example', new KnownSources()),
  )
}

function scheduleIdOf(offering: Offering): string {
  return new PublishedOffering(offering).schedule.id
}
