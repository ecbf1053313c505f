import fc from 'fast-check'
import { Directory } from '../../../src/feeds/fhir/directory.ts'
import { readSlot } from '../../../src/feeds/fhir/read-slot.ts'
import type { DirectoryResourceType } from '../../../src/feeds/fhir/resources.ts'
import type { Json } from '../../../src/lib/json.ts'
import type { Slot } from '../../../src/slot/slot.ts'

const GUIDE = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition'

const word = fc.constantFrom('Elm', 'Oak & Sons', 'Núñez', 'Praxis 7')
const state = fc.constantFrom('MA', 'NH', 'IL')
const coding = fc.record(
  {
    system: fc.constantFrom('http://snomed.info/sct', 'urn:oid:1.2'),
    code: fc.constantFrom('1', '2', 'x'),
    display: word,
  },
  { requiredKeys: ['code'] },
)
const concept = fc.record(
  { coding: fc.array(coding, { minLength: 1, maxLength: 2 }), text: word },
  { requiredKeys: ['coding'] },
)
const concepts = fc.array(concept, { minLength: 1, maxLength: 2 })
const identifier = fc.array(
  fc.record(
    { system: fc.constantFrom('https://a.example', 'https://b.example'), value: word },
    { requiredKeys: ['value'] },
  ),
  { minLength: 1, maxLength: 2 },
)
/** Some of the resources of a type, and one that is not in the feed. */
const references = (type: string) =>
  fc
    .uniqueArray(fc.constantFrom('0', '1', '2', 'gone'), { maxLength: 2 })
    .map((ids) => ids.map((id) => ({ reference: `${type}/${id}`, ...(id !== '0' && { display: `${type} ${id}` }) })))

const physicalType = fc.constantFrom('vi', 'ph', 'bu', 'area').map((code) => {
  return { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/location-physical-type', code }] }
})

const location = fc.record(
  {
    identifier,
    name: word,
    telecom: fc.constantFrom(
      [{ system: 'phone', value: '413-555-0100' }],
      [{ system: 'url', value: 'https://clinic.example/' }],
    ),
    address: fc.record(
      { line: fc.constant(['1 Elm St']), city: word, state, postalCode: fc.constant('02139') },
      { requiredKeys: [] },
    ),
    physicalType,
    position: fc.constant({ latitude: 42.1, longitude: -71.2 }),
    partOf: fc.constant({ reference: 'Location/0' }),
    extension: fc.constantFrom(
      [{ url: `${GUIDE}/licensed-states`, valueString: 'RI' }],
      [
        {
          url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Location.virtualService',
          extension: [{ url: 'address', valueUrl: 'https://video.example/1' }],
        },
      ],
    ),
  },
  { requiredKeys: [] },
)

const RESOURCES: { readonly [Type in DirectoryResourceType]: fc.Arbitrary<Json> } = {
  Location: location,
  Schedule: fc.record(
    {
      identifier,
      actor: fc
        .tuple(
          references('Location'),
          references('PractitionerRole'),
          references('Practitioner'),
          references('HealthcareService'),
        )
        .map((all) => all.flat()),
      serviceType: concepts,
      specialty: concepts,
      extension: fc.constantFrom(
        [{ url: `${GUIDE}/has-availability`, valueCode: 'some' }],
        [
          {
            url: `${GUIDE}/schedule-specialty`,
            valueCoding: { system: 'http://snomed.info/sct', code: '1', display: 'Elm' },
          },
        ],
      ),
    },
    { requiredKeys: [] },
  ),
  PractitionerRole: fc.record(
    {
      identifier,
      practitioner: references('Practitioner').map(([first = { display: 'Dr. Elm' }]) => first),
      organization: fc.constant({ reference: 'Organization/o', display: 'Elm Health' }),
      specialty: concepts,
      location: references('Location'),
      healthcareService: references('HealthcareService'),
      active: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  Practitioner: fc.record(
    {
      identifier: fc.constantFrom(
        [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }],
        [
          { system: 'https://a.example', value: '7' },
          { system: 'http://hl7.org/fhir/sid/us-npi', value: '1346271483' },
        ],
      ),
      name: word.map((text) => [{ text }]),
      communication: fc.constantFrom('es', 'en-US').map((code) => [{ coding: [{ system: 'urn:ietf:bcp:47', code }] }]),
      active: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  HealthcareService: fc.record(
    {
      identifier,
      name: word,
      providedBy: fc.constant({ reference: 'Organization/o', display: 'Elm Health' }),
      type: concepts,
      specialty: concepts,
      location: references('Location'),
    },
    { requiredKeys: [] },
  ),
}

const ofSlot = fc.record(
  {
    identifier,
    serviceType: concepts,
    specialty: concepts,
    appointmentType: concept,
    extension: fc.constantFrom(
      [{ url: 'https://clinic.example/channel', valueCode: 'phone' }],
      [{ url: 'https://clinic.example/channel', valueCode: 'both' }],
      [{ url: 'https://clinic.example/channel', valueCode: 'unheard of' }],
      [{ url: `${GUIDE}/patient-type`, valueCoding: { code: 'newpt' } }],
    ),
  },
  { requiredKeys: [] },
)

/** Slots as they are read from a feed of FHIR resources that refer to each other, and to missing ones, at random. Each starts at its own time. */
export const arbitraryFeed: fc.Arbitrary<readonly Slot[]> = fc
  .record({
    resources: fc.record(
      Object.fromEntries(
        Object.entries(RESOURCES).map(([type, one]) => [type, fc.array(one, { minLength: 1, maxLength: 3 })]),
      ) as { [Type in DirectoryResourceType]: fc.Arbitrary<Json[]> },
    ),
    slots: fc.array(fc.record({ own: ofSlot, schedule: fc.nat(2) }), { minLength: 1, maxLength: 6 }),
  })
  .map(({ resources, slots }) => {
    const directory = new Directory('north', false)
    for (const [type, all] of Object.entries(resources))
      for (const [id, one] of all.entries()) directory.put(type as DirectoryResourceType, { id: `${id}`, ...one })
    const { length } = resources.Schedule
    return slots.flatMap(({ own, schedule }, at) => {
      const start = new Date(Date.parse('2026-06-02T12:00:00Z') + at * 900_000).toISOString()
      const end = new Date(Date.parse(start) + 900_000).toISOString()
      const reference = `Schedule/${schedule % length}`
      return readSlot({ id: `${at}`, status: 'free', start, end, schedule: { reference }, ...own }, directory) ?? []
    })
  })
