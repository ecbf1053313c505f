import { hash } from 'node:crypto'
import { FeedFailure } from '../connector.ts'
import type { Directory } from '../fhir/directory.ts'
import type { DirectoryType } from '../fhir/resources.ts'
import { httpStatusOf } from '../http/request.ts'
import { rejectionReason } from '../invalid-data.ts'
import { EntryReader, type RejectionSink } from './entry-reader.ts'
import { keyTextOf, type ResourceKey, scheduleReferencesOf } from './schedule-references.ts'
import { readSearch } from './search.ts'
import type { ServerClient } from './server-client.ts'
import { byIdsUrl } from './slot-query.ts'

/** What a search of actors works with. */
export interface ActorSearchOptions {
  readonly client: ServerClient
  readonly base: URL
  readonly directory: Directory
  readonly draft: RejectionSink
  /** Types that could be read by id before: a server that refuses them now fails. */
  readonly readable: ReadonlySet<string>
}

/** Ids in one question: with 64 characters each they fit into any URL. */
const IDS_MAX = 50

/** A Schedule leads to a role, that to a service, and that to a Location. */
const ROUNDS_MAX = 4

/** In the order in which they lead to each other. */
const TYPES: readonly DirectoryType[] = [
  'Schedule',
  'PractitionerRole',
  'HealthcareService',
  'Practitioner',
  'Location',
]

/**
 * Completes what Schedules lead to: asks by id for what the server did not send along with the slots, or sends on a later
 * page. What it does not have then dangles.
 */
export class ActorSearch {
  /** Types that were read by id in this search. */
  readonly read = new Set<string>()
  readonly #parts: ActorSearchOptions
  readonly #reader: EntryReader
  readonly #base: string
  readonly #asked = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #digests = new Map<string, Buffer>()

  constructor(parts: ActorSearchOptions) {
    this.#parts = parts
    this.#reader = new EntryReader(parts.directory, parts.draft, () => {})
    // Changes with the rules by which resources are read, too.
    this.#base = parts.directory.digest()
  }

  /** Throws `FeedFailure` if the server fails, and if it refuses Schedules, or actors that it gave before. */
  async complete(scheduleIds: Iterable<string>): Promise<void> {
    const { directory } = this.#parts
    const fresh = [...new Set(scheduleIds)].filter((id) => !this.#digests.has(id))
    for (let round = 0; round <= ROUNDS_MAX; round++) {
      const missing = fresh.flatMap((id) => scheduleReferencesOf(id, directory).missing)
      const unasked = missing.filter((named) => this.#mayAsk(named))
      if (unasked.length === 0) break
      for (const type of TYPES) await this.#ask(type, unasked)
    }
    for (const id of fresh) this.#digests.set(id, this.#digestOf(id))
  }

  /** Stands for all that a Schedule leads to and how it is read. The Schedule must be completed. */
  digest(scheduleId: string): Buffer {
    const digest = this.#digests.get(scheduleId)
    if (digest === undefined)
      throw new Error(`Cannot tell a digest: Schedule must be completed: got "${scheduleId}"`)
    return digest
  }

  #digestOf(id: string): Buffer {
    const { found } = scheduleReferencesOf(id, this.#parts.directory)
    return hash('sha256', `${this.#base} ${JSON.stringify(found)}`, 'buffer')
  }

  #mayAsk(named: ResourceKey): boolean {
    return FHIR_ID.test(named.id) && !this.#refused.has(named.type) && !this.#asked.has(keyTextOf(named))
  }

  async #ask(type: DirectoryType, missing: readonly ResourceKey[]): Promise<void> {
    const ids = [...new Set(missing.filter((named) => named.type === type).map(({ id }) => id))]
    for (const id of ids) this.#asked.add(keyTextOf({ type, id }))
    for (let at = 0; at < ids.length && !this.#refused.has(type); at += IDS_MAX) {
      const url = byIdsUrl(this.#parts.base, type, ids.slice(at, at + IDS_MAX))
      try {
        await this.#readAll(url)
        this.read.add(type)
      } catch (error) {
        this.#giveUp(type, url, error)
      }
    }
  }

  async #readAll(url: URL): Promise<void> {
    const { client } = this.#parts
    const taker = {
      take: this.#reader.take.bind(this.#reader),
      finishPage: () => Promise.resolve(),
    }
    await readSearch(client, await client.open(url), taker)
  }

  /**
   * An access that was granted for some types alone is no error of the feed: slots are then read without the others. But one
   * that is lost must not empty what is served.
   */
  #giveUp(type: DirectoryType, url: URL, error: unknown): void {
    const { client, draft, readable } = this.#parts
    const status = httpStatusOf(error) ?? 0
    const isDenied = status === 403 || status === 404 || status === 405 || status === 400
    if (!isDenied || type === 'Schedule' || readable.has(type) || this.read.has(type)) throw error
    this.#refused.add(type)
    const file = client.plainUrl(url).href.slice(0, 1000)
    const why = error instanceof FeedFailure ? error.message.replace(/^.*?: (?=status)/, '') : ''
    draft.reject({
      file,
      line: 1,
      reason: rejectionReason(`Slots are read without any ${type}: ${why}`),
      sample: '',
    })
  }
}

/** Others cannot be asked for: a comma would be two. */
const FHIR_ID = /^[A-Za-z0-9\-.]{1,64}$/
