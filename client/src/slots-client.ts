import { backOffMs, pause } from './back-off.ts'
import { changeEvents, type WatchedChange } from './change-events.ts'
import { untilAborted } from './deadline.ts'
import {
  type ActorPage,
  nextOf,
  type PublisherPage,
  type SlotPage,
  type WalkOptions,
  type WatchOptions,
} from './pages.ts'
import type {
  Actor,
  ActorFilters,
  ActorPageQuery,
  ChangeFilters,
  ChangePage,
  Delivery,
  FacetQuery,
  Facets,
  NewSubscription,
  Publisher,
  PublisherPageQuery,
  Referral,
  Slot,
  SlotFilters,
  SlotPageQuery,
  Subscription,
  SubscriptionChange,
  SubscriptionWithSecret,
} from './query.ts'
import { SlotExport } from './slot-export.ts'
import { SlotsError } from './slots-error.ts'
import { type ApiRequest, type CallOptions, type SlotsClientOptions, Transport } from './transport.ts'

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
      yield* untilAborted(page.slots, options.signal)
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
    return unlessMissing(this.#send<Slot>({ path: pathOf('slot', id), ...options }))
  }

  /**
   * The booking link of a slot with the parameters of a referral, which the service counts: redirect the user to it. Rejects with kind
   * `not-found`, or `no-booking-link` if the publisher provides none.
   */
  async bookingLink(id: string, referral: Referral = {}, options: CallOptions = {}): Promise<string> {
    return this.#transport.location({ path: `${pathOf('slot', id)}/book`, query: referral, ...options })
  }

  /** All providers and locations with matching slots, page by page. */
  async *actors(
    filters: ActorFilters = {},
    { pageSize = PAGE_SIZE, ...options }: WalkOptions = {},
  ): AsyncGenerator<Actor, void, undefined> {
    let query: ActorPageQuery | undefined = { ...filters, limit: pageSize }
    while (query !== undefined) {
      const page: ActorPage = await this.actorPage(query, options)
      yield* untilAborted(page.actors, options.signal)
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
      yield* untilAborted(page.publishers, options.signal)
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

  /** The subscriptions of the organization, newest first, page by page. */
  subscriptions(options: WalkOptions = {}): AsyncGenerator<Subscription, void, undefined> {
    return this.#walk('/subscriptions', options)
  }

  /**
   * Creates a subscription, whose slots are sent to a webhook, and returns its secret, which no other response has. Not retried after a
   * lost response, like all methods that would do something twice: see whether `subscriptions()` has it.
   */
  async createSubscription(subscription: NewSubscription, options: CallOptions = {}): Promise<SubscriptionWithSecret> {
    return this.#send({ method: 'POST', path: '/subscriptions', body: subscription, ...options })
  }

  /** One subscription; undefined if it does not exist. */
  async subscription(id: string, options: CallOptions = {}): Promise<Subscription | undefined> {
    return unlessMissing(this.#send<Subscription>({ path: pathOf('subscription', id), ...options }))
  }

  /** Changes the given fields, pauses or resumes. */
  async editSubscription(id: string, change: SubscriptionChange, options: CallOptions = {}): Promise<Subscription> {
    return this.#send({ method: 'PATCH', path: pathOf('subscription', id), body: change, ...options })
  }

  /** Also resolves if it does not exist. */
  async deleteSubscription(id: string, options: CallOptions = {}): Promise<void> {
    await unlessMissing(this.#send({ method: 'DELETE', path: pathOf('subscription', id), ...options }))
  }

  /** Sends a test event; to an address that is not verified, the verification again. Not retried after a lost response. */
  async testSubscription(id: string, options: CallOptions = {}): Promise<Delivery> {
    return this.#send({ method: 'POST', path: `${pathOf('subscription', id)}/test`, ...options })
  }

  /** Returns a new secret. For 24 hours, the one before also signs. Not retried after a lost response. */
  async rotateSubscriptionSecret(id: string, options: CallOptions = {}): Promise<SubscriptionWithSecret> {
    return this.#send({ method: 'POST', path: `${pathOf('subscription', id)}/rotate-secret`, ...options })
  }

  /** The deliveries of a subscription in the last seven days, newest first, page by page. */
  async *deliveries(id: string, options: WalkOptions = {}): AsyncGenerator<Delivery, void, undefined> {
    yield* this.#walk<Delivery>(`${pathOf('subscription', id)}/deliveries`, options)
  }

  /** Sends an event again, with the same id. Not retried after a lost response. */
  async retryDelivery(id: string, deliveryId: string, options: CallOptions = {}): Promise<Delivery> {
    const path = `${pathOf('subscription', id)}${pathOf('delivery', deliveryId)}/retry`
    return this.#send({ method: 'POST', path, ...options })
  }

  async *#walk<Item>(
    path: string,
    { pageSize = PAGE_SIZE, ...options }: WalkOptions,
  ): AsyncGenerator<Item, void, undefined> {
    type Query = { readonly limit: number }
    type Body = Readonly<Record<string, readonly Item[]>>
    let query: Query | undefined = { limit: pageSize }
    while (query !== undefined) {
      const page: { body: Body; next: Query | undefined } = await this.#page<Body, Query>(path, query, options)
      yield* untilAborted(page.body[listIn(path)], options.signal)
      query = page.next
    }
  }

  async #send<Body>(request: Omit<ApiRequest, 'query'>): Promise<Body> {
    return (await this.#transport.json<Body>({ ...request, query: {} })).body
  }

  async #page<Body, Query extends object>(path: string, query: Query, options: CallOptions) {
    const request: ApiRequest = { path, query, ...options }
    const { body, headers } = await this.#transport.json<Body>(request)
    const name = listIn(path)
    if (!Array.isArray(Object(body)[name]))
      throw new SlotsError('unexpected-answer', `Cannot read the response: it has no list of ${name}`, { status: 200 })
    return { body, headers, next: nextOf(query, headers.get('link')) }
  }
}

/** The name of the list in a page of a path: the last part of the path. */
function listIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Throws a `TypeError` for an invalid id. */
function pathOf(kind: 'slot' | 'subscription' | 'delivery', id: string): string {
  // Dot segments would address another resource.
  if (!/^\w+$/.test(id)) throw new TypeError(`Invalid ${kind} id "${id}"`)
  return kind === 'delivery' ? `/deliveries/${id}` : `/${kind}s/${id}`
}

/** Undefined if the service has no such resource. */
async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof SlotsError && error.kind === 'not-found') return undefined
    throw error
  }
}
