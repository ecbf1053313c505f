import { isAhead } from '../lib/time.ts'
import type { Announcement, AnnouncingSubscription, FilterMatches } from '../store/contracts/subscription-matches.ts'
import { foldMatches } from './fold-matches.ts'
import { type NetOptions, netMatches } from './net-matches.ts'
import { FLAP_MS } from './recent-removals.ts'
import type { SharedFilters, SubscriptionIndex } from './subscription-index.ts'
import type { SubscriptionMatcherOptions } from './subscription-matcher.ts'

type AnnouncerOptions = Pick<SubscriptionMatcherOptions, 'store' | 'now' | 'onQueued'> & {
  readonly index: SubscriptionIndex
}

/** Subscriptions of one transaction. */
const BATCH_MAX = 200

/** The matches of filters are folded when there are more rows, and so many filters of one call. */
const ROWS_MAX = 64
const FOLDS_MAX = 50

/** When a subscription is looked at again that is not verified, or whose last event waits for its delivery. */
const WAIT_MS = 5_000

/** Queues the events of subscriptions with new matches, at most one of each type per interval and subscription. */
export class Announcer {
  readonly #options: AnnouncerOptions
  /** The last revision that each subscription has announced. */
  readonly #since = new Map<string, number>()
  /** The revision of the last stored matches by key of filters. */
  readonly #lastMatch = new Map<string, number>()
  /** The number of stored rows by key of filters, those of folded commits excepted. */
  readonly #rows = new Map<string, number>()
  /** The keys with too many rows. */
  readonly #long = new Set<string>()
  /** When each subscription with new matches is looked at. */
  readonly #dueAtMs = new Map<string, number>()
  #announcedAtMs = 0
  /** Later commits are not completely matched. */
  #until = 0
  /** See `NetOptions`; of `until`. */
  #recent = { until: -1, after: 0 }

  constructor(options: AnnouncerOptions) {
    this.#options = options
  }

  /** Finds the subscriptions with stored matches, and deletes matches that no subscription waits for. */
  async load(): Promise<void> {
    const { store, index } = this.#options
    for (const { filtersKey, revision, rows } of await store.subscriptionMatches.keys()) {
      if (index.find(filtersKey) !== undefined) this.mark(filtersKey, revision, rows)
      else if (index.filtersOf(filtersKey) === undefined) await store.subscriptionMatches.forget(filtersKey, revision)
    }
  }

