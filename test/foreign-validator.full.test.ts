import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { Slot } from '../src/slot/slot.ts'
import { arbitrarySlot } from './support/arbitrary-slot.ts'
import { arbitraryFeed } from './support/feeds/arbitrary-feed.ts'
import { readFeedFolder } from './support/feeds/read-feed-folder.ts'
import { feedsWithManifest } from './support/feeds/recorded-feeds.ts'
import { type Published, Republisher } from './support/feeds/republisher.ts'
import { sampleSlots } from './support/feeds/sample-slots.ts'
import { requireForeign } from './support/profiles/foreign-packages.ts'
import { ForeignValidator } from './support/profiles/foreign-validator.ts'

// Others' code validates what we publish: SUSHI compiles the profiles, and Medplum's validator checks each resource by them and by R4.

let validator: ForeignValidator | undefined
let reason = ''

before(
  async () => {
    const load = await requireForeign().catch((error: Error) => {
      reason = /^npm error (.+)$/m.exec(error.message)?.[1] ?? error.message
    })
    if (load) validator = await ForeignValidator.open(load)
  },
  { timeout: 300_000 },
)

/** A test with the validator, which is skipped if npm cannot install it. */
function validated(name: string, run: (t: TestContext, validator: ForeignValidator) => Promise<void>): void {
  test(name, async (t) => {
    if (validator === undefined) t.skip(`npm cannot install the validator and the compiler of profiles: ${reason}`)
    else await run(t, validator)
  })
}

/** All resources of an instance with these slots, which its keyed and its open feed have. */
async function published(republisher: Republisher, slots: readonly Slot[]): Promise<Published[]> {
  republisher.hold(slots)
  const [keyed, open] = [await republisher.resources(), await republisher.resources(republisher.openUrl)]
  assert.deepEqual(open, keyed)
  assert.equal(open.filter(({ resourceType }) => resourceType === 'Slot').length, slots.length)
  return open
}

for (const feed of feedsWithManifest())
  validated(`finds no fault in the slots of ${feed.name}`, async (t, validator) => {
    if (feed.skip) return t.skip(feed.skip)
    const { slots } = await readFeedFolder(feed)
    assert.deepEqual(validator.faultsOf(await published(await Republisher.start(t), slots)), [])
  })

validated('finds no fault in a feed of the guide', async (t, validator) => {
  assert.deepEqual(validator.faultsOf(await published(await Republisher.start(t), someSlots(700))), [])
})

validated('finds no fault in what is published of any FHIR resources', async (t, validator) => {
  const republisher = await Republisher.start(t)
  await fc.assert(
    fc.asyncProperty(arbitraryFeed, async (slots) => {
      assert.deepEqual(validator.faultsOf(await published(republisher, slots)), [])
    }),
    { numRuns: 40 },
  )
})

validated('finds no fault in any slots but codes and URIs that were none at their source', async (t, validator) => {
  const republisher = await Republisher.start(t)
  const slots = fc.uniqueArray(arbitrarySlot, { maxLength: 10, selector: ({ id }) => id })
  await fc.assert(
    fc.asyncProperty(slots, async (held) => {
      const faults = validator.faultsOf(await published(republisher, held))
      const ours = faults.filter(
        (text) => !/(?:identifier|coding|extension).*: Invalid (?:uri|code) format$/.test(text),
      )
      assert.deepEqual(ours, [])
    }),
    { numRuns: 40 },
  )
})

/** What must be found, by the resource in which it is planted. */
const FAULTS: Readonly<Record<string, readonly ((resource: Loose) => void)[]>> = {
  Slot: [
    (slot) => delete slot.schedule,
    (slot) => delete slot.end,
    (slot) => Object.assign(slot, { start: '2026-06-02' }),
    (slot) => Object.assign(slot, { status: 'open' }),
    (slot) => Object.assign(slot, { status: 'entered-in-error' }),
    (slot) => Object.assign(slot, { schedule: { reference: 'Location/1' } }),
    (slot) => Object.assign(slot, { capacity: 3 }),
    (slot) => slot.extension.splice(indexOf(slot, 'patient-type'), 1),
    (slot) => slot.extension.push(slot.extension[indexOf(slot, 'patient-type')]),
    (slot) => delete slot.extension[indexOf(slot, 'patient-type')].valueCoding.code,
    (slot) => Object.assign(slot.extension[indexOf(slot, 'patient-type')].valueCoding, { system: 'https://a.example' }),
    (slot) => slot.extension.push({ url: guide('booking-phone'), valueString: '413-555-0101' }),
    (slot) => slot.extension.push({ url: guide('booking-phone'), valueContactPoint: { system: 'fax', value: '1' } }),
    (slot) => slot.extension.push({ url: guide('booking-phone') }),
  ],
  Schedule: [
    (schedule) => delete schedule.actor,
    (schedule) => delete schedule.serviceType,
    (schedule) => Object.assign(schedule.actor[0], { reference: 'Patient/1' }),
    (schedule) =>
      Object.assign(schedule, { extension: [{ url: guide('schedule-specialty'), valueCoding: { display: 'A' } }] }),
  ],
  Location: [
    (location) => delete location.name,
    (location) => delete location.telecom,
    (location) => delete location.telecom[0].value,
    (location) => Object.assign(location.telecom[0], { system: 'tel' }),
    (location) => Object.assign(location, { name: '' }),
    (location) => Object.assign(location, { position: { latitude: 42 } }),
    (location) => Object.assign(location, { extension: [{ url: guide('licensed-states') }] }),
  ],
  Practitioner: [
    (practitioner) => delete practitioner.identifier,
    (practitioner) => practitioner.identifier.push({ value: '2' }),
  ],
  PractitionerRole: [
    (role) => Object.assign(role, { location: [{ reference: 'Practitioner/1' }] }),
    (role) => Object.assign(role, { specialty: { text: 'Dentist' } }),
  ],
}

validated('finds faults that are planted in a publication', async (t, validator) => {
  const resources = await published(await Republisher.start(t), someSlots(200))
  const [virtual, others] = [resources.filter(isVirtual), resources.filter((each) => !isVirtual(each))]
  const faultless = (sound: Published) => assert.deepEqual(validator.faultsOf([sound]), [])
  for (const [type, faults] of Object.entries(FAULTS)) {
    const sound = others.find(({ resourceType }) => resourceType === type)
    assert.ok(sound, type)
    faultless(sound)
    for (const plant of faults) {
      const faulty = structuredClone(sound)
      plant(faulty)
      assert.notDeepEqual(validator.faultsOf([faulty]), [], `${type}: ${plant}`)
    }
  }
  assert.ok(virtual.length > 0)
  faultless(virtual[0])
  assert.notDeepEqual(validator.faultsOf([{ ...virtual[0], extension: undefined }]), [])
})

function isVirtual({ physicalType }: Published): boolean {
  return JSON.stringify(physicalType ?? '').includes('"vi"')
}

/** Slots of the demo, evenly from all its states. */
function someSlots(count: number): Slot[] {
  const all = sampleSlots(1)
  return all.filter((_, at) => at % Math.floor(all.length / count) === 0)
}

// biome-ignore lint/suspicious/noExplicitAny: faults are planted anywhere
type Loose = any

const guide = (name: string) => `http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/${name}`

function indexOf(resource: Loose, extension: string): number {
  return resource.extension.findIndex(({ url }: { url: string }) => url === guide(extension))
}
