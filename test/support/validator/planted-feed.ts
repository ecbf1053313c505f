import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Generation } from '../../../src/shared/check-report-labels.ts'
import { GUIDE_ROOT, OLD_ROOT } from '../../../src/validator/extensions.ts'
import { Publisher } from '../feeds/publisher.ts'

/** The time of the check. */
export const NOW_MS = Date.parse('2026-06-01T12:00:00Z')

export type FileType = 'Location' | 'Schedule' | 'PractitionerRole' | 'Practitioner' | 'HealthcareService' | 'Slot'

/** A resource into which errors are planted. */
// biome-ignore lint/suspicious/noExplicitAny: tests write arbitrary values into it
export type Loose = Record<string, any>

/** A valid feed of each generation, into which errors are planted before it is published. */
export class PlantedFeed {
  readonly generation: Generation
  readonly manifest: Loose
  readonly files: Partial<Record<FileType, Loose[]>>
  /** Further pages of the manifest by name. */
  readonly pages = new Map<string, Loose>()
  /** Further files by name, without `.ndjson`. */
  readonly more = new Map<string, Loose[]>()
  /** Changes to the text of a file or the manifest. */
  readonly texts = new Map<string, (text: string) => string | Buffer>()
  /** Additional or changed headers; undefined removes a header. */
  readonly headers = new Map<string, Record<string, string | undefined>>()
  /** Files are never replaced. */
  isImmutable = false
  /** Redirects by path. */
  readonly redirects = new Map<string, string>()
  path = '/$bulk-publish'
  /** Returns 304 for every request with an entity tag. */
  matchesAnyTag = false

  constructor(generation: Generation) {
    this.generation = generation
    this.files = FILES[generation]()
    const types = Object.keys(this.files)
    this.manifest = {
      transactionTime: '2026-06-01T11:59:00Z',
      request: 'https://publisher.example/$bulk-publish',
      output: types.map((type) => ({
        type,
        url: `ORIGIN/${type}.ndjson`,
        extension: { state: ['MA', 'NH'] },
      })),
      error: [],
    }
  }

  /** The resource of a type at an index. */
  resource(type: FileType, at = 0): Loose {
    const found = this.files[type]?.[at]
    if (found === undefined) throw new Error(`Cannot plant: the feed must have ${type} ${at}`)
    return found
  }

  /** The text of each file by name. */
  toFiles(origin: string): Map<string, string | Buffer> {
    const change = (key: string, text: string) => this.texts.get(key)?.(text) ?? text
    const files = [...Object.entries(this.files), ...this.more].map(([name, resources]) => {
      const text = resources.map((resource) => `${JSON.stringify(resource)}\n`).join('')
      return [`${name}.ndjson`, change(name, text)] as const
    })
    const written = (manifest: Loose) => JSON.stringify(manifest).replaceAll('ORIGIN', origin)
    const pages = [...this.pages].map(([name, page]) => [name, change(name, written(page))] as const)
    return new Map([...files, ...pages, [this.path.slice(1), change('manifest', written(this.manifest))]])
  }

  /** Where a file or page is, below the origin. */
  pathOf(key: string): string {
    return key === 'manifest' ? this.path : this.pages.has(key) ? `/${key}` : `/${key}.ndjson`
  }

  async publish(): Promise<Publisher> {
    const publisher = await Publisher.open({})
    for (const [name, content] of this.toFiles(publisher.origin)) {
      const key = name === this.path.slice(1) ? 'manifest' : name.replace('.ndjson', '')
      publisher.files[`/${name}`] = (request, response) => this.#respond(request, response, key, content)
    }
    for (const [from, to] of this.redirects)
      publisher.files[from] = (_, response) => response.writeHead(302, { location: to }).end()
    return publisher
  }

  #respond(request: IncomingMessage, response: ServerResponse, key: string, content: string | Buffer): void {
    const isManifest = key === 'manifest' || this.pages.has(key)
    const headers = {
      'content-type': isManifest ? 'application/json' : 'application/fhir+ndjson',
      etag: '"one"',
      'cache-control': this.isImmutable && !isManifest ? 'public, max-age=31536000, immutable' : 'max-age=60',
      ...this.headers.get(key),
    }
    const requested = request.headers['if-none-match']
    const isUnchanged =
      requested !== undefined &&
      (this.matchesAnyTag || requested === headers.etag) &&
      !('x-ignores-validators' in headers)
    const sent = Object.entries(headers).filter(([, value]) => value !== undefined)
    response.writeHead(isUnchanged ? 304 : 200, Object.fromEntries(sent) as Record<string, string>)
    response.end(isUnchanged ? undefined : content)
  }
}

const guide = (name: string, value: object) => ({ url: GUIDE_ROOT + name, ...value })
const older = (name: string, value: object) => ({ url: OLD_ROOT + name, ...value })

