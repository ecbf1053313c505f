import { backOffMs, pause } from './back-off.ts'
import { changeEvents, type WatchedChange } from './change-events.ts'
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
  Referral,
  Slot,
  SlotFilters,
  SlotPageQuery,
} from './query.ts'
import { SlotExport } from './slot-export.ts'
import { SlotsError } from './slots-error.ts'
import { type ApiRequest, type CallOptions, type SlotsClientOptions, Transport } from './transport.ts'

/** Options of methods that read all pages of a list. */
export interface WalkOptions extends CallOptions {
  /** Items per request: 1 to 100, for changes up to 1000. The default is the maximum. */
  readonly pageSize?: number | undefined
}

/** Options of `watch()`. */
export interface WatchOptions extends CallOptions {
  /** The revision of an export or of a change to continue from. By default only later changes are returned. */
  readonly since?: string | undefined
}

/** One page of a list. */
export interface Page<Query> {
  /** Total number of matching items. */
  readonly total: number
  /** The query for the next page; undefined on the last. */
  readonly next: Query | undefined
}

/** One page of slots. */
export interface SlotPage extends Page<SlotPageQuery> {
  readonly slots: readonly Slot[]
  /** On an empty page with `startAfter` or `startBefore`: the start of the first slot without them. RFC 3339, UTC. */
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
 * A client of one service. Every method rejects with a `SlotsError` or with the reason of the aborted signal. Transient errors are
 * retried first.
 */
export class SlotsClient {
  readonly #transport: Transport

  /** Throws a `TypeError` for an invalid `url` or `apiKey`. */
  constructor(options: SlotsClientOptions) {
    this.#transport = new Transport(options)
  }

  /** All matching slots. Reads page by page with cursors, so that no slot is repeated or skipped. */
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

  /** One page of slots. With `cursor: ''`, `next` uses cursors, otherwise offsets. */
  async page(query: SlotPageQuery = {}, options: CallOptions = {}): Promise<SlotPage> {
    type Body = Pick<SlotPage, 'slots' | 'total'>
    const { body, next, headers } = await this.#page<Body, SlotPageQuery>('/slots', query, options)
    const nextAvailableStart = headers.get('next-available-start') ?? undefined
    return { slots: body.slots, total: body.total, next, nextAvailableStart }
  }

  /** One slot of any status; undefined if its publisher no longer lists it. */
  async slot(id: string, options: CallOptions = {}): Promise<Slot | undefined> {
    try {
      return (await this.#transport.json<Slot>({ path: pathOfSlot(id), query: {}, ...options })).body
    } catch (error) {
      if (error instanceof SlotsError && error.kind === 'not-found') return undefined
      throw error
    }
  }

  /**
   * The booking link of a slot with the parameters of a referral, which the service counts: redirect the user to it. Rejects with kind
   * `not-found`, or `no-booking-link` if the publisher provides none.
   */
  async bookingLink(id: string, referral: Referral = {}, options: CallOptions = {}): Promise<string> {
    return this.#transport.location({ path: `${pathOfSlot(id)}/book`, query: referral, ...options })
  }

  /** All providers and locations with matching slots, page by page. */
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

  /** Counts of the matching slots by facet. */
  async facets(query: FacetQuery = {}, options: CallOptions = {}): Promise<Facets> {
    return (await this.#transport.json<Facets>({ path: '/facets', query, ...options })).body
  }

  /** All matching slots of one snapshot in one response. Not retried once slots have been received. */
  export(filters: SlotFilters = {}, options: CallOptions = {}): Promise<SlotExport> {
    const request = { path: '/slots', query: filters, accept: 'application/x-ndjson', ...options }
    return this.#transport.get(request, async (response, deadline) => new SlotExport(response, deadline))
  }

  /**
   * The changes after a revision, page by page. Store the `revision` of each page together with its changes. Rejects with kind `gone`
   * if the revision is no longer available: export all slots again.
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

  /**
   * The changes from now on, as they are committed, until the loop is left. Resumes after a lost connection, and waits for the service
   * while it is unavailable. Rejects with kind `gone` if it was away for longer than changes are kept: export all slots again.
   */
  async *watch(
    filters: ChangeFilters = {},
    { since, signal }: WatchOptions = {},
  ): AsyncGenerator<WatchedChange, void, undefined> {
    let from = since
    for (let failures = 0; ; ) {
      try {
        const request = { path: '/changes', query: { ...filters, since: from }, accept: 'text/event-stream', signal }
        const events = await this.#transport.get(request, async (...opened) => changeEvents(...opened))
        for await (const { revision, change } of events) {
          failures = 0
          from = revision
          if (change !== undefined) yield change
        }
        throw new SlotsError('network', 'The stream ended')
      } catch (error) {
        const waitMs = error instanceof SlotsError ? backOffMs(error, failures++, Math.random()) : undefined
        if (waitMs === undefined) throw error
        await pause(waitMs, signal)
      }
    }
  }

  async #page<Body, Query extends object>(path: string, query: Query, options: CallOptions) {
    const request: ApiRequest = { path, query, ...options }
    const { body, headers } = await this.#transport.json<Body>(request)
    return { body, headers, next: nextOf(query, headers.get('link')) }
  }
}

/** Throws a `TypeError` for an invalid id. */
function pathOfSlot(id: string): string {
  // Dot segments would address another resource.
  if (!/^\w+$/.test(id)) throw new TypeError(`Cannot show slot: invalid slot id "${id}"`)
  return `/slots/${id}`
}

/** The query for the next page, from `Link`. Only the paging parameters are used, so a header cannot send the API key elsewhere. */
function nextOf<Query extends object>(query: Query, link: string | null): Query | undefined {
  const search = /<[^>?]*\?([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1]
  if (search === undefined) return undefined
  const paging = new URLSearchParams(search)
  const next: Record<string, unknown> = {}
  for (const name of ['cursor', 'since']) if (paging.has(name)) next[name] = paging.get(name)
  if (paging.has('offset')) next.offset = Number(paging.get('offset'))
  return { ...query, ...next }
}
