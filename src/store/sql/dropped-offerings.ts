import type { Expression, Kysely } from 'kysely'
import type { Offering } from '../../slot/slot.ts'
import type { DroppedOfferings } from '../contracts/change-log.ts'
import { countRows } from './count-rows.ts'
import { advance, advanceSlots, readCounters } from './counters.ts'
import type { Database, ReadTransaction } from './database.ts'
import type { Schema } from './schema.ts'

/** Rows in an insert: below SQLite's bound of 32,766 parameters. */
const ROWS_PER_INSERT = 500
const ROWS_PER_READ = 100

/**
 * Deletes offerings that no slot refers to, as a separate commit: readers of the change log learn what they need no more. Returns the
 * number.
 */
export async function dropOfferings(
  queries: Kysely<Schema>,
  ids: Expression<number>,
  { sourceId, nowMs }: { readonly sourceId: number; readonly nowMs: number },
): Promise<number> {
  const dropped = await queries
    .deleteFrom('offerings')
    .where('id', 'in', ids)
    .returning(['id', 'source_id', 'json'])
    .execute()
  if (dropped.length === 0) return 0
  const commit = await advanceSlots(queries, nowMs)
  const id = await advance(queries, 'sync_ids')
  await queries
    .insertInto('syncs')
    .values({ id, source_id: sourceId, ...commit, removal: 0, deleted_rows: 0 })
    .execute()
  const { offering_ids } = await readCounters(queries, ['offering_ids'])
  const successor_id = await findSuccessor(queries, sourceId, dropped[0].json)
  const rows = dropped.map((row) => {
    return { ...row, successor_id, revision: commit.revision, offerings_end: offering_ids + 1 }
  })
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await queries
      .insertInto('dropped_offerings')
      .values(rows.slice(at, at + ROWS_PER_INSERT))
      .execute()
  }
  return dropped.length
}

/**
 * The source that has the slug of a removed one now. Ids of resources depend on the slug, so its offerings may have the same resources.
 * Stored with the commit, because later sources must not change the content of an update.
 */
async function findSuccessor(queries: Kysely<Schema>, sourceId: number, offering: string): Promise<number | null> {
  const { publisher } = JSON.parse(offering) as Offering
  const successor = await queries
    .selectFrom('sources')
    .select('id')
    .where('slug', '=', publisher)
    .where('id', '<>', sourceId)
    .executeTakeFirst()
  return successor?.id ?? null
}

/** How many were dropped after a revision, up to another. */
export function countDropped(
  queries: Kysely<Schema>,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<number> {
  return countRows(queries.selectFrom('dropped_offerings').where('revision', '>', after).where('revision', '<=', until))
}

/** Those that were dropped after a revision, up to another, by source. */
export async function readDropped(
  queries: Kysely<Schema>,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<DroppedOfferings[]> {
  const rows = await queries
    .selectFrom('dropped_offerings')
    .select(['source_id', 'successor_id', 'offerings_end', 'json'])
    .where('revision', '>', after)
    .where('revision', '<=', until)
    .orderBy('id')
    .execute()
  return [...Map.groupBy(rows, (row) => row.source_id)].map(([sourceId, ofSource]) => ({
    sourceId,
    successorIds: [...new Set(ofSource.flatMap(({ successor_id }) => successor_id ?? []))],
    offeringsEnd: ofSource.reduce((end, row) => Math.max(end, row.offerings_end), 0),
    offerings: ofSource.map(({ json }) => json),
  }))
}

/** Those of some ids that were dropped after a revision. */
export function readDroppedLater(
  { queries }: ReadTransaction,
  ids: Expression<number>,
  revision: number,
): Promise<OfferingJson[]> {
  return queries
    .selectFrom('dropped_offerings')
    .select(['id', 'json'])
    .where('id', 'in', ids)
    .where('revision', '>', revision)
    .execute()
}

/** The revision of the last drop; 0 if none is known. */
export async function lastDrop(queries: Kysely<Schema>): Promise<number> {
  const row = await queries
    .selectFrom('dropped_offerings')
    .select(({ fn }) => fn.max('revision').as('revision'))
    .executeTakeFirst()
  return Number(row?.revision ?? 0)
}

/** The offerings of a source before an id that were not dropped as of a revision, in batches. */
export async function* readOfferingsOf(
  { queries }: ReadTransaction,
  { sourceId, offeringsEnd }: { readonly sourceId: number; readonly offeringsEnd: number },
  asOf: number,
): AsyncGenerator<{ id: number; json: string }[]> {
  const present = queries.selectFrom('offerings').select(['id', 'json']).where('source_id', '=', sourceId)
  const later = queries
    .selectFrom('dropped_offerings')
    .select(['id', 'json'])
    .where('source_id', '=', sourceId)
    .where('revision', '>', asOf)
  yield* inBatches((after) =>
    present.where('id', '>', after).where('id', '<', offeringsEnd).orderBy('id').limit(ROWS_PER_READ).execute(),
  )
  yield* inBatches((after) =>
    later.where('id', '>', after).where('id', '<', offeringsEnd).orderBy('id').limit(ROWS_PER_READ).execute(),
  )
}

type OfferingJson = { id: number; json: string }

async function* inBatches(read: (after: number) => Promise<OfferingJson[]>): AsyncGenerator<OfferingJson[]> {
  for (let after = 0; ; ) {
    const batch = await read(after)
    if (batch.length > 0) yield batch
    if (batch.length < ROWS_PER_READ) return
    after = batch[ROWS_PER_READ - 1].id
  }
}

/** Deletes those that no reader can ask for any more. */
export async function purgeDropped(database: Database, purged: number): Promise<void> {
  await database.transaction('kill', ({ queries }) =>
    queries.deleteFrom('dropped_offerings').where('revision', '<=', purged).execute(),
  )
}