const FILES: Readonly<Record<Generation, () => Partial<Record<FileType, Loose[]>>>> = {
  stu1: () => ({
    Location: [clinic('l1'), video()],
    Schedule: [
      schedule(
        's1',
        ['Location/l1', 'PractitionerRole/r1'],
        [guide('schedule-specialty', { valueCoding: SPECIALTY() })],
      ),
      schedule('s2', ['Location/v1', 'HealthcareService/h1'], []),
    ],
    ...PEOPLE(),
    HealthcareService: [service()],
    Slot: slots(['s1', 's1', 's2'], (link) => [
      guide('booking-deep-link', { valueUrl: link }),
      guide('booking-phone', { valueContactPoint: { system: 'phone', value: '+1-413-555-0100' } }),
      guide('patient-type', { valueCoding: { system: ACCEPTING, code: 'newpt' } }),
    ]),
  }),
  'draft-2025': () => ({
    Location: [clinic('l1'), clinic('l2')],
    Schedule: [
      schedule('s1', ['Location/l1', 'PractitionerRole/r1'], [older('specialty', { valueCoding: SPECIALTY() })]),
      schedule('s2', ['Location/l2'], []),
    ],
    ...PEOPLE(),
    Slot: slots(['s1', 's1', 's2'], olderExtensions),
  }),
  'vaccine-2021': () => ({
    Location: [clinic('l1'), clinic('l2')],
    Schedule: [
      schedule('s1', ['Location/l1'], [older('vaccine-product', { valueCoding: CVX() })]),
      schedule('s2', ['Location/l2'], [older('vaccine-dose', { valueInteger: 1 })]),
    ],
    Slot: slots(['s1', 's1', 's2'], (link) => [...olderExtensions(link), older('slot-capacity', { valueInteger: 3 })]),
  }),
}

const SPECIALTY = () => ({ system: 'http://snomed.info/sct', code: '394802001', display: 'General medicine' })
const CVX = () => ({ system: 'http://hl7.org/fhir/sid/cvx', code: '207' })
const ACCEPTING = 'http://terminology.hl7.org/CodeSystem/accepting-patients'
const PHYSICAL = 'http://terminology.hl7.org/CodeSystem/location-physical-type'

function olderExtensions(link: string): Loose[] {
  return [older('booking-deep-link', { valueUrl: link }), older('booking-phone', { valueString: '413-555-0100' })]
}

const TELECOM = () => [
  { system: 'phone', value: '413-555-0100' },
  { system: 'url', value: 'https://clinic.publisher.example' },
]

function clinic(id: string): Loose {
  return {
    resourceType: 'Location',
    id,
    identifier: [{ system: 'https://publisher.example/sites', value: id }],
    status: 'active',
    name: 'Elm Street Clinic',
    telecom: TELECOM(),
    address: { line: ['173 Elm St'], city: 'Pittsfield', state: 'MA', postalCode: '01201-7223' },
    position: { latitude: 42.45, longitude: -73.25 },
  }
}

function video(): Loose {
  return {
    resourceType: 'Location',
    id: 'v1',
    status: 'active',
    name: 'Elm Street Clinic, video visits',
    telecom: TELECOM(),
    physicalType: { coding: [{ system: PHYSICAL, code: 'vi' }] },
    extension: ['MA', 'NH'].map((state) => guide('licensed-states', { valueString: state })),
  }
}

function schedule(id: string, actors: readonly string[], extension: readonly object[]): Loose {
  const coding = [
    {
      system: 'http://terminology.hl7.org/CodeSystem/service-type',
      code: '124',
      display: 'General Practice',
    },
  ]
  return {
    resourceType: 'Schedule',
    id,
    serviceType: [{ coding }],
    actor: actors.map((reference) => ({ reference })),
    ...(extension.length > 0 ? { extension } : {}),
  }
}

function PEOPLE(): Partial<Record<FileType, Loose[]>> {
  const role = { practitioner: { reference: 'Practitioner/p1' }, location: [{ reference: 'Location/l1' }] }
  const identifier = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }]
  return {
    PractitionerRole: [{ resourceType: 'PractitionerRole', id: 'r1', active: true, ...role }],
    Practitioner: [{ resourceType: 'Practitioner', id: 'p1', identifier, name: [{ family: 'Roe', given: ['Ada'] }] }],
  }
}

function service(): Loose {
  return {
    resourceType: 'HealthcareService',
    id: 'h1',
    active: true,
    name: 'Video visits',
    type: [{ text: 'Video visit' }],
    specialty: [{ coding: [SPECIALTY()] }],
    location: [{ reference: 'Location/v1' }],
  }
}

function slots(schedules: readonly string[], extension: (link: string) => Loose[]): Loose[] {
  return schedules.map((id, at) => ({
    resourceType: 'Slot',
    id: `x${at + 1}`,
    schedule: { reference: `Schedule/${id}` },
    status: at === 1 ? 'busy' : 'free',
    start: `2026-06-10T${10 + at}:00:00-04:00`,
    end: `2026-06-10T${10 + at}:20:00-04:00`,
    extension: extension(`https://book.publisher.example/slots/${at + 1}`),
  }))
}
