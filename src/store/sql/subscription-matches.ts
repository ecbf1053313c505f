import type { Kysely } from 'kysely'
import { EVENT_IDS_MAX } from '../../shared/subscription-vocabulary.ts'
import { formatRevision } from '../../slot/revision.ts'
import type { FilterMatches, MatchStep, SubscriptionMatchStore } from '../contracts/subscription-matches.ts'
import type { SqlDialect } from './database.ts'
import type { Schema } from './schema.ts'
import { ANNOUNCING, addCounts, SqlAnnouncements } from './subscription-announcements.ts'
import { deleteMatches, matchesOf, putMatches } from './subscription-match-rows.ts'

/** The only row of `subscription_cursor`. */
const CURSOR = 'matcher'

type LogGap = Parameters<SubscriptionMatchStore['skip']>[0]

/** `SubscriptionMatchStore` over any database. */
export class SqlSubscriptionMatchStore extends SqlAnnouncements implements SubscriptionMatchStore {
  async position(): Promise<string | undefined> {
    const cursor = this.queries.selectFrom('subscription_cursor').select('position').where('name', '=', CURSOR)
    return (await cursor.executeTakeFirst())?.position
  }

  record({ from, to, matches }: MatchStep): Promise<boolean> {
    const { sqlDialect } = this.database
    return this.database.transaction('kill', async ({ queries }) => {
      if (!(await moveCursor(queries, from, to))) return false
      const stored = await storedMatches({ queries, sqlDialect }, matches)
      const all = matches.map((match) => merged(match, stored.get(nameOf(match))))
      await putMatches(queries, all)
      return true
    })
  }

  replace({ position, filtersKey, until, rows }: Parameters<SubscriptionMatchStore['replace']>[0]): Promise<boolean> {
    return this.database.transaction('kill', async ({ queries }) => {
      if (!(await moveCursor(queries, position, position))) return false
      await deleteMatches(queries, filtersKey, until)
      await putMatches(queries, rows)
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
    await this.database.transaction('kill', ({ queries }) => deleteMatches(queries, filtersKey, until))
  }
}

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
