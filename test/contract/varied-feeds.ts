import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts'
import { SLOT_STATUSES } from '../../src/slot/slot.ts'
import { manifest, ndjson } from '../support/feeds/publisher.ts'

/** The slugs of the publishers whose feeds can be read. */
export const SLUGS = ['north', 'south', 'east-side']

const SLOTS = 90
const STATES = ['MA', 'CA', 'NY', 'TX', 'WA']
/** Texts of publishers, some of which could break a header, a line, a cell or a query. */
const WORDS = [
  'Plain',
  'Praxis "Müller" ☂ 診療所',
  '=1+1',
  '-2',
  'a, b; c',
  "O'Brien & Söhne <b>",
  '\\"}',
  '100%',
  'x+y',
]
const LINKS = [
  'https://booking.example.com/b/1f0c2x',
  'http://booking.example.com:8080/?a=[1]|2&b=%zz#x{y}',
  'https://müller.example/ü "x"',
  'HTTPS://EXAMPLE.ORG',
]

/** The files of every feed, by path. Each generation changes, adds and removes some slots. */
export function variedFeeds(generation: number, nowMs: number): Record<string, string> {
  return Object.fromEntries(SLUGS.flatMap((slug, n) => Object.entries(feedOf(slug, n, { generation, nowMs }))))
}

interface Moment {
  readonly generation: number
  readonly nowMs: number
}

function feedOf(slug: string, at: number, moment: Moment): Record<string, string> {
  const types = ['Location', 'Practitioner', 'PractitionerRole', 'HealthcareService', 'Schedule', 'Slot']
  const names = Object.fromEntries(types.map((type) => [`/${slug}/${type}`, type]))
  return {
    [`/${slug}/$bulk-publish`]: manifest(names),
    [`/${slug}/Location`]: ndjson(...range(8).map((n) => location(n, at))),
    [`/${slug}/Practitioner`]: ndjson(...range(5).map(practitioner)),
    [`/${slug}/PractitionerRole`]: ndjson(...range(6).map(role)),
    [`/${slug}/HealthcareService`]: ndjson(...range(2).map(service)),
    [`/${slug}/Schedule`]: ndjson(...range(12).map(schedule)),
    [`/${slug}/Slot`]: ndjson(
      ...range(SLOTS + moment.generation * 5)
        .filter((n) => n % 17 !== moment.generation)
        .map((n) => slot(n, at, moment)),
    ),
  }
}

function location(n: number, at: number): object {
  const address = {
    line: ['1 Main Street', word(n)],
    city: n % 3 === 0 ? 'Boston' : word(n + 1),
    state: STATES[(n + at) % STATES.length],
    postalCode: n === 1 ? 'K1A 0B1' : `0${2100 + n}`,
  }
  const licensed = { url: 'http://x/licensed-states', valueString: 'NH, VT' }
  return {
    resourceType: 'Location',
    id: `${n}`,
    ...(n !== 6 && { name: word(n) }),
    ...(n === 5 ? { physicalType: { coding: [{ code: 'vi' }] }, extension: [licensed] } : { address }),
    ...(n % 2 === 0 && { position: { latitude: 42.36 - n * 0.05, longitude: -71.06 + at } }),
    telecom: [
      { system: 'phone', value: '617-555-0101' },
      { system: 'url', value: LINKS[n % LINKS.length] },
    ],
  }
}

function practitioner(n: number): object {
  const identifier = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: `134627148${n}` }]
  return {
    resourceType: 'Practitioner',
    id: `${n}`,
    name: [{ text: `${word(n)} Moe` }],
    ...(n !== 3 && { identifier }),
  }
}

function role(n: number): object {
  return {
    resourceType: 'PractitionerRole',
    id: `${n}`,
    practitioner: { reference: `Practitioner/${n}`, display: 'Dr. Display' },
    location: [{ reference: `Location/${n}` }],
    ...(n !== 4 && { specialty: [{ text: n % 2 === 0 ? 'Dermatology' : word(n) }] }),
  }
}

function service(n: number): object {
  return {
    resourceType: 'HealthcareService',
    id: `${n}`,
    type: [{ coding: [{ code: `${100 + n}` }], text: word(n) }],
  }
}

function schedule(n: number): object {
  const actors = [
    [`Location/${n % 8}`],
    [`PractitionerRole/${n % 6}`],
    [`Location/${n % 8}`, 'Location/5', `HealthcareService/${n % 2}`],
    ['Location/5'],
    ['Device/1'],
  ][n % 5]
  return {
    resourceType: 'Schedule',
    id: n === 3 ? 'a.b-c' : `${n}`,
    actor: actors.map((reference) => ({ reference })),
    ...(n % 3 !== 0 && { serviceType: serviceTypes(n) }),
  }
}

/** One to three codes of several systems. */
function serviceTypes(n: number): object[] {
  const codings = range(1 + (n % 3)).map((at) => ({
    system: `http://x/types-${at}`,
    code: `${57 + n + at}`,
    display: word(n),
  }))
  return n % 2 === 0 ? [{ coding: codings }] : codings.map((coding) => ({ coding: [coding] }))
}

/** Some slots ended long ago, and none ends within days, so that no slot ends during the test. */
function slot(n: number, at: number, { generation, nowMs }: Moment): object {
  const days = n % 6 === 0 ? -10 - n : 3 + (n % 40)
  const startMs = Math.floor(nowMs / DAY_MS) * DAY_MS + days * DAY_MS + (n % 24) * 15 * MINUTE_MS
  const endMs = startMs + [0, 15, 30, 60, 960][n % 5] * MINUTE_MS
  const changed = generation > 0 && n % 11 === 0
  return {
    resourceType: 'Slot',
    id: `slot-${n % 70}`,
    schedule: { reference: `Schedule/${n % 12 === 3 ? 'a.b-c' : n % 12}` },
    status: SLOT_STATUSES[n % 4 === 3 ? (n + at) % 4 : 0],
    start: withOffset(startMs, n),
    end: withOffset(endMs, n),
    ...(n % 7 === 0 && { serviceType: [{ text: 'words alone' }] }),
    ...(n % 4 === 0 && { appointmentType: { coding: [{ code: n % 8 === 0 ? 'ROUTINE' : 'WALK IN' }] } }),
    extension: [
      { url: 'http://x/booking-deep-link', valueUrl: LINKS[n % LINKS.length] },
      { url: 'http://x/slot-capacity', valueString: changed ? '99' : `${n % 4}` },
      { url: 'http://x/booking-phone', valueString: '617-555-0100' },
      { url: 'http://x/patient-type', valueCode: ['newpt', 'existptonly', 'existptfam'][n % 3] },
      { url: 'http://x/channel', valueCode: ['virtual', 'both'][n % 2] },
    ].filter((_, which) => (n + which) % 3 !== 0),
  }
}

function withOffset(ms: number, n: number): string {
  const hours = [0, -5, 4][n % 3]
  if (hours === 0) return new Date(ms).toISOString()
  const local = new Date(ms + hours * 3_600_000).toISOString().slice(0, 19)
  return `${local}${hours < 0 ? '-' : '+'}0${Math.abs(hours)}:00`
}

function word(n: number): string {
  return WORDS[n % WORDS.length]
}

function range(length: number): number[] {
  return Array.from({ length }, (_, n) => n)
}
