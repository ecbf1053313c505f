import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterValuesOf, matcherOf } from '../../slot/filter-values.ts'
import type { Offering } from '../../slot/slot.ts'
import { Directory } from './directory.ts'
import type { DirectoryResourceType } from './resources.ts'

const NOW_MS = Date.UTC(2026, 5, 1)
const npi = (value: string, system = 'http://hl7.org/fhir/sid/us-npi') => ({ identifier: [{ system, value }] })
const ref = (reference: string, display?: string) => ({ reference, ...(display && { display }) })

const ADA = { name: [{ text: 'Ada Roe' }], ...npi('1234567893') }
const BEN = { name: [{ text: 'Ben Poe' }], ...npi('1346271483') }
const roleOf = (practitioner: string, more: object = {}) => ({
  practitioner: ref(`Practitioner/${practitioner}`),
  ...more,
})

type Resources = { readonly [T in DirectoryResourceType]?: Readonly<Record<string, object>> }

function offeringOf(actors: readonly (string | object)[], resources: Resources): Offering {
  const directory = new Directory('clinic', false, NOW_MS)
  const actor = actors.map((each) => (typeof each === 'string' ? ref(each) : each))
  for (const [type, byId] of Object.entries({ ...resources, Schedule: { s: { actor } } }))
    for (const [id, resource] of Object.entries(byId)) directory.put(type as DirectoryResourceType, { id, ...resource })
  return directory.schedule(ref('Schedule/s')).plain()
}

const Practitioner = { ada: ADA, ben: BEN }

test('a slot of several roles is found by the NPI of any of their practitioners', () => {
  const PractitionerRole = { a: roleOf('ada'), b: roleOf('ben') }
  const offering = offeringOf(['PractitionerRole/a', 'PractitionerRole/b'], { Practitioner, PractitionerRole })
  assert.deepEqual(offering.provider, { name: 'Ada Roe', npi: '1234567893' })
  assert.deepEqual(offering.details?.providers, [{ name: 'Ben Poe', npi: '1346271483' }])
  for (const [providerNpi, isFound] of [
    ['1234567893', true],
    ['1346271483', true],
    ['1111111111', false],
  ] as const)
    assert.equal(matcherOf({ status: 'free', providerNpi })?.(filterValuesOf(offering)), isFound, providerNpi)
})

test('a practitioner who is an actor beside the own role is one provider', () => {
  const resources = { Practitioner, PractitionerRole: { a: roleOf('ada'), gone: roleOf('gone') } }
  for (const role of ['PractitionerRole/a', 'PractitionerRole/gone']) {
    const { provider, details } = offeringOf(['Practitioner/ada', role], resources)
    assert.deepEqual([provider?.name, details?.providers], ['Ada Roe', undefined], role)
  }
  const both = offeringOf(['Practitioner/ben', 'PractitionerRole/a'], resources)
  assert.deepEqual([both.provider?.name, both.details?.providers?.[0].name], ['Ada Roe', 'Ben Poe'])
})

test('inactive and ended roles and inactive practitioners are not named as providers', () => {
  const former = [
    roleOf('ada', { active: false }),
    roleOf('ada', { period: { end: '2020' } }),
    roleOf('ada', { period: { end: '2026-05-31' } }),
    roleOf('gone', { active: false, practitioner: ref('Practitioner/gone', 'Ada Roe') }),
    roleOf('left'),
  ]
  for (const a of former) {
    const resources = {
      Practitioner: { ...Practitioner, left: { ...ADA, active: false } },
      PractitionerRole: {
        a: { ...a, specialty: [{ text: 'Surgery' }] },
        b: roleOf('ben', { period: { end: '2026' } }),
      },
    }
    assert.equal(offeringOf(['PractitionerRole/a'], resources).provider?.name, undefined, JSON.stringify(a))
    assert.equal(offeringOf(['PractitionerRole/a', 'PractitionerRole/b'], resources).provider?.name, 'Ben Poe')
  }
})

test('a name begins with its prefix', () => {
  const nameOf = (name: object) =>
    offeringOf(['Practitioner/p'], { Practitioner: { p: { name: [name] } } }).provider?.name
  const name = { given: ['Ana', 'M.'], family: 'Núñez', suffix: ['MD', 'PhD'] }
  assert.equal(nameOf({ ...name, prefix: ['Dr.'] }), 'Dr. Ana M. Núñez, MD, PhD')
  assert.equal(nameOf({ ...name, prefix: ['Dr.'], text: 'Ana Núñez' }), 'Ana Núñez')
  assert.equal(nameOf({ prefix: ['Dr.'], suffix: ['MD'] }), undefined)
})

test('an NPI is known by the object identifier of its system', () => {
  const Practitioner = {
    p: npi('1234567893', 'urn:oid:2.16.840.1.113883.4.6'),
    other: npi('1234567893', 'urn:oid:1.2'),
  }
  assert.equal(offeringOf(['Practitioner/p'], { Practitioner }).provider?.npi, '1234567893')
  assert.equal(offeringOf(['Practitioner/other'], { Practitioner }).provider, undefined)
})

test('leaves out an old NPI', () => {
  const { identifier } = npi('1346271483')
  const [old] = identifier.map((each) => ({ ...each, use: 'old' }))
  const Practitioner = { p: { ...ADA, identifier: [old, ...ADA.identifier] }, gone: { identifier: [old] } }
  const { provider, details } = offeringOf(['Practitioner/p'], { Practitioner })
  assert.equal(provider?.npi, '1234567893')
  assert.deepEqual(details?.resources?.Practitioner?.[0].identifier, ADA.identifier)
  assert.equal(offeringOf(['Practitioner/gone'], { Practitioner }).provider, undefined)
})
