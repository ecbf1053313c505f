import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { Directory } from '../src/feeds/fhir/directory.ts'
import { readSlot } from '../src/feeds/fhir/read-slot.ts'
import type { DirectoryResourceType } from '../src/feeds/fhir/resources.ts'
import type { Json } from '../src/lib/json.ts'
import type { CheckReport } from '../src/shared/contract/feed-checks.ts'
import type { Slot } from '../src/slot/slot.ts'
import { checkFeed } from '../src/validator/check-feed.ts'
import { webFeed } from '../src/validator/web-feed.ts'
import { arbitrarySlot } from './support/arbitrary-slot.ts'
import { arbitraryFeed } from './support/feeds/arbitrary-feed.ts'
import { readFeedFolder } from './support/feeds/read-feed-folder.ts'
import { feedsWithManifest } from './support/feeds/recorded-feeds.ts'
import { NOW_MS, Republisher } from './support/feeds/republisher.ts'
import { sampleSlots } from './support/feeds/sample-slots.ts'
import { stu1Violations } from './support/feeds/stu1-constraints.ts'

for (const feed of feedsWithManifest())
  test(`publishes the slots of ${feed.name} by the profiles of the guide`, { skip: feed.skip }, async (t) => {
    const republisher = await Republisher.start(t)
    const { slots } = await readFeedFolder(feed)
    republisher.hold(slots)
    const resources = await republisher.resources()
    assert.equal(resources.filter(({ resourceType }) => resourceType === 'Slot').length, slots.length)
    assert.deepEqual(stu1Violations(resources), [])
  })

test('publishes any slots by the profiles of the guide', async (t) => {
  const republisher = await Republisher.start(t)
  const slots = fc.oneof(arbitraryFeed, fc.uniqueArray(arbitrarySlot, { maxLength: 10, selector: ({ id }) => id }))
  await fc.assert(
    fc.asyncProperty(slots, async (held) => {
      republisher.hold(held)
      assert.deepEqual(stu1Violations(await republisher.resources()), [])
    }),
    { numRuns: 60 },
  )
})

test('the check finds no problem in the publication of a feed of the guide', async (t) => {
  assert.deepEqual(await findingsIn(t, sampleSlots(3000)), [])
})

test('the check finds no problem in the publication of a feed of the first generation', async (t) => {
  const Location = {
    name: 'Elm Street Pharmacy',
    telecom: [{ system: 'phone', value: '413-555-0100' }],
    address: { line: ['1 Elm St'], city: 'Pittsfield', state: 'MA', postalCode: '01201' },
  }
  const serviceType = [
    {
      coding: [
        { system: 'http://terminology.hl7.org/CodeSystem/service-type', code: '57', display: 'Immunization' },
        { system: 'http://fhir-registry.smarthealthit.org/CodeSystem/service-type', code: 'covid19-immunization' },
      ],
    },
  ]
  const root = 'http://fhir-registry.smarthealthit.org/StructureDefinition'
  const extension = [
    { url: `${root}/booking-deep-link`, valueUrl: 'https://pharmacy.example/book' },
    { url: `${root}/booking-phone`, valueString: '413-555-0101' },
    { url: `${root}/slot-capacity`, valueInteger: 1 },
  ]
  const slots = slotsOf({ Location, Schedule: { serviceType } }, { extension })
  assert.deepEqual(await findingsIn(t, slots), [])
})

test('the check finds only missing states in the publication of a feed with the required elements only', async (t) => {
  const url = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/booking-phone'
  const extension = [{ url, valueContactPoint: { system: 'phone', value: '413-555-0101' } }]
  const virtual = { physicalType: { coding: [{ code: 'vi' }] } }
  const slots = [
    { Location: { address: { state: 'MA' } }, Schedule: {} },
    { Location: {}, Schedule: {} },
    { Location: virtual, Schedule: {} },
    { Schedule: { actor: [] } },
    { Schedule: {}, Practitioner: {}, PractitionerRole: {} },
    { Schedule: {}, HealthcareService: {} },
  ].flatMap((resources) => slotsOf(resources, { extension }))
  const findings = await findingsIn(t, slots)
  assert.deepEqual(findings.map(({ rule }) => rule).sort(), ['feed-without-states', 'output-state-missing'])
})

/** What the check finds in the open feed of an instance with these slots. */
async function findingsIn(t: TestContext, slots: readonly Slot[]): Promise<CheckReport['findings']> {
  const republisher = await Republisher.start(t)
  republisher.hold(slots)
  const feed = webFeed(republisher.openUrl, { allowPrivate: true }, AbortSignal.timeout(60_000))
  const { findings } = await checkFeed(feed, { clock: () => NOW_MS })
  return findings
}

/** A slot of a publisher whose Schedule has one resource of each type as actor. */
function slotsOf(resources: { readonly [Type in DirectoryResourceType]?: Json }, more: Json = {}): Slot[] {
  const directory = new Directory(`publisher-${JSON.stringify(resources).length}`, false)
  const types = Object.keys(resources).filter((type) => type !== 'Schedule')
  const actor = types.map((type) => ({ reference: `${type}/1` }))
  const role = { practitioner: { reference: 'Practitioner/1' } }
  for (const [type, own] of Object.entries({ ...resources, Schedule: { actor, ...resources.Schedule } }))
    directory.put(type as DirectoryResourceType, { id: '1', ...(type === 'PractitionerRole' && role), ...own })
  const [start, end] = ['2026-06-02T10:00:00-04:00', '2026-06-02T10:15:00-04:00']
  const schedule = { reference: 'Schedule/1' }
  return [readSlot({ id: '1', status: 'free', start, end, schedule, ...more }, directory) ?? []].flat()
}