  put({ key }: SharedFilters, { id, sinceRevision }: { readonly id: string; readonly sinceRevision: number }): void {
    this.#since.set(id, sinceRevision)
    // Also if it begins after them: then they are deleted.
    if (this.#lastMatch.has(key)) this.#dueAtMs.set(id, 0)
    else this.#dueAtMs.delete(id)
  }

  remove(id: string): void {
    this.#since.delete(id)
    this.#dueAtMs.delete(id)
  }

  /** Filters have new rows of matches, the last at a revision. */
  mark(filtersKey: string, revision: number, rows = 1): void {
    this.#lastMatch.set(filtersKey, revision)
    const count = (this.#rows.get(filtersKey) ?? 0) + rows
    this.#rows.set(filtersKey, count)
    if (count > ROWS_MAX) this.#long.add(filtersKey)
    for (const id of this.#options.index.find(filtersKey)?.subscriptions ?? [])
      if (!this.#dueAtMs.has(id) && (this.#since.get(id) ?? 0) < revision) this.#dueAtMs.set(id, 0)
  }

  /** All matches up to a revision are stored. */
  completeUntil(revision: number): void {
    this.#until = revision
  }

  /** Announces what is due, for at most some subscriptions. Whether there is more. */
  async announce(): Promise<boolean> {
    const nowMs = this.#options.now()
    if (isAhead(this.#announcedAtMs, nowMs)) for (const id of this.#dueAtMs.keys()) this.#dueAtMs.set(id, 0)
    this.#announcedAtMs = nowMs
    const due = [...this.#dueAtMs].filter(([, dueAtMs]) => dueAtMs <= nowMs).map(([id]) => id)
    const batch = due.slice(0, BATCH_MAX)
    if (batch.length > 0) await this.#announceBatch(batch, nowMs)
    return due.length > BATCH_MAX
  }

  async #announceBatch(ids: readonly string[], nowMs: number): Promise<void> {
    const { store, onQueued } = this.#options
    const batch = new Batch(this.#options, {
      until: this.#until,
      heldSources: await store.subscriptionMatches.heldSources(),
      recentAfter: await this.#findRecent(),
    })
    const found = await store.subscriptionMatches.announcing(ids)
    const byId = new Map(found.map((subscription) => [subscription.id, subscription]))
    const announcements: Announcement[] = []
    for (const id of ids) {
      const subscription = byId.get(id)
      const dueAtMs = subscription && dueTime(subscription, nowMs)
      if (subscription === undefined || dueAtMs === undefined) this.#dueAtMs.delete(id)
      else if (dueAtMs > nowMs) this.#dueAtMs.set(id, dueAtMs)
      else {
        const announcement = await batch.announcementOf(subscription)
        if (announcement === undefined) this.#settle(id)
        else announcements.push(announcement)
      }
    }
    // One that is not moved has changed in the meantime: it stays due, and its matches are kept.
    const moved = announcements.length === 0 ? [] : await store.subscriptionMatches.announce(announcements)
    for (const id of moved) {
      this.#since.set(id, this.#until)
      this.#settle(id)
    }
    await this.#forgetAnnounced(ids)
    const isMoved = new Set(moved)
    if (announcements.some(({ subscription, events }) => events.length > 0 && isMoved.has(subscription.id))) onQueued()
  }

  async #findRecent(): Promise<number> {
    const until = this.#until
    if (this.#recent.until !== until)
      this.#recent = { until, after: await this.#options.store.subscriptionMatches.revisionBefore(until, FLAP_MS) }
    return this.#recent.after
  }

  /** It stays due if a commit with matches is not completely matched yet. */
  #settle(id: string): void {
    const key = this.#options.index.filtersOf(id)?.key ?? ''
    if ((this.#lastMatch.get(key) ?? 0) <= this.#until) this.#dueAtMs.delete(id)
  }

  /** Deletes the matches that all subscriptions with the same filters have announced. */
  async #forgetAnnounced(ids: readonly string[]): Promise<void> {
    const { index, store } = this.#options
    const shared = new Set(ids.map((id) => index.filtersOf(id)).filter((filters) => filters !== undefined))
    for (const { key, subscriptions } of shared) {
      const members = [...subscriptions]
      if (members.some((id) => this.#dueAtMs.has(id))) continue
      await store.subscriptionMatches.forget(key, this.#until)
      this.#lastMatch.delete(key)
      this.#forgetRows(key)
    }
  }

  /**
   * Bounds the matches that wait for a slow subscription: folds those between two announcements. At a position of the log, which no
   * other node may have moved. Whether there is more.
   */
  async fold(position: string): Promise<boolean> {
    const until = this.#until
    for (const filtersKey of [...this.#long].slice(0, FOLDS_MAX)) {
      const rows = await this.#foldedRows(filtersKey, until)
      if (!(await this.#options.store.subscriptionMatches.replace({ position, filtersKey, until, rows }))) return false
      this.#forgetRows(filtersKey)
    }
    return this.#long.size > 0
  }

  /** Each subscription with the filters needs the matches after its last announcement apart from those before. */
  async #foldedRows(filtersKey: string, until: number): Promise<FilterMatches[]> {
    const { index, store } = this.#options
    const ids = [...(index.find(filtersKey)?.subscriptions ?? [])]
    const sinces = [...new Set(ids.map((id) => this.#since.get(id) ?? 0))].sort((a, b) => a - b)
    const [after = until] = sinces
    const rows = await store.subscriptionMatches.ofFilters(filtersKey, { after, until })
    const spans = Map.groupBy(rows, ({ revision }) => sinces.findLastIndex((since) => since < revision))
    return [...spans.values()].flatMap(foldMatches)
  }

  #forgetRows(filtersKey: string): void {
    this.#rows.delete(filtersKey)
    this.#long.delete(filtersKey)
  }
}

/** The time of the next event; later if something else must come first. */
function dueTime({ status, isWaiting, lastEventAtMs, minIntervalMs }: AnnouncingSubscription, nowMs: number): number {
  if (status !== 'active' || isWaiting) return nowMs + WAIT_MS
  return lastEventAtMs === undefined || isAhead(lastEventAtMs, nowMs) ? nowMs : lastEventAtMs + minIntervalMs
}

interface BatchOptions extends Pick<NetOptions, 'heldSources' | 'recentAfter'> {
  readonly until: number
}

/** The announcements of a batch. Subscriptions with equal filters mostly have the same. */
class Batch {
  readonly #parts: Pick<AnnouncerOptions, 'index' | 'store'>
  readonly #options: BatchOptions
  readonly #read = new Map<string, readonly FilterMatches[]>()

  constructor(parts: Pick<AnnouncerOptions, 'index' | 'store'>, options: BatchOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** Undefined without new matches. */
  async announcementOf(subscription: AnnouncingSubscription): Promise<Announcement | undefined> {
    const rows = await this.#matchesAfter(subscription)
    if (rows.length === 0) return undefined
    const { until, heldSources, recentAfter } = this.#options
    // Those of a held source are dropped: they were not announced, so they must not be counted.
    const before = subscription.carried.filter(({ sourceId }) => !heldSources.has(sourceId))
    const net = netMatches([...before, ...rows], { wanted: subscription.events, heldSources, recentAfter })
    return { subscription, until, ...net }
  }

  async #matchesAfter({ id, sinceRevision }: AnnouncingSubscription): Promise<readonly FilterMatches[]> {
    const { index, store } = this.#parts
    const filters = index.filtersOf(id)
    if (filters === undefined) return []
    const name = `${filters.key} ${sinceRevision}`
    const between = { after: sinceRevision, until: this.#options.until }
    const rows = this.#read.get(name) ?? (await store.subscriptionMatches.ofFilters(filters.key, between))
    this.#read.set(name, rows)
    return rows
  }
}
