import type { Publication, Source } from '../../../src/feeds/connector.ts'
import { fhirSearch } from '../../../src/feeds/fhir-search/connector.ts'
import type { SourceOptions } from '../../../src/feeds/source-options.ts'
import type { Resource } from './fhir-server.ts'
import { RecordedDraft } from './recorded-draft.ts'

/** Monday, the time at which a `Searcher` begins. */
export const START_MS = Date.UTC(2030, 0, 7, 8)

/** A Location in Massachusetts. */
export const place = (id: string, name = 'Harbor Clinic'): Resource => ({
  resourceType: 'Location',
  id,
  name,
  address: { line: ['1 Main Street'], city: 'Boston', state: 'MA', postalCode: '02110' },
})

/** A Practitioner, a PractitionerRole at a Location, and a HealthcareService. */
export const person = (id: string): Resource => ({
  resourceType: 'Practitioner',
  id,
  name: [{ text: `Dr. ${id}` }],
})
export const role = (id: string, practitioner: string, location: string): Resource => ({
  resourceType: 'PractitionerRole',
  id,
  practitioner: { reference: `Practitioner/${practitioner}` },
  location: [{ reference: `Location/${location}` }],
})

/** A Schedule of these actors, each as `Type/id`. */
export const schedule = (id: string, ...actors: string[]): Resource => ({
  resourceType: 'Schedule',
  id,
  actor: actors.map((reference) => ({ reference })),
  serviceType: [{ coding: [{ code: '57' }], text: 'Immunization' }],
})

/** The n-th quarter of an hour after the start. */
export const slot = (n: number, more: object = {}): Resource => ({
  resourceType: 'Slot',
  id: `slot-${n}`,
  schedule: { reference: 'Schedule/s1' },
  status: 'free',
  start: new Date(START_MS + n * 900_000).toISOString(),
  end: new Date(START_MS + (n + 1) * 900_000).toISOString(),
  ...more,
})

/** One clinic with a doctor, and `count` slots. */
export const clinic = (count: number): Resource[] => [
  place('l1'),
  person('p1'),
  role('r1', 'p1', 'l1'),
  schedule('s1', 'PractitionerRole/r1', 'Location/l1'),
  ...Array.from({ length: count }, (_, n) => slot(n)),
]

/** Reads a server repeatedly, each time with the state and slots of the last read. */
export class Searcher {
  draft = new RecordedDraft()
  nowMs = START_MS
  strict = false
  options: SourceOptions = {}
  readonly secrets: Record<string, string> = {}
  readonly waitedMs: number[] = []
  readonly #connector = fhirSearch({
    allowPrivate: true,
    sourceSecrets: this.secrets,
    now: () => this.nowMs,
    wait: async (ms, signal) => {
      signal.throwIfAborted()
      this.waitedMs.push(ms)
    },
  })
  readonly #url: string
  #last: Publication | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** A searcher that has read the server once. */
  static async afterRead(url: string): Promise<Searcher> {
    const searcher = new Searcher(url)
    await searcher.read()
    return searcher
  }

  async read(signal = new AbortController().signal): Promise<Publication> {
    if (this.#last !== undefined) this.draft = this.draft.next(this.#last)
    const { strict, options } = this
    const source: Source = { slug: 'clinic', format: 'fhir-search', url: this.#url, options, strict }
    this.#last = await this.#connector.read(source, this.draft, signal)
    return this.#last
  }
}
