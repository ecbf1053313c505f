import { hash } from 'node:crypto'
import { FeedFailure } from '../connector.ts'
import type { Target } from '../fhir/data-types.ts'
import type { Directory } from '../fhir/directory.ts'
import type { DirectoryResourceType, ParsedResources } from '../fhir/resources.ts'
import { needsParent } from '../fhir/service-mode.ts'
import { httpStatusOf } from '../http/request.ts'
import { rejectionReason } from '../rejections.ts'
import type { SourceMessages } from '../source-messages.ts'
import { EntryReader, type RejectionSink } from './entry-reader.ts'
import { readSearch } from './search.ts'
import { REFUSALS, type ServerClient } from './server-client.ts'
import { byIdsUrl } from './slot-query.ts'

interface ActorSearchOptions {
  readonly client: ServerClient
  readonly base: URL
  readonly directory: Directory
  readonly draft: RejectionSink
  readonly messages: SourceMessages
  /** Types that could be read by id before: if the server now denies them, the sync fails. */
  readonly readable: ReadonlySet<string>
}

/** Ids per request: with 64 characters each they fit into any URL. A server that rejects several is asked for one at a time. */
const IDS_MAX = 50

/** The longest chain is Schedule, role, service, room, floor, building, site. */
const ROUNDS_MAX = 7

/** In the order in which they refer to each other. */
const TYPES: readonly DirectoryResourceType[] = [
  'Schedule',
  'PractitionerRole',
  'HealthcareService',
  'Practitioner',
  'Location',
]

/**
 * Completes the references of Schedules: requests by id the resources that the server did not include on the page of their
 * slots. References that it cannot resolve stay dangling.
 */
export class ActorSearch {
  /** Types that were read by id during this sync. */
  readonly read = new Set<string>()
  readonly #options: ActorSearchOptions
  readonly #reader: EntryReader
  readonly #base: string
  readonly #requested = new Set<string>()
  readonly #denied = new Set<string>()
  /** Types of which the server rejects several ids in one request. */
  readonly #oneByOne = new Set<string>()
  readonly #digests = new Map<string, Buffer>()

  constructor(options: ActorSearchOptions) {
    this.#options = options
    const { directory, draft, messages } = options
    this.#reader = new EntryReader({ directory, draft, messages })
    // The digest of the empty directory changes with the version of the reading rules.
    this.#base = options.directory.digest()
  }

  /** Throws `FeedFailure` if the server fails, or denies Schedules or types that it allowed before. */
  async complete(references: Iterable<SlotReferences>): Promise<void> {
    const { directory } = this.#options
    const all = new Map(Array.from(references, (each) => [nameOf(each), each]))
    const fresh = [...all].filter(([name]) => !this.#digests.has(name))
    for (let round = 0; round <= ROUNDS_MAX; round++) {
      const missing = fresh.flatMap(([, each]) => referencesOf(each, directory).missing)
      const requestable = missing.filter((named) => this.#mayRequest(named))
      if (requestable.length === 0) break
      for (const type of TYPES) await this.#request(type, requestable)
    }
    for (const [name, each] of fresh) this.#digests.set(name, this.#digestOf(each))
  }

  /** A hash of all resources that a Slot refers to. The references must be completed. */
  digest(references: SlotReferences): Buffer {
    const digest = this.#digests.get(nameOf(references))
    if (digest === undefined)
      throw new Error(`Cannot compute the digest: Schedule "${references.scheduleId}" is not completed`)
    return digest
  }

  #digestOf(references: SlotReferences): Buffer {
    const { found } = referencesOf(references, this.#options.directory)
    return hash('sha256', `${this.#base} ${JSON.stringify(found)}`, 'buffer')
  }

  #mayRequest(named: ResourceKey): boolean {
    return FHIR_ID.test(named.id) && !this.#denied.has(named.type) && !this.#requested.has(keyTextOf(named))
  }

  async #request(type: DirectoryResourceType, missing: readonly ResourceKey[]): Promise<void> {
    const ids = [...new Set(missing.filter((named) => named.type === type).map(({ id }) => id))]
    for (const id of ids) this.#requested.add(keyTextOf({ type, id }))
    while (ids.length > 0 && !this.#denied.has(type)) {
      const next = ids.splice(0, this.#oneByOne.has(type) ? 1 : IDS_MAX)
      const url = byIdsUrl(this.#options.base, type, next)
      try {
        await this.#readAll(url)
        this.read.add(type)
      } catch (error) {
        if (next.length > 1 && REFUSALS.has(httpStatusOf(error) ?? 0)) {
          this.#oneByOne.add(type)
          ids.unshift(...next)
        } else {
          this.#giveUp(type, url, error)
        }
      }
    }
  }

  async #readAll(url: URL): Promise<void> {
    const { client } = this.#options
    const handler = {
      take: this.#reader.take.bind(this.#reader),
      finishPage: () => Promise.resolve(),
    }
    await readSearch(client, await client.open(url), handler)
  }

  /**
   * Access may be granted for some types only: slots are then read without the others. But lost access must not remove data
   * that is already served.
   */
  #giveUp(type: DirectoryResourceType, url: URL, error: unknown): void {
    const { client, draft, readable } = this.#options
    const status = httpStatusOf(error) ?? 0
    if (!DENIALS.has(status) || type === 'Schedule' || readable.has(type) || this.read.has(type)) throw error
    this.#denied.add(type)
    const file = client.plainUrl(url).href.slice(0, 1000)
    const why = error instanceof FeedFailure ? error.message.replace(/^.*?: (?=status)/, '') : ''
    draft.reject({
      code: 'denied',
      file,
      line: 1,
      reason: rejectionReason(`Slots are read without ${type} resources: ${why}`),
      sample: '',
    })
  }
}

