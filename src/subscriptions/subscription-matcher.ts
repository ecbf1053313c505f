import { randomUUID } from 'node:crypto'
import type { LogEvent } from '../lib/log-event.ts'
import { nextTurn } from '../lib/next-turn.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorText } from '../lib/text.ts'
import { FILTER_PARAMETERS, type FilterDraft, parseFilters } from '../slot/filter-parameters.ts'
import { InvalidParameter } from '../slot/query-parameter.ts'
import { formatRevision, parseRevision, type Revision } from '../slot/revision.ts'
import type { ChangeLogReader } from '../store/contracts/change-log.ts'
import type { Store } from '../store/contracts/store.ts'
import type { SubscriptionMatchStore } from '../store/contracts/subscription-matches.ts'
import type { SubscriptionStore } from '../store/contracts/subscriptions.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { Announcer } from './announcer.ts'
import { ChangeMatcher } from './change-matcher.ts'
import { FLAP_MS, RecentRemovals } from './recent-removals.ts'
import { SubscriptionIndex } from './subscription-index.ts'

export interface SubscriptionMatcherOptions {
  readonly store: Pick<Store, 'changeLog' | 'jobLocks' | 'revisionFeed'> & {
    readonly subscriptions: Pick<SubscriptionStore, 'changedSince'>
    readonly subscriptionMatches: SubscriptionMatchStore
  }
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
  /** Called after events were queued. */
  readonly onQueued: () => void
}

/** Only the node with this lock matches; another takes over if it stops. */
const JOB = 'subscriptions'
const JOB_MS = 15_000

/** Rows of a step, and steps of one view of the log. */
const ROWS_PER_STEP = 1000
const STEPS_MAX = 20

/** Subscriptions that are added to the index in one turn of the event loop. */
const PER_TURN = 200

/** How often the log is looked at. */
const EVERY_MS = 500

/** Matches and announces all the time, on the node that has the lock. */
export function openMatcher(options: SubscriptionMatcherOptions): Periodic {
  const matcher = new SubscriptionMatcher(options)
  const matchAll = async (signal: AbortSignal) => {
    while (!signal.aborted && (await matcher.run()));
  }
  return new Periodic((signal) => retryUntilAvailable(() => matchAll(signal), { signal }), {
    everyMs: EVERY_MS,
    onError(error) {
      const fields = { error: errorText(error) }
      options.onEvent({ level: 'error', message: 'subscriptions could not be matched', fields })
    },
  })
}

/**
 * Follows the change log on one node of the cluster: stores which filters each change matches, and announces them when they are due.
 *
 *     idle ──lock acquired──> loaded ──step──> loaded     one transaction: position and matches
 *      ^                        │
 *      └── lock or position lost, or an error: everything in memory is loaded again
 *
 * A stopped or replaced matcher loses nothing and repeats nothing: a step is stored only if the position is the one it began with.
 */
export class SubscriptionMatcher {
  readonly #options: SubscriptionMatcherOptions
  readonly #owner = randomUUID()
  #lockedUntilMs = 0
  #loaded: LoadedMatcher | undefined

  constructor(options: SubscriptionMatcherOptions) {
    this.#options = options
  }

  /** Matches and announces what is due, if this node has the lock. Whether there is more to match now. Rejects if the store fails. */
  async run(): Promise<boolean> {
    try {
      if (!(await this.#lock())) return this.#unload()
      this.#loaded ??= await LoadedMatcher.load(this.#options)
      const outcome = await this.#loaded.follow()
      if (outcome === 'lost') return this.#unload()
      const isMoreDue = await this.#loaded.announce()
      return outcome === 'more' || isMoreDue
    } catch (error) {
      this.#unload()
      throw error
    }
  }

  /** Renewed when less than half of its time is left. */
  async #lock(): Promise<boolean> {
    const nowMs = this.#options.now()
    if (nowMs < this.#lockedUntilMs - JOB_MS / 2) return true
    const isAcquired = await this.#options.store.jobLocks.acquire(JOB, this.#owner, JOB_MS)
    this.#lockedUntilMs = isAcquired ? nowMs + JOB_MS : 0
    return isAcquired
  }

  #unload(): false {
    this.#loaded = undefined
    return false
  }
}

/** The subscriptions in memory, and the position in the log. */
class LoadedMatcher {
  readonly #announcer: Announcer
  readonly #options: SubscriptionMatcherOptions
  readonly #index: SubscriptionIndex
  #position: string | undefined
  /** Of the last subscription that is known. */
  #known = 0
  #removals: RecentRemovals | undefined
  /** The epoch, and the revisions of slots and subscriptions, up to which the log was matched. */
  #followed = ''

