import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Offering } from '../../slot/slot.ts'
import { InvalidData } from '../rejections.ts'
import { Directory } from './directory.ts'
import type { DirectoryResourceType } from './resources.ts'

const NEW = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition'
const NPI = 'http://hl7.org/fhir/sid/us-npi'
const VIRTUAL = { physicalType: { coding: [{ system: 'any', code: 'vi' }] } }
const inState = (state: string) => ({ address: { state } })
const licensed = (...states: string[]) => ({
  extension: states.map((state) => ({ url: `${NEW}/licensed-states`, valueString: state })),
})
const ref = (reference: string, display?: string) => ({ reference, ...(display ? { display } : {}) })

const coded = (code: string) => ({ code, codings: [{ code }] })

type ResourceLookup = { readonly [T in DirectoryResourceType]?: Readonly<Record<string, object>> }

function directoryOf(resources: ResourceLookup, strict = false): Directory {
  const directory = new Directory('clinic', strict)
  for (const [type, byId] of Object.entries(resources)) {
    for (const [id, resource] of Object.entries(byId)) directory.put(type as DirectoryResourceType, { id, ...resource })
  }
  return directory
}

/** The Offering of the Schedule `s` with these actors. */
function offeringOf(actor: readonly object[], resources: ResourceLookup = {}, more: object = {}): Offering {
  return directoryOf({ ...resources, Schedule: { s: { actor, ...more } } })
    .schedule(ref('Schedule/s'))
    .plain()
}

test('reads all fields of a Location', () => {
  const Location = {
    l: {
      name: 'Clinic',
      telecom: [
        { system: 'phone', value: '555-0100' },
        { system: 'url', value: 'https://example.org' },
        { system: 'url', value: 'javascript:alert(1)' },
        { system: 'email', value: 'a@example.org' },
      ],
      address: { line: ['1 Main St', 'Suite 2'], city: 'Boston', state: 'Massachusetts', postalCode: 2139 },
      position: { latitude: 42.3, longitude: '-71.1' },
    },
  }
  assert.deepEqual(offeringOf([ref('Location/l')], { Location }), {
    publisher: 'clinic',
    scheduleId: 's',
    isVirtual: false,
    location: {
      name: 'Clinic',
      phone: ['555-0100'],
      website: ['https://example.org'],
      addressLine: ['1 Main St', 'Suite 2'],
      city: 'Boston',
      state: 'MA',
      postalCode: '02139',
      latitude: 42.3,
      longitude: -71.1,
    },
    details: { resources: { Schedule: [{ actors: { Location: [0] } }], Location: [{ id: 'l' }] } },
  })
})

test('leaves out modalities without a Location, unknown states and incomplete positions', () => {
  assert.deepEqual(offeringOf([]), { publisher: 'clinic', scheduleId: 's', isVirtual: false })
  const Location = {
    l: { ...inState('Ontario'), position: { latitude: 95, longitude: 1 }, name: 'x'.repeat(3000) },
  }
  assert.equal(offeringOf([ref('Location/l')], { Location }).location, undefined)
})

test('derives modalities from Locations', () => {
  const Location = {
    here: { name: 'Here', ...inState('MA') },
    there: { name: 'There', ...VIRTUAL, ...licensed('MA', 'NH') },
  }
  const both = offeringOf([ref('Location/there'), ref('Location/here')], { Location })
  assert.deepEqual([both.isVirtual, both.modalities, both.location?.name], [true, ['in-person', 'virtual'], 'Here'])
  assert.deepEqual(both.serviceStates, ['NH'])
  const virtual = offeringOf([ref('Location/there')], { Location })
  assert.deepEqual([virtual.isVirtual, virtual.modalities, virtual.location], [true, ['virtual'], { name: 'There' }])
})

test('finds the Location through PractitionerRole and HealthcareService', () => {
  const Location = { l: { name: 'Here', ...inState('MA') } }
  const PractitionerRole = {
    r: { location: [ref('Location/l')] },
    other: { healthcareService: [ref('HealthcareService/h')] },
  }
  const HealthcareService = { h: { location: [ref('https://example.org/fhir/Location/l')] } }
  for (const actor of ['PractitionerRole/r', 'HealthcareService/h', 'PractitionerRole/other']) {
    const { location } = offeringOf([ref(actor)], { Location, PractitionerRole, HealthcareService })
    assert.equal(location?.name, 'Here', actor)
  }
})

