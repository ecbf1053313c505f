import type { Publication, Source } from '../../../src/feeds/connector.ts'
import { smartLinks } from '../../../src/feeds/smart-links/connector.ts'
import { manifest, ndjson, type Published, type Publisher } from './publisher.ts'
import { RecordedDraft } from './recorded-draft.ts'

/** A Location in Massachusetts. */
export const place = (id: string, name = 'Clinic') => ({
  resourceType: 'Location',
  id,
  name,
  address: { state: 'MA' },
})
/** A Schedule at a Location. */
export const schedule = (id: string, at: string) => ({
  resourceType: 'Schedule',
  id,
  actor: [{ reference: `Location/${at}` }],
})
/** A Slot of the Schedule `s1`, with further or other fields. */
export const slot = (id: string, more: object = {}) => ({
  resourceType: 'Slot',
  id,
  schedule: { reference: 'Schedule/s1' },
  status: 'free',
  start: '2026-03-21T10:00:00-04:00',
  end: '2026-03-21T10:15:00-04:00',
  ...more,
})

/** The member that makes a manifest one of Bulk Publish. */
export const BULK = { manifestType: 'http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest' }

/** The files of `feed()` by path, each with its type. */
export const LISTED = { '/l': 'Location', '/s': 'Schedule', '/x1': 'Slot', '/x2': 'Slot' }
/** Three slots in two files. */
export const feed = (): Record<string, Published> => ({
  '/$bulk-publish': manifest(LISTED),
  '/l': ndjson(place('l1')),
  '/s': ndjson(schedule('s1', 'l1')),
  '/x1': ndjson(slot('a'), slot('b')),
  '/x2': ndjson(slot('c')),
})

/** A publisher as a source. */
export function sourceAt({ origin }: Publisher): Source {
  const url = `${origin}/$bulk-publish`
  return { slug: 'clinic', format: 'smart-links', url, options: {}, strict: false }
}

/** Reads a publisher repeatedly, each time with the state and slots of the last read. */
export class Follower {
  draft = new RecordedDraft()
  nowMs = 1_000_000
  strict = false
  readonly #publisher: Publisher
  #last: Publication | undefined

  constructor(publisher: Publisher) {
    this.#publisher = publisher
  }

  /** A follower that has read the publisher once. */
  static async afterRead(publisher: Publisher): Promise<Follower> {
    const follower = new Follower(publisher)
    await follower.read()
    return follower
  }

  async read(signal = new AbortController().signal): Promise<Publication> {
    this.#publisher.asked()
    if (this.#last !== undefined) this.draft = this.draft.next(this.#last)
    const source = { ...sourceAt(this.#publisher), strict: this.strict }
    const connector = smartLinks({ allowPrivate: true, now: () => this.nowMs })
    this.#last = await connector.read(source, this.draft, signal)
    return this.#last
  }
}

/** The names of the Locations that the last draft's slots are at. */
export function placesOf({ draft }: Follower): (string | undefined)[] {
  return [...new Set(draft.slots.map(({ offering }) => offering.location?.name))]
}
