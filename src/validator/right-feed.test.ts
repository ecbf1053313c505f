import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPlanted } from '../../test/support/validator/check-planted.ts'
import { extension, set } from '../../test/support/validator/plant.ts'
import { PlantedFeed } from '../../test/support/validator/planted-feed.ts'

/** Valid feeds that resemble invalid ones. */
const RIGHT: Readonly<Record<string, (feed: PlantedFeed) => void>> = {
  'an actor shown by the name of its Location': (feed) => {
    feed.resource('Schedule').actor[0].display = feed.resource('Location').name
  },
  'an actor shown by a longer name of its Location': (feed) => {
    feed.resource('Schedule').actor[0].display = 'Berkshire Medical Group - Elm Street'
  },
  'an actor shown by the city of its Location': (feed) => {
    feed.resource('Schedule').actor[0].display = 'Pittsfield office'
  },
  'a comment for patients': (feed) => {
    feed.resource('Slot').comment = 'New patients only. Bring your card; call 413-555-0100 if you are late.'
  },
  'names with marks': (feed) => {
    feed.resource('Location').name = 'Clínica São José, Ångström Wing'
    feed.resource('Practitioner').name = [{ family: 'Núñez', given: ['Ána'] }]
  },
  'a booking link with escaped characters': (feed) =>
    extension('booking-deep-link', { valueUrl: 'https://book.publisher.example/caf%C3%A9xyz%20now?a=100%25' })(
      feed.resource('Slot'),
    ),
  'a patient type that is unknown for a reason': (feed) => {
    const url = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason'
    extension('patient-type', { valueCoding: { extension: [{ url, valueCode: 'unknown' }] } })(feed.resource('Slot'))
  },
  'a slot early in the morning': (feed) =>
    set({ start: '2026-06-10T05:00:00-04:00', end: '2026-06-10T05:20:00-04:00' })(feed.resource('Slot')),
  'a video visit at night': (feed) =>
    set({ start: '2026-06-10T02:00:00-04:00', end: '2026-06-10T02:20:00-04:00' })(feed.resource('Slot', 2)),
  'slots on the last day of the planning horizon': (feed) =>
    set({ planningHorizon: { start: '2026', end: '2026-06-10' } })(feed.resource('Schedule')),
  'slots on the last day of the planning horizon in another time zone': (feed) =>
    set({ planningHorizon: { end: '2026-06-10T00:00:00Z' } })(feed.resource('Schedule')),
  'a busy slot that is overbooked': (feed) => void Object.assign(feed.resource('Slot', 1), { overbooked: true }),
  nanoseconds: (feed) => set({ start: '2026-06-10T10:00:00.000000001-04:00' })(feed.resource('Slot')),
  'security labels of unrestricted data': (feed) =>
    set({ meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code: 'U' }] } })(
      feed.resource('Slot'),
    ),
  'a role that ends today': (feed) => set({ period: { end: '2026-06-01' } })(feed.resource('PractitionerRole')),
  'a Location that is an instance': (feed) => set({ mode: 'instance' })(feed.resource('Location')),
  'two Schedules at one time': (feed) => {
    const { start, end } = feed.resource('Slot')
    set({ start, end })(feed.resource('Slot', 2))
  },
  'one slot': ({ files, manifest }) => {
    for (const type of ['Slot', 'Schedule', 'Location'] as const) files[type]?.splice(1)
    manifest.output = manifest.output.filter(({ type }: { type: string }) => type !== 'HealthcareService')
  },
  'a service type of a local system': (feed) => {
    feed.resource('Schedule').serviceType[0].coding.push({ system: 'https://publisher.example/types', code: '9999' })
  },
  'a military clinic in Germany': (feed) => {
    const address = { line: ['Building 3700'], city: 'APO', state: 'AE', postalCode: '09180', country: 'US' }
    set({ address, position: { latitude: 49.405, longitude: 7.595 } })(feed.resource('Location'))
    for (const { extension } of feed.manifest.output) extension?.state?.push('AE')
  },
  'a toll-free number in letters': (feed) => {
    feed.resource('Location').telecom[0].value = '1-800-FLOWERS'
  },
  'a telephone number of another country': (feed) => {
    feed.resource('Location').telecom[0].value = '+44 20 7946 0958'
  },
}

for (const [name, change] of Object.entries(RIGHT)) {
  test(`finds no problem in ${name}`, async () => {
    const feed = new PlantedFeed('stu1')
    change(feed)
    const { findings } = await checkPlanted(feed)
    assert.deepEqual(
      findings.map(({ rule, examples: [example] }) => `${rule}: ${example?.found}`),
      [],
    )
  })
}