test('lists the states of licences and of a role, each once, in order', () => {
  const Location = {
    v: { ...VIRTUAL, ...licensed('WA', 'Virginia', 'VA', 'nowhere') },
    fl: inState('FL'),
    va: inState('VA'),
  }
  const PractitionerRole = { r: { location: [ref('Location/fl'), ref('Location/va')] } }
  const { serviceStates, modalities } = offeringOf([ref('Location/v'), ref('PractitionerRole/r')], {
    Location,
    PractitionerRole,
  })
  assert.deepEqual(serviceStates, ['FL', 'VA', 'WA'])
  assert.deepEqual(modalities, ['virtual'])
})

test('names the provider from Practitioner, then the role, then the reference', () => {
  const Practitioner = {
    text: { name: [{ text: 'Dr. Ada Roe' }], identifier: [{ system: NPI, value: '1234567890' }] },
    parts: {
      name: { given: ['Ada', 'M.'], family: 'Roe', suffix: ['MD'] },
      identifier: [{ system: NPI, value: '123' }],
    },
    nameless: {},
    old: {
      name: [
        { use: 'old', family: 'Before' },
        { use: 'official', family: 'Now' },
      ],
    },
  }
  const specialty = [{ coding: [{ code: '1', display: 'General medicine' }] }]
  const PractitionerRole = {
    r: {
      practitioner: ref('Practitioner/text', 'A. Roe'),
      specialty,
      identifier: [{ system: NPI, value: '9999999999' }],
    },
    gone: {
      practitioner: ref('Practitioner/gone', 'A. Roe'),
      identifier: [{ system: NPI, value: '9999999999' }],
    },
  }
  const provider = (reference: string, display?: string) =>
    offeringOf([ref(reference, display)], { Practitioner, PractitionerRole }).provider
  assert.deepEqual(provider('PractitionerRole/r'), {
    name: 'Dr. Ada Roe',
    specialty: 'General medicine',
    npi: '1234567890',
  })
  assert.deepEqual(provider('PractitionerRole/gone'), { name: 'A. Roe', npi: '9999999999' })
  assert.deepEqual(provider('Practitioner/parts'), { name: 'Ada M. Roe, MD' })
  assert.deepEqual(provider('Practitioner/old'), { name: 'Now' })
  assert.deepEqual(provider('PractitionerRole/nowhere', 'Dr. Roe'), { name: 'Dr. Roe' })
  assert.deepEqual(provider('Practitioner/nameless', 'Dr. Roe'), { name: 'Dr. Roe' })
  assert.equal(provider('Location/nowhere', 'A place'), undefined)
})

test('uses the specialty of the Schedule if the role has none', () => {
  const coding = { system: 'http://snomed.info/sct', code: '394802001', display: 'General medicine' }
  const extension = [{ url: `${NEW}/schedule-specialty`, valueCoding: coding }]
  assert.equal(offeringOf([], {}, { extension }).provider?.specialty, 'General medicine')
  assert.equal(offeringOf([], {}, { specialty: [{ coding: [{ code: '7' }] }] }).provider?.specialty, '7')
})

test('uses the type of the HealthcareService if the Schedule has none', () => {
  const HealthcareService = { h: { type: [{ text: 'Primary Care Visit', coding: [{ code: '308335008' }] }] } }
  const service = offeringOf([ref('HealthcareService/h')], { HealthcareService })
  assert.deepEqual([service.serviceTypeCode, service.serviceTypeText], ['308335008', 'Primary Care Visit'])
  const own = offeringOf(
    [ref('HealthcareService/h')],
    { HealthcareService },
    { serviceType: [{ coding: [{ code: '124' }] }] },
  )
  assert.deepEqual([own.serviceTypeCode, own.serviceTypeText], ['124', undefined])
})

test('follows references by urn, and those without a type', () => {
  const Location = { 'a-b': { name: 'Here' } }
  for (const reference of ['urn:uuid:a-b', 'a-b', 'Location/a-b/_history/3']) {
    assert.equal(offeringOf([ref(reference)], { Location }).location?.name, 'Here', reference)
  }
})

test('finds a Schedule by every form of reference and names a missing one', () => {
  const directory = directoryOf({ Schedule: { s: { actor: [] } } })
  const plain = directory.schedule(ref('Schedule/s')).plain()
  for (const reference of ['https://example.org/fhir/Schedule/s', 'Schedule/s/_history/1', 'urn:uuid:s', 's']) {
    assert.equal(directory.schedule(ref(reference)).plain(), plain, reference)
  }
  assert.throws(() => directory.schedule(ref('Schedule/x')), /schedule must be in the feed: got "Schedule\/x"/)
  assert.throws(() => directory.schedule(ref('Location/s')), InvalidData)
  for (const [none, message] of [
    [undefined, 'not provided'],
    [null, 'got "null"'],
    [{ display: 'Dr. Roe' }, 'got "{"display":"Dr. Roe"}"'],
    ['Schedule/s', 'got "Schedule/s"'],
    [ref('#s'), 'got "#s"'],
  ] as const)
    assert.throws(() => directory.schedule(none), { message: `schedule must refer to a Schedule: ${message}` })
})

