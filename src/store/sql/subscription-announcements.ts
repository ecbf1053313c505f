import { type Kysely, sql } from 'kysely'
import { QUIET_RULES, type QuietRule } from '../../shared/subscription-vocabulary.ts'
import type { Announcement, AnnouncingSubscription, FilterMatches } from '../contracts/subscription-matches.ts'
import { lastRevisionAt } from './logged-commits.ts'
import { queueEvent } from './queue-event.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'
import { deleteMatches, matchesOf, putMatches } from './subscription-match-rows.ts'

/** The states of subscriptions that match. */
export const ANNOUNCING = ['active', 'pending'] as const

/** The part of `SubscriptionMatchStore` about announcements. */
export abstract class SqlAnnouncements extends SqlStore {
  async announcing(ids: readonly string[]): Promise<AnnouncingSubscription[]> {
    const rows = await selectAnnouncing(this.queries)
      .select([
        'subscriptions.id',
        'events',
        'min_interval_ms',
        'status',
        'held_back',
        'since_revision',
        'last_event_at_ms',
        'last_delivered_at_ms',
        'subscriptions.revision',
      ])
      .select((row) =>
        row
          .exists(
            row
              .selectFrom('subscription_events')
              .select(sql`1`.as('one'))
              .whereRef('subscription_events.subscription_id', '=', 'subscriptions.id')
              .where('subscription_events.status', '=', 'queued')
              .where('type', 'in', ['slots.opened', 'slots.closed']),
          )
          .as('waiting'),
      )
      .where('subscriptions.id', 'in', this.database.sqlDialect.anyOf(ids))
      .execute()
    const carried = await this.#carried(ids)
    return rows.map((row) => ({
      id: row.id,
      events: JSON.parse(row.events),
      minIntervalMs: row.min_interval_ms,
      status: row.status,
      heldBack: JSON.parse(row.held_back),
      sinceRevision: row.since_revision,
      ...(row.last_event_at_ms !== null && {
        lastEventAtMs: Math.max(row.last_event_at_ms, row.last_delivered_at_ms ?? 0),
      }),
      isWaiting: Boolean(row.waiting),
      rowRevision: row.revision,
      carried: carried.get(row.id) ?? [],
    }))
  }

  async #carried(ids: readonly string[]): Promise<ReadonlyMap<string, FilterMatches[]>> {
    const rows = await this.queries
      .selectFrom('subscription_matches')
      .selectAll()
      .where('filters_key', 'in', this.database.sqlDialect.anyOf(ids))
      .orderBy('revision')
      .execute()
    return Map.groupBy(rows.map(matchesOf), ({ filtersKey }) => filtersKey)
  }

  async revisionBefore(revision: number, ms: number): Promise<number> {
    const commit = await this.queries
      .selectFrom('syncs')
      .select('committed_at_ms')
      .where('revision', '<=', revision)
      .orderBy('revision', 'desc')
      .limit(1)
      .executeTakeFirst()
    return lastRevisionAt(this.queries, (commit?.committed_at_ms ?? 0) - ms - 1)
  }

  async heldSources(): Promise<ReadonlySet<number>> {
    const rows = await this.queries.selectFrom('sources').select('id').where('held_snapshot', 'is not', null).execute()
    return new Set(rows.map((row) => row.id))
  }

  announce(announcements: readonly Announcement[]): Promise<string[]> {
    return this.database.transaction('kill', async ({ queries }) => {
      const moved: string[] = []
      for (const announcement of announcements) {
        if (await this.#announce(queries, announcement)) moved.push(announcement.subscription.id)
      }
      return moved
    })
  }

  async #announce(queries: Kysely<Schema>, announcement: Announcement): Promise<boolean> {
    const { subscription, until, events, heldBack, carried } = announcement
    const nowMs = this.now()
    const row = await selectAnnouncing(queries)
      .select(['organization_id', 'url', 'held_back'])
      .where('subscriptions.id', '=', subscription.id)
      .where('subscriptions.revision', '=', subscription.rowRevision)
      .where('since_revision', '=', subscription.sinceRevision)
      .executeTakeFirst()
    if (row === undefined) return false
    await queries
      .updateTable('subscriptions')
      .set({
        since_revision: until,
        ...(events.length > 0 && { last_event_at_ms: nowMs }),
        held_back: JSON.stringify(addCounts(JSON.parse(row.held_back), heldBack)),
      })
      .where('id', '=', subscription.id)
      .execute()
    if (subscription.carried.length > 0) await deleteMatches(queries, subscription.id, until)
    await putMatches(
      queries,
      carried.map((matches) => ({ ...matches, filtersKey: subscription.id })),
    )
    for (const event of events) {
      const { organization_id: organizationId, url } = row
      await queueEvent(queries, { ...event, subscriptionId: subscription.id, organizationId, url, nowMs })
    }
    return true
  }
}

function selectAnnouncing(queries: Kysely<Schema>) {
  return queries
    .selectFrom('subscriptions')
    .innerJoin('organizations', 'organizations.id', 'subscriptions.organization_id')
    .where('subscriptions.status', 'in', ANNOUNCING)
    .where('subscriptions.deleted_at_ms', 'is', null)
    .where('organizations.suspended_at_ms', 'is', null)
}

type Counts = Readonly<Partial<Record<QuietRule, number>>>

/** The sums of counts. */
export function addCounts(counts: Counts, added: Counts): Counts {
  const sums = QUIET_RULES.map((rule) => [rule, (counts[rule] ?? 0) + (added[rule] ?? 0)] as const)
  return Object.fromEntries(sums.filter(([, count]) => count > 0))
}
