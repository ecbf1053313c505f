import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Directory } from '../src/feeds/fhir/directory.ts'
import { readSlot } from '../src/feeds/fhir/read-slot.ts'
import type { DirectoryResourceType } from '../src/feeds/fhir/resources.ts'
import type { Json } from '../src/lib/json.ts'
import type { Identifier, Slot } from '../src/slot/slot.ts'
import { casesOf } from './support/cases.ts'
import { arbitraryFeed } from './support/feeds/arbitrary-feed.ts'
import { RecordedDraft } from './support/feeds/recorded-draft.ts'
import { Republisher } from './support/feeds/republisher.ts'
import { sortedByName } from './support/sorted-by-name.ts'

test('a second instance serves every field, identifier, system and display of FHIR resources', async (t) => {
  const republisher = await Republisher.start(t)
  const system = `${republisher.origin}/v1/scheduling/slots?publisher=north`
  await fc.assert(
    fc.asyncProperty(arbitraryFeed, async (slots) => {
      republisher.hold(slots)
      const draft = new RecordedDraft()
      await republisher.read(draft)
      assert.deepEqual(draft.rejected, [])
      assert.deepEqual(byStart(draft.slots).map(served), byStart(slots).map(served))
      for (const [at, copy] of byStart(draft.slots).entries()) {
        const known = new Set(identifiersOf(copy).map((one) => JSON.stringify(sortedByName(one))))
        const expected = [...identifiersOf(slots[at]), ...originalIds(slots[at]).map((value) => ({ system, value }))]
        for (const one of expected) assert.ok(known.has(JSON.stringify(sortedByName(one))), JSON.stringify(one))
      }
    }),
    { numRuns: casesOf(60) },
  )
})

test('publishes one Location for each clinic, and virtual ones, organizations and codings as their source does', async (t) => {
  const guide = 'http://hl7.org/fhir/uv/smart-scheduling-links'
  const xver = 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Location.virtualService'
  const specialty = [
    { coding: [{ system: 'http://snomed.info/sct', code: '394582007', display: 'Dermatology' }] },
    { coding: [{ system: 'http://nucc.org/provider-taxonomy', code: '207N00000X' }] },
  ]
  const video = {
    name: 'Video visits',
    telecom: [{ system: 'phone', value: '413-555-0199' }],
    physicalType: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/location-physical-type', code: 'vi' }] },
    extension: [
      ...['MA', 'NH'].map((valueString) => ({ url: `${guide}/StructureDefinition/licensed-states`, valueString })),
      { url: xver, extension: [{ url: 'address', valueUrl: 'https://video.example/1' }] },
    ],
  }
  const directory = new Directory('north', true)
  const put = (type: DirectoryResourceType, id: string, resource: Json) => directory.put(type, { id, ...resource })
  const actors = (...all: string[]) => ({ actor: all.map((reference) => ({ reference })) })
  put('Location', 'boston', { name: 'Boston', address: { city: 'Boston', state: 'MA' } })
  put('Location', 'chicago', { name: 'Chicago', address: { city: 'Chicago', state: 'IL' } })
  put('Location', 'video', video)
  put('Practitioner', 'p', { name: [{ text: 'Dr. Roe' }] })
  put('PractitionerRole', 'r', {
    practitioner: { reference: 'Practitioner/p' },
    organization: { reference: 'Organization/o', display: 'Elm Health' },
    location: ['boston', 'chicago'].map((id) => ({ reference: `Location/${id}` })),
    specialty,
  })
  put('Schedule', 'a', actors('Location/boston', 'PractitionerRole/r'))
  put('Schedule', 'b', actors('Location/chicago', 'PractitionerRole/r'))
  put('Schedule', 'c', actors('Location/boston', 'Location/video', 'PractitionerRole/r'))
  const [start, end] = ['2026-06-02T10:00:00-04:00', '2026-06-02T10:15:00-04:00']
  const slots = ['a', 'b', 'c'].flatMap((id) => {
    const schedule = { reference: `Schedule/${id}` }
    return readSlot({ id, status: 'free', start, end, schedule }, directory) ?? []
  })
  const republisher = await Republisher.start(t)
  republisher.hold(slots)
  const all = await republisher.resources()
  const ofType = (type: string) => all.filter(({ resourceType }) => resourceType === type)
  const system = `${republisher.origin}/v1/scheduling/slots?publisher=north`
  const locations = new Map(ofType('Location').map((one) => [one.name, one]))
  assert.deepEqual(
    ofType('Location')
      .map(({ name }) => name)
      .sort(),
    ['Boston', 'Chicago', 'Video visits'],
  )
  for (const name of ['Boston', 'Chicago'])
    assert.deepEqual([locations.get(name)?.physicalType, locations.get(name)?.extension], [undefined, undefined])
  assert.deepEqual(locations.get('Boston')?.identifier, [{ system, value: 'boston' }])
  const { name, telecom, physicalType, extension }: Json = { ...locations.get('Video visits') }
  assert.deepEqual({ name, telecom, physicalType, extension }, video)
  const [role, ...otherRoles] = ofType('PractitionerRole')
  assert.deepEqual(otherRoles, [])
  assert.deepEqual(role.specialty, specialty)
  assert.deepEqual(role.organization, { display: 'Elm Health', identifier: { system, value: 'o' } })
  const displays = ofType('Schedule').map(({ actor }) => (actor as Json[]).map(({ display }) => display).join())
  assert.deepEqual(displays.sort(), ['Boston,Dr. Roe', 'Boston,Video visits,Dr. Roe', 'Chicago,Dr. Roe'])
})

function byStart(slots: readonly Slot[]): Slot[] {
  return slots.toSorted((a, b) => a.startMs - b.startMs)
}

/** A slot without the ids, which a new publisher changes. */
function served({ id: _id, offering, ...own }: Slot): unknown {
  const { publisher: _publisher, scheduleId: _schedule, details, ...shared } = offering
  const { resources: _resources, languages = [], ...said } = details ?? {}
  // Only filters use them, so their order does not matter.
  const sorted = languages.map((one) => JSON.stringify(sortedByName(one))).sort()
  return sortedByName({ ...own, ...shared, ...said, languages: sorted })
}

function identifiersOf({ offering }: Slot): readonly Identifier[] {
  const all = Object.values(offering.details?.resources ?? {}).flat()
  return all.flatMap((one) => one.identifier ?? [])
}

function originalIds({ offering }: Slot): readonly string[] {
  const all = Object.values(offering.details?.resources ?? {}).flat()
  return [offering.scheduleId, ...all.flatMap((one) => one.id ?? [])]
}