test('returns the same offering for equal overrides', () => {
  const schedule = directoryOf({ Schedule: { s: { actor: [] } } }).schedule(ref('Schedule/s'))
  const words = { appointmentType: coded('ROUTINE'), modalities: ['virtual'] as const }
  assert.equal(schedule.variant({ ...words }), schedule.variant({ ...words }))
  assert.deepEqual(schedule.variant(words), {
    publisher: 'clinic',
    scheduleId: 's',
    isVirtual: true,
    modalities: ['virtual'],
    appointmentType: 'ROUTINE',
  })
})

test('returns different offerings for different overrides in any order', () => {
  const schedule = directoryOf({ Schedule: { s: { actor: [] } } }).schedule(ref('Schedule/s'))
  const said = [
    { bookingPhone: '555-0100' },
    { bookingPhone: '555-0101' },
    { appointmentType: coded('ROUTINE') },
    { acceptingPatients: 'newpt' },
    { serviceType: coded('1') },
    { specialty: coded('1') },
    { serviceType: { text: '1', codings: [{ display: '1' }] } },
    { serviceType: { code: '1', codings: [{ code: '1', system: 'x' }] } },
    { modalities: ['in-person'] },
    { modalities: ['virtual'] },
    { modalities: ['in-person', 'virtual'] },
  ] as const
  const variants = said.map((words) => schedule.variant(words))
  assert.equal(new Set(variants.map((variant) => JSON.stringify(variant))).size, said.length)
  for (const [at, words] of [...said.entries(), ...said.entries()].reverse()) {
    assert.equal(schedule.variant({ ...words }), variants[at])
  }
})

test('returns equal offerings even if every slot has different overrides', () => {
  const schedule = directoryOf({ Schedule: { s: { actor: [] } } }).schedule(ref('Schedule/s'))
  const first = schedule.variant({ appointmentType: coded('0') })
  for (let at = 1; at < 3000; at++)
    assert.equal(schedule.variant({ appointmentType: coded(`${at}`) }).appointmentType, `${at}`)
  assert.deepEqual(schedule.variant({ appointmentType: coded('0') }), first)
})

test('has the same digest for equal resources in any order, and another for different ones', () => {
  const Location = { a: { name: 'A' }, b: { name: 'B' } }
  const digest = directoryOf({ Location }).digest()
  assert.equal(
    directoryOf({ Location: { b: { name: 'B', meta: { versionId: '2' } }, a: Location.a } }).digest(),
    digest,
  )
  for (const other of [
    directoryOf({ Location: { ...Location, b: { name: 'C' } } }),
    directoryOf({ Location: { a: Location.a } }),
    directoryOf({ Location }, true),
    directoryOf({ Practitioner: Location }),
  ]) {
    assert.notEqual(other.digest(), digest)
  }
})

test('accepts ids such as __proto__ and constructor', () => {
  const Location = JSON.parse('{"__proto__":{"name":"Here"},"constructor":{"name":"There"}}')
  assert.equal(offeringOf([ref('Location/__proto__')], { Location }).location?.name, 'Here')
  assert.equal(offeringOf([ref('Location/toString')], { Location }).location, undefined)
})

test('rejects invalid ids', () => {
  for (const id of [undefined, null, '', 'a b', 'a\nb', 'x'.repeat(257), {}, true]) {
    assert.throws(() => new Directory('clinic', false).put('Location', { id }), /id must be/)
  }
  new Directory('clinic', false).put('Location', { id: 'with_underscore' })
  new Directory('clinic', false).put('Location', { id: 7 })
  for (const id of ['with_underscore', 7, 'x'.repeat(65)]) {
    assert.throws(() => new Directory('clinic', true).put('Location', { id }), /id must be/)
  }
})

test('rejects dangling and malformed actor references when strict', () => {
  const strict = (actor: readonly object[]) =>
    directoryOf({ Schedule: { s: { actor } } }, true).schedule(ref('Schedule/s'))
  assert.throws(() => strict([ref('Location/gone')]), /actor of the schedule must be in the feed: got "Location\/gone"/)
  assert.throws(() => strict([{ display: 'x' }]), /actor must be a reference/)
  assert.throws(() => strict([]), /actor must have a reference/)
  assert.equal(strict([ref('Device/d')]).plain().isVirtual, false)
})