  private constructor(options: SubscriptionMatcherOptions, position: string | undefined) {
    this.#options = options
    this.#position = position
    this.#index = new SubscriptionIndex()
    this.#announcer = new Announcer({ ...options, index: this.#index })
  }

  static async load(options: SubscriptionMatcherOptions): Promise<LoadedMatcher> {
    const matcher = new LoadedMatcher(options, await options.store.subscriptionMatches.position())
    await matcher.#loadSubscriptions()
    await matcher.#announcer.load()
    return matcher
  }

  /** Matches the next steps. `lost`: another node has the job. Cheap if nothing was committed and no subscription changed. */
  async follow(): Promise<'more' | 'done' | 'lost'> {
    const { epoch, slots, subscriptions } = await this.#options.store.revisionFeed.revisions()
    const newest = `${epoch}.${slots}.${subscriptions}`
    if (newest === this.#followed) return 'done'
    const outcome = await this.#followLog()
    if (outcome === 'done') this.#followed = newest
    return outcome
  }

  /** Announces what is due, and bounds the matches that wait. Whether there is more. */
  async announce(): Promise<boolean> {
    const isMoreDue = await this.#announcer.announce()
    const isMoreLong = this.#position !== undefined && (await this.#announcer.fold(this.#position))
    return isMoreDue || isMoreLong
  }

  async #followLog(): Promise<'more' | 'done' | 'lost'> {
    const log = await this.#options.store.changeLog.open()
    try {
      // After the log was opened: a subscription that is not known yet was made after the last commit of the log.
      await this.#loadSubscriptions()
      const position = this.#position === undefined ? undefined : parseRevision(this.#position)
      if (position === undefined || !reaches(log, position)) return await this.#begin(log, position)
      if (position.store !== log.store) return await this.#beginEpoch(log, position)
      if (this.#index.size === 0) return await this.#moveToEnd(log)
      return await this.#match(position, log)
    } finally {
      await log.close()
    }
  }

  async #loadSubscriptions(): Promise<void> {
    const { subscriptions, revision } = await this.#options.store.subscriptions.changedSince(this.#known)
    for (const [n, { id, query, matches, sinceRevision }] of subscriptions.entries()) {
      // Thousands take long, and deliveries share the thread.
      if (n % PER_TURN === PER_TURN - 1) await nextTurn()
      const filters = matches ? filtersOf(query) : undefined
      if (filters === undefined) {
        this.#index.remove(id)
        this.#announcer.remove(id)
      } else {
        this.#announcer.put(this.#index.put(id, filters), { id, sinceRevision })
      }
    }
    this.#known = revision
  }

  /**
   * Begins where the first subscription does; again after the log was purged. What the log no longer has is not known, and never
   * announced.
   */
  async #begin(log: ChangeLogReader, position: Revision | undefined): Promise<'more' | 'lost'> {
    const { store, onEvent } = this.#options
    const from = this.#position
    // A position beyond the log is not of this store, nor are the revisions of its subscriptions.
    const isForeign = position !== undefined && position.revision > log.newest
    const known = isForeign ? Number.MAX_SAFE_INTEGER : log.oldest
    const skipped = await store.subscriptionMatches.skip({ from, newest: endOf(log), known })
    if (skipped === undefined) return 'lost'
    this.#position = skipped.position
    this.#removals = undefined
    const { subscriptions } = skipped
    if (subscriptions === 0) return 'more'
    const fields = { from: from ?? '', to: skipped.position, subscriptions }
    onEvent({ level: 'warn', message: 'changes were skipped: the change log does not reach back', fields })
    // They are loaded again.
    return 'lost'
  }

