import type { Connector } from '../../../../src/feeds/connector.ts'
import type { HttpLimits } from '../../../../src/feeds/http/request.ts'
import type { SourceFormat } from '../../../../src/shared/source-vocabulary.ts'
import type { Resource } from '../fhir-server.ts'
import type { Delivery } from './deliveries.ts'

/** The time of the suite, a Monday. All its slots are within the next 30 days. */
export const SUITE_NOW_MS = Date.UTC(2030, 0, 7, 8)

/** A valid or invalid Slot of the only Schedule, with the names of FHIR. */
export interface SuiteSlot {
  readonly id: string
  readonly status?: string
  readonly start: string
  readonly end: string
  readonly bookingDeepLink?: string
  readonly capacity?: string
  readonly acceptingPatients?: string
}

/** The Location of all slots, which must be the same in the slots of each format. */
export const SUITE_PLACE = {
  name: 'Harbor Clinic',
  line: '1 Main Street',
  city: 'Boston',
  state: 'Massachusetts',
  postalCode: '2110',
} as const

/** A feed format: how the suite writes it, and how it is read. */
export interface FormatUnderTest {
  readonly name: string
  readonly format: SourceFormat
  /** The deliveries that the format can have: all of them if it is fetched over HTTP. */
  readonly deliveries: readonly Delivery[]
  /** The line number of the first slot. */
  readonly firstLine: number
  /** A slot as a line, an entry or a row. */
  line(slot: SuiteSlot): string
  /** Hostile content; each is one line. */
  readonly hostileLines: readonly string[]
  open(): Promise<OpenFeed>
}

/** A published feed, and its connector. */
export interface OpenFeed extends AsyncDisposable {
  readonly url: string
  /** Lines are generated for each read and never buffered together. */
  publish(lines: () => Iterable<string>, delivery?: Delivery): void
  /** `allowPrivate`: true except in tests of private addresses. */
  connector(limits?: Partial<HttpLimits>, allowPrivate?: boolean): Connector
}

/** A FHIR Slot of the Schedule `s1`. */
export function fhirSlot({ id, start, end, status, ...own }: SuiteSlot): object {
  const base = 'http://fhir-registry.smarthealthit.org/StructureDefinition'
  const extension = [
    ...(own.bookingDeepLink === undefined ? [] : [{ url: `${base}/booking-deep-link`, valueUrl: own.bookingDeepLink }]),
    ...(own.capacity === undefined ? [] : [{ url: `${base}/slot-capacity`, valueInteger: own.capacity }]),
    ...(own.acceptingPatients === undefined
      ? []
      : [{ url: `${base}/patient-type`, valueCoding: { code: own.acceptingPatients } }]),
  ]
  const schedule = { reference: 'Schedule/s1' }
  return { resourceType: 'Slot', id, schedule, status: status ?? 'free', start, end, extension }
}

/** The resources that FHIR slots refer to. */
export const SUITE_DIRECTORY: readonly Resource[] = [
  {
    resourceType: 'Location',
    id: 'l1',
    name: SUITE_PLACE.name,
    physicalType: { coding: [{ code: 'ph' }] },
    address: {
      line: [SUITE_PLACE.line],
      city: SUITE_PLACE.city,
      state: SUITE_PLACE.state,
      postalCode: SUITE_PLACE.postalCode,
    },
  },
  { resourceType: 'Schedule', id: 's1', actor: [{ reference: 'Location/l1' }] },
]

const DEEP = 100_000

/** JSON that could break parsers, prototypes, stacks and stores. */
export const HOSTILE_JSON: readonly string[] = [
  'null',
  '[]',
  '"text"',
  '1e999',
  '{}',
  '{"resourceType":"Slot"}',
  `${' '.repeat(2 ** 20)}{"resourceType":"Slot"}`,
  '{"resourceType":["Slot"],"id":{}}',
  '{"resourceType":["__proto__"],"id":"x"}',
  '{"__proto__":{"resourceType":"Slot","status":"free"},"id":"x"}',
  '{"resourceType":"Slot","constructor":{"prototype":{"status":"free"}},"id":"a"}',
  `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  `{"resourceType":"Slot","status":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  `{"resourceType":"Slot","id":"${'x'.repeat(2 ** 20)}"}`,
  `{"resourceType":"Slot","status":"${'a'.repeat(78)}\u{1f600}${'\u{1f600}'.repeat(300)}"}`,
  `{"resourceType":"Slot","status":"free\\u0000\\u001b[2J\\nfaked: ok"}`,
  `{"resourceType":"Slot","status":"\\ud800","id":"\\udfff"}`,
  `{"resourceType":"Slot","status":"free","start":${'9'.repeat(5000)}}`,
  `{"resourceType":"Slot","schedule":{"reference":"Schedule/\\u0000"},"status":"free","start":"2030-01-08T09:00:00Z","end":"2030-01-08T10:00:00Z","id":"z"}`,
]
