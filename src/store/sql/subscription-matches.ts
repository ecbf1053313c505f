import { type Kysely, sql } from 'kysely'
import { EVENT_IDS_MAX, QUIET_RULES, type QuietRule } from '../../shared/subscription-vocabulary.ts'
import { formatRevision } from '../../slot/revision.ts'
import type {
  Announcement,
  AnnouncingSubscription,
  FilterMatches,
  MatchedSlot,
  MatchKind,
  MatchStep,
  SubscriptionMatchStore,
} from '../contracts/subscription-matches.ts'
import type { SqlDialect } from './database.ts'
import { queueEvent } from './queue-event.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** Rows in an insert: below SQLite's bound of 32,766 parameters. */
const ROWS_PER_INSERT = 2000

/** The only row of `subscription_cursor`. */
const CURSOR = 'matcher'

type LogGap = Parameters<SubscriptionMatchStore['skip']>[0]

/** `SubscriptionMatchStore` over any database. */
export class SqlSubscriptionMatchStore extends SqlStore implements SubscriptionMatchStore {
  async position(): Promise<string | undefined> {
    const cursor = this.queries.selectFrom('subscription_cursor').select('position').where('name', '=', CURSOR)
    return (await cursor.executeTakeFirst())?.position
  }

  record({ from, to, matches }: MatchStep): Promise<boolean> {
    const { sqlDialect } = this.database
    return this.database.transaction('kill', async ({ queries }) => {
      if (!(await moveCursor(queries, from, to))) return false
      const stored = await storedMatches({ queries, sqlDialect }, matches)
      const rows = matches.map((match) => rowOf(merged(match, stored.get(nameOf(match)))))
      await putRows(queries, rows)
      return true
    })
  }

  replace({ position, filtersKey, until, rows }: Parameters<SubscriptionMatchStore['replace']>[0]): Promise<boolean> {
    return this.database.transaction('kill', async ({ queries }) => {
      if (!(await moveCursor(queries, position, position))) return false
      await deleteUntil(queries, filtersKey, until)
      await putRows(queries, rows.map(rowOf))
      return true
    })
  }

  skip({ from, newest, known }: LogGap): ReturnType<SubscriptionMatchStore['skip']> {
    return this.database.transaction('kill', async ({ queries }) => {
      const rows = await queries
        .selectFrom('subscriptions')
        .select(['id', 'held_back', 'since_revision'])
        .where('status', 'in', ANNOUNCING)
        .where('deleted_at_ms', 'is', null)
        .execute()
      const missing = rows.filter((row) => row.since_revision < known)
      let { revision } = newest
      for (const { since_revision } of rows) if (since_revision >= known) revision = Math.min(revision, since_revision)
      const position = formatRevision({ store: newest.store, revision })
      if (!(await moveCursor(queries, from, position))) return undefined
      await queries.deleteFrom('subscription_matches').execute()
      for (const { id, held_back } of missing) {
        const added = addCounts(JSON.parse(held_back), { logGap: 1 })
        await queries
          .updateTable('subscriptions')
          .set({ since_revision: newest.revision, held_back: JSON.stringify(added) })
          .where('id', '=', id)
          .execute()
      }
      return { position, subscriptions: missing.length }
    })
  }

  async keys(): Promise<{ filtersKey: string; revision: number; rows: number }[]> {
    const rows = await this.queries
      .selectFrom('subscription_matches')
      .select('filters_key')
      .select(({ fn }) => [fn.max('revision').as('revision'), fn.countAll().as('rows')])
      .groupBy('filters_key')
      .execute()
    return rows.map((row) => ({
      filtersKey: row.filters_key,
      revision: Number(row.revision),
      rows: Number(row.rows),
    }))
  }

  async ofFilters(
    filtersKey: string,
    { after, until }: { readonly after: number; readonly until: number },
  ): Promise<FilterMatches[]> {
    const rows = await this.queries
      .selectFrom('subscription_matches')
      .selectAll()
      .where('filters_key', '=', filtersKey)
      .where('revision', '>', after)
      .where('revision', '<=', until)
      .orderBy('revision')
      .execute()
    return rows.map(matchesOf)
  }

  async forget(filtersKey: string, until: number): Promise<void> {
    await this.database.transaction('kill', ({ queries }) => deleteUntil(queries, filtersKey, until))
  }