  /**
   * Continues in another epoch: a promoted standby, a restored backup and a moved store have the log, the position and the matches of one
   * moment. What is in memory may be later, and is loaded again.
   */
  async #beginEpoch({ store }: ChangeLogReader, position: Revision): Promise<'lost'> {
    await this.#record({ ...position, store }, [])
    return 'lost'
  }

  /** Without subscriptions, the log is not read. */
  async #moveToEnd(log: ChangeLogReader): Promise<'done' | 'lost'> {
    this.#removals = undefined
    this.#announcer.completeUntil(log.newest)
    return (await this.#record(endOf(log), [])) ? 'done' : 'lost'
  }

  async #match(from: Revision, log: ChangeLogReader): Promise<'more' | 'done' | 'lost'> {
    this.#removals ??= await loadRemovals(log, from)
    const parts = { index: this.#index, removals: this.#removals, log, nowMs: this.#options.now() }
    const matcher = new ChangeMatcher(parts)
    let position = from
    for (let steps = 0; steps < STEPS_MAX && position.revision < log.newest; steps++) {
      const { rows, end } = await log.read(position, ROWS_PER_STEP)
      const until = rows.at(-1)?.revision ?? position.revision
      const commits = await log.commits({ after: position.revision, until })
      const matches = await matcher.match(rows, commits)
      if (!(await this.#record(end, matches))) return 'lost'
      position = end
      await nextTurn()
    }
    this.#announcer.completeUntil(position.revision)
    return position.revision < log.newest ? 'more' : 'done'
  }

  async #record(end: Revision, matches: Parameters<SubscriptionMatchStore['record']>[0]['matches']): Promise<boolean> {
    const [from, to] = [this.#position, formatRevision(end)]
    if (from === to) return true
    if (!(await this.#options.store.subscriptionMatches.record({ from, to, matches }))) return false
    this.#position = to
    for (const { filtersKey, revision } of matches) this.#announcer.mark(filtersKey, revision)
    return true
  }
}

function endOf({ store, newest }: ChangeLogReader): Revision {
  return { store, revision: newest }
}

function reaches({ oldest, newest }: ChangeLogReader, { revision }: Revision): boolean {
  return revision >= oldest && revision <= newest
}

/** Undefined if this version refuses filters that another one accepted. */
function filtersOf(query: string): FilterDraft | undefined {
  try {
    return parseFilters<FilterDraft>(query, FILTER_PARAMETERS, { status: 'free' })
  } catch (error) {
    if (error instanceof InvalidParameter) return undefined
    throw error
  }
}

/** The removals of the last ten minutes before a position, as far as the log has them. */
async function loadRemovals(log: ChangeLogReader, until: Revision): Promise<RecentRemovals> {
  const removals = new RecentRemovals()
  const [last] = await log.commits({ after: until.revision - 1, until: until.revision })
  const since = last === undefined ? until.revision : await log.revisionAt(last.committedAtMs - FLAP_MS)
  let position: Revision = { store: until.store, revision: Math.min(since, until.revision) }
  while (comparePositions(position, until) < 0) {
    const { rows, end } = await log.read(position, ROWS_PER_STEP)
    const commits = await log.commits({ after: position.revision, until: rows.at(-1)?.revision ?? position.revision })
    const times = new Map(commits.map(({ revision, committedAtMs }) => [revision, committedAtMs]))
    for (const row of rows) {
      const at = { store: until.store, revision: row.revision - 1, within: row }
      if (comparePositions(at, until) > 0) return removals
      removals.follow(row, times.get(row.revision) ?? 0)
    }
    position = end
    await nextTurn()
  }
  return removals
}

/** Negative if a position is before another of the same store, 0 if they are equal. */
function comparePositions(one: Revision, other: Revision): number {
  return (
    one.revision - other.revision ||
    phaseNumber(one) - phaseNumber(other) ||
    (one.within?.key ?? 0) - (other.within?.key ?? 0)
  )
}

function phaseNumber({ within }: Revision): number {
  return within === undefined ? 0 : within.phase === 'deleted' ? 1 : 2
}