/** Status codes for a type that the server does not let us read, or has no search for. */
const DENIALS: ReadonlySet<number> = new Set([...REFUSALS, 403, 404, 405])

/** Other ids cannot be requested: a comma would separate two. */
const FHIR_ID = /^[A-Za-z0-9\-.]{1,64}$/

/** Type and id of a resource. */
interface ResourceKey {
  readonly type: DirectoryResourceType
  readonly id: string
}

/** The references of a Slot: its Schedule, and its place by the extension `scheduling-location`. */
export interface SlotReferences {
  readonly scheduleId: string
  readonly placeId?: string | undefined
}

/** The transitive references of a Slot. */
interface FoundReferences {
  /** Keys and parsed resources in breadth-first order: equal for Slots whose references have equal content. */
  readonly found: readonly unknown[]
  readonly missing: readonly ResourceKey[]
}

/** Follows the references through the directory, breadth first. */
function referencesOf({ scheduleId, placeId }: SlotReferences, directory: Directory): FoundReferences {
  const waiting: ResourceKey[] = [{ type: 'Schedule', id: scheduleId }]
  if (placeId !== undefined) waiting.push({ type: 'Location', id: placeId })
  const seen = new Set<string>()
  const found: unknown[] = []
  const missing: ResourceKey[] = []
  for (let named = waiting.shift(); named !== undefined; named = waiting.shift()) {
    const name = keyTextOf(named)
    if (seen.has(name)) continue
    seen.add(name)
    const there = follow(named.type, named.id, directory)
    if (there === undefined) {
      missing.push(named)
    } else {
      found.push(name, there.shape)
      waiting.push(...there.next)
    }
  }
  return { found, missing }
}

/** Ids have no spaces. */
function nameOf({ scheduleId, placeId }: SlotReferences): string {
  return placeId === undefined ? scheduleId : `${scheduleId} ${placeId}`
}

/** `Location/1` */
function keyTextOf({ type, id }: ResourceKey): string {
  return `${type}/${id}`
}

function follow<T extends DirectoryResourceType>(
  type: T,
  id: string,
  directory: Directory,
): { shape: ParsedResources[T]; next: readonly ResourceKey[] } | undefined {
  const shape = directory.find(type, { type, id })
  if (shape === undefined) return undefined
  return { shape, next: INCLUDED[type](shape).flatMap((target) => keysOf(target, directory)) }
}

/** The targets to follow, with a type where the field has only one. */
const INCLUDED: {
  readonly [T in DirectoryResourceType]: (shape: ParsedResources[T]) => readonly (Target | undefined)[]
} = {
  Schedule: ({ actors }) => actors.map(({ target }) => target),
  PractitionerRole: ({ practitioner, locations, services }) => [
    typed(practitioner, 'Practitioner'),
    ...locations.map((target) => typed(target, 'Location')),
    ...services.map((target) => typed(target, 'HealthcareService')),
  ],
  HealthcareService: ({ locations }) => locations.map((target) => typed(target, 'Location')),
  Practitioner: () => [],
  Location: (location) => (needsParent(location) ? [typed(location.partOf, 'Location')] : []),
}

function typed(target: Target | undefined, type: DirectoryResourceType): Target | undefined {
  return target && { type, ...target }
}

const ACTORS = ['Location', 'PractitionerRole', 'Practitioner', 'HealthcareService'] as const

/**
 * Empty for a type that slots do not use (Device). A target without a type is each resource of the directory with its id: it cannot
 * be requested.
 */
function keysOf(target: Target | undefined, directory: Directory): readonly ResourceKey[] {
  if (target === undefined) return []
  const { type, id } = target
  const types = ACTORS.filter((one) => (type === undefined ? directory.find(one, target) !== undefined : one === type))
  return types.map((one) => ({ type: one, id }))
}
