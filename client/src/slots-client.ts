import type {
  Actor,
  ActorFilters,
  ActorPageQuery,
  ChangeFilters,
  ChangePage,
  FacetQuery,
  Facets,
  Publisher,
  PublisherPageQuery,
  Slot,
  SlotFilters,
  SlotPageQuery,
} from './query.ts'
import { SlotExport } from './slot-export.ts'
import { SlotsError } from './slots-error.ts'
import { type Asked, type CallOptions, type SlotsClientOptions, Transport } from './transport.ts'

/** How a list is walked. */
export interface WalkOptions extends CallOptions {
  /** How many come with one request: 1 to 100, or as many as there may be. Of changes up to 1000. */
  readonly pageSize?: number | undefined
}

/** One page of a list. */
export interface Page<Query> {
  /** How many match in all. */
  readonly total: number
  /** What to ask for the page after this one; undefined if this is the last. */
  readonly next: Query | undefined
}

/** One page of slots. */
export interface SlotPage extends Page<SlotPageQuery> {
  readonly slots: readonly Slot[]
  /** Of an empty page: when the first slot would begin if its time window were lifted. RFC 3339, UTC. */
  readonly nextAvailableStart: string | undefined
}

/** One page of actors. */
export interface ActorPage extends Page<ActorPageQuery> {
  readonly actors: readonly Actor[]
}

/** One page of publishers. */
export interface PublisherPage extends Page<PublisherPageQuery> {
  readonly publishers: readonly Publisher[]
}

const PAGE_SIZE = 100
const CHANGES_PAGE_SIZE = 1000

/**
 * Asks a service for slots. Every method rejects with a `SlotsError`, or with the reason of the signal that ended it; requests
 * that failed in passing are made again first.
 */
export class SlotsClient {
  readonly #transport: Transport

  /** Throws a `TypeError` if `url` or `apiKey` cannot be used. */
  constructor(options: SlotsClientOptions) {
    this.#transport = new Transport(options)
  }

  /** All slots that match, page by page as the loop goes on: by cursor, so that none comes twice or is passed over. */
  async *slots(
    filters: SlotFilters = {},
    { pageSize = PAGE_SIZE, ...options }: WalkOptions = {},
  ): AsyncGenerator<Slot, void, undefined> {
    let query: SlotPageQuery | undefined = { ...filters, limit: pageSize, cursor: '' }
    while (query !== undefined) {
      const page: SlotPage = await this.page(query, options)
      yield* page.slots
      query = page.next
    }
  }

  /** One page of slots. With `cursor: ''` its `next` goes on by cursor, otherwise by offset. */
  async page(query: SlotPageQuery = {}, options: CallOptions = {}): Promise<SlotPage> {
    type Body = Pick<SlotPage, 'slots' | 'total'>
    const { body, next, headers } = await this.#page<Body, SlotPageQuery>('/slots', query, options)
    const nextAvailableStart = headers.get('next-available-start') ?? undefined
    return { slots: body.slots, total: body.total, next, nextAvailableStart }
  }

  /** One slot of any status; undefined if its publisher does not list it any more. */
  async slot(id: string, options: CallOptions = {}): Promise<Slot | undefined> {
    // A path of dots would be another resource.
    if (!/^\w+$/.test(id)) throw new TypeError(`Cannot show slot: id must be an id of a slot: got "${id}"`)
    try {
      return (await this.#transport.json<Slot>({ path: `/slots/${id}`, query: {}, ...options })).body
    } catch (fault) {
      if (fault instanceof SlotsError && fault.kind === 'not-found') return undefined
      throw fault
    }
  }

  /** All providers and locations that have slots which match, page by page. */
  async *actors(
    filters: ActorFilters = {},
    { pageSize = PAGE_SIZE, ...options }: WalkOptions = {},
  ): AsyncGenerator<Actor, void, undefined> {
    let query: ActorPageQuery | undefined = { ...filters, limit: pageSize }
    while (query !== undefined) {
      const page: ActorPage = await this.actorPage(query, options)
      yield* page.actors
      query = page.next
    }
  }

  /** One page of actors. */
  async actorPage(query: ActorPageQuery = {}, options: CallOptions = {}): Promise<ActorPage> {
    type Body = Pick<ActorPage, 'actors' | 'total'>
    const { body, next } = await this.#page<Body, ActorPageQuery>('/actors', query, options)
    return { actors: body.actors, total: body.total, next }
  }

  /** All publishers, page by page. */
  async *publishers({
    pageSize = PAGE_SIZE,
    ...options
  }: WalkOptions = {}): AsyncGenerator<Publisher, void, undefined> {
    let query: PublisherPageQuery | undefined = { limit: pageSize }
    while (query !== undefined) {
      const page: PublisherPage = await this.publisherPage(query, options)
      yield* page.publishers
      query = page.next
    }
  }

  /** One page of publishers. */
  async publisherPage(query: PublisherPageQuery = {}, options: CallOptions = {}): Promise<PublisherPage> {
    type Body = Pick<PublisherPage, 'publishers' | 'total'>
    const { body, next } = await this.#page<Body, PublisherPageQuery>('/publishers', query, options)
    return { publishers: body.publishers, total: body.total, next }
  }

  /** How the slots that match are spread. */
  async facets(query: FacetQuery = {}, options: CallOptions = {}): Promise<Facets> {
    return (await this.#transport.json<Facets>({ path: '/facets', query, ...options })).body
  }

  /** All slots that match, of one moment, in one answer. It is not begun again once slots have come. */
  export(filters: SlotFilters = {}, options: CallOptions = {}): Promise<SlotExport> {
    const asked = { path: '/slots', query: filters, accept: 'application/x-ndjson', ...options }
    return this.#transport.get(asked, async (response, deadline) => new SlotExport(response, deadline))
  }

  /**
   * What changed since a revision, page by page to the newest: keep the `revision` of each with what you make of it. Rejects with
   * kind `gone` if nobody can go on from that revision: export anew.
   */
  async *changes(
    since: string,
    filters: ChangeFilters = {},
    { pageSize = CHANGES_PAGE_SIZE, ...options }: WalkOptions = {},
  ): AsyncGenerator<ChangePage, void, undefined> {
    type Query = ChangeFilters & { readonly since?: string }
    let query: Query | undefined = { ...filters, ...{ limit: pageSize }, since }
    while (query !== undefined) {
      const page: { body: ChangePage; next: Query | undefined } = await this.#page('/changes', query, options)
      yield page.body
      query = page.next
    }
  }

  async #page<Body, Query extends object>(path: string, query: Query, options: CallOptions) {
    const asked: Asked = { path, query, ...options }
    const { body, headers } = await this.#transport.json<Body>(asked)
    return { body, headers, next: nextOf(query, headers.get('link')) }
  }
}

/** Where the list goes on, from `Link`: of its address only the place counts, so that no header leads the key elsewhere. */
function nextOf<Query extends object>(query: Query, link: string | null): Query | undefined {
  const search = /<[^>?]*\?([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1]
  if (search === undefined) return undefined
  const places = new URLSearchParams(search)
  const next: Record<string, unknown> = {}
  for (const name of ['cursor', 'since']) if (places.has(name)) next[name] = places.get(name)
  if (places.has('offset')) next.offset = Number(places.get('offset'))
  return { ...query, ...next }
}