  async announcing(ids: readonly string[]): Promise<AnnouncingSubscription[]> {
    const rows = await this.queries
      .selectFrom('subscriptions')
      .select([
        'id',
        'events',
        'min_interval_ms',
        'status',
        'held_back',
        'since_revision',
        'last_event_at_ms',
        'last_delivered_at_ms',
        'revision',
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
      .where('id', 'in', this.database.sqlDialect.anyOf(ids))
      .where('status', 'in', ANNOUNCING)
      .where('deleted_at_ms', 'is', null)
      .execute()
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
    }))
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

  async #announce(queries: Kysely<Schema>, { subscription, until, events, heldBack }: Announcement): Promise<boolean> {
    const nowMs = this.now()
    const row = await queries
      .selectFrom('subscriptions')
      .select(['organization_id', 'url', 'held_back'])
      .where('id', '=', subscription.id)
      .where('revision', '=', subscription.rowRevision)
      .where('since_revision', '=', subscription.sinceRevision)
      .where('status', 'in', ANNOUNCING)
      .where('deleted_at_ms', 'is', null)
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
    for (const event of events) {
      const { organization_id: organizationId, url } = row
      await queueEvent(queries, { ...event, subscriptionId: subscription.id, organizationId, url, nowMs })
    }
    return true
  }
}

/** The states of subscriptions that match. */
const ANNOUNCING = ['active', 'pending'] as const

/** Compare-and-set. */
async function moveCursor(queries: Kysely<Schema>, from: string | undefined, to: string): Promise<boolean> {
  if (from === undefined) {
    const inserted = await queries
      .insertInto('subscription_cursor')
      .values({ name: CURSOR, position: to })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    return inserted !== undefined
  }
  const { numUpdatedRows } = await queries
    .updateTable('subscription_cursor')
    .set({ position: to })
    .where('name', '=', CURSOR)
    .where('position', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function putRows(queries: Kysely<Schema>, rows: readonly Schema['subscription_matches'][]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await queries
      .insertInto('subscription_matches')
      .values(rows.slice(at, at + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict
          .columns(['filters_key', 'revision', 'kind'])
          .doUpdateSet((row) => ({ total: row.ref('excluded.total'), ids: row.ref('excluded.ids') })),
      )
      .execute()
  }
}

async function deleteUntil(queries: Kysely<Schema>, filtersKey: string, until: number): Promise<void> {
  await queries
    .deleteFrom('subscription_matches')
    .where('filters_key', '=', filtersKey)
    .where('revision', '<=', until)
    .execute()
}

/** A commit may be read in several steps, so its rows may exist: those of the first commit of a step. */
async function storedMatches(
  { queries, sqlDialect }: { queries: Kysely<Schema>; sqlDialect: SqlDialect },
  matches: readonly FilterMatches[],
): Promise<Map<string, FilterMatches>> {
  const revision = matches.reduce((least, match) => Math.min(least, match.revision), Number.POSITIVE_INFINITY)
  const keys = matches.filter((match) => match.revision === revision).map((match) => match.filtersKey)
  if (keys.length === 0) return new Map()
  const rows = await queries
    .selectFrom('subscription_matches')
    .selectAll()
    .where('filters_key', 'in', sqlDialect.anyOf([...new Set(keys)]))
    .where('revision', '=', revision)
    .execute()
  return new Map(rows.map(matchesOf).map((match) => [nameOf(match), match]))
}

function nameOf({ filtersKey, revision, kind }: FilterMatches): string {
  return `${filtersKey} ${revision} ${kind}`
}

function merged(match: FilterMatches, stored: FilterMatches | undefined): FilterMatches {
  if (stored === undefined) return match
  const slots = [...stored.slots, ...match.slots].slice(0, EVENT_IDS_MAX)
  return { ...match, total: stored.total + match.total, slots }
}

function rowOf({ filtersKey, revision, kind, sourceId, total, slots }: FilterMatches): Schema['subscription_matches'] {
  return { filters_key: filtersKey, revision, kind, source_id: sourceId, total, ids: JSON.stringify(slots) }
}

function matchesOf(row: Schema['subscription_matches']): FilterMatches {
  const slots: readonly MatchedSlot[] = JSON.parse(row.ids)
  return {
    filtersKey: row.filters_key,
    revision: row.revision,
    kind: row.kind as MatchKind,
    sourceId: row.source_id,
    total: row.total,
    slots,
  }
}

type Counts = Readonly<Partial<Record<QuietRule, number>>>

function addCounts(counts: Counts, added: Counts): Counts {
  const sums = QUIET_RULES.map((rule) => [rule, (counts[rule] ?? 0) + (added[rule] ?? 0)] as const)
  return Object.fromEntries(sums.filter(([, count]) => count > 0))
}
