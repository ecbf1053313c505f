import type { QuietRule, SubscriptionEvent } from '../../shared/subscription-vocabulary.ts'
import type { Revision } from '../../slot/revision.ts'
import type { Subscription } from './subscriptions.ts'

/**
 * A slot's transition at a commit, as some filters see it:
 *
 *     opened      it matches now, and did not before the commit
 *     first-sync  the same, in the first snapshot of a source or the first after it was emptied
 *     returned    it matches again, less than ten minutes after its removal
 *     closed      it no longer matches
 *     removed     the same, because it is gone
 */
export type MatchKind = 'opened' | 'first-sync' | 'returned' | 'closed' | 'removed'

/** The transitions of one kind at a commit that filters see; at most `EVENT_IDS_MAX` slots, and the number of all. */
export interface FilterMatches {
  /** Identifies the filters. */
  readonly filtersKey: string
  readonly revision: number
  readonly kind: MatchKind
  readonly sourceId: number
  readonly total: number
  readonly slots: readonly MatchedSlot[]
}

/** The id and start of a slot. */
export type MatchedSlot = readonly [id: string, startMs: number]

/** A subscription that may announce matches. */
export interface AnnouncingSubscription
  extends Pick<Subscription, 'id' | 'events' | 'minIntervalMs' | 'status' | 'heldBack' | 'sinceRevision'> {
  /** When the last event about slots was queued, or delivered if later. */
  readonly lastEventAtMs?: number
  /** An event about slots waits for its delivery. */
  readonly isWaiting: boolean
  /** Of the row, which every change by a person advances. */
  readonly rowRevision: number
  /** Of its last announcement. */
  readonly carried: readonly FilterMatches[]
}

/** The announcement of all matches up to a revision; without events if all of them were held back or canceled each other. */
export interface Announcement {
  readonly subscription: Pick<AnnouncingSubscription, 'id' | 'sinceRevision' | 'rowRevision' | 'carried'>
  readonly until: number
  readonly events: readonly AnnouncedEvent[]
  readonly heldBack: Readonly<Partial<Record<QuietRule, number>>>
  /** Matches that belong before those of the next announcement. They replace those of the last one. */
  readonly carried: readonly FilterMatches[]
}

/** An event to queue. */
export interface AnnouncedEvent {
  readonly type: SubscriptionEvent
  /** The revision before the first of its matches, and that of the last. */
  readonly fromRevision: number
  readonly toRevision: number
  readonly total: number
  /** In order of start; empty if there are more than `EVENT_IDS_MAX`. */
  readonly ids: readonly string[]
}

/**
 * The matches of the change log with filters, from the commit until the last subscription with these filters has announced them. They
 * are stored once for all subscriptions with equal filters. `since_revision` of a subscription is the last revision that it announced.
 */
export interface SubscriptionMatchStore {
  /** The position in the change log up to which matches are stored, as `formatRevision()` writes it; undefined before the first. */
  position(): Promise<string | undefined>
  /**
   * Stores the matches between two positions. Compare-and-set: false, and nothing is stored, if the position is not `from`, because
   * another node has the job now.
   */
  record(step: MatchStep): Promise<boolean>
  /**
   * Moves the position to one from which the log can be read, and drops all matches. Subscriptions that announced up to a revision before
   * `known` continue at the newest, because the log has a gap after theirs; none of the others misses anything. Undefined as above.
   */
  skip(step: {
    readonly from: string | undefined
    readonly newest: Revision
    readonly known: number
  }): Promise<{ readonly position: string; readonly subscriptions: number } | undefined>
  /** The keys of filters with matches, and ids of subscriptions with carried ones; the revision of the last one, and the number of rows. */
  keys(): Promise<{ filtersKey: string; revision: number; rows: number }[]>
  /** In order of revision. */
  ofFilters(filtersKey: string, between: { readonly after: number; readonly until: number }): Promise<FilterMatches[]>
  /** Deletes the matches of filters up to a revision. */
  forget(filtersKey: string, until: number): Promise<void>
  /** Replaces the matches of filters up to a revision. Compare-and-set as `record()`; the position stays. */
  replace(step: {
    readonly position: string
    readonly filtersKey: string
    readonly until: number
    readonly rows: readonly FilterMatches[]
  }): Promise<boolean>
  /** The last revision that was committed more than `ms` before another. */
  revisionBefore(revision: number, ms: number): Promise<number>
  /** Those that exist and are active or not verified yet, of organizations that are not suspended. */
  announcing(ids: readonly string[]): Promise<AnnouncingSubscription[]>
  /** The sources whose newest snapshot is held. */
  heldSources(): Promise<ReadonlySet<number>>
  /**
   * Queues the events and moves the subscriptions on, each unless it changed since it was read. Returns the ids of those that were moved.
   */
  announce(announcements: readonly Announcement[]): Promise<string[]>
}

/** A step of the matcher along the change log. */
export interface MatchStep {
  readonly from: string | undefined
  readonly to: string
  readonly matches: readonly FilterMatches[]
}
