import type { Kysely } from 'kysely'
import { HOUR_MS } from '../../lib/time.ts'
import { endAbandonedSync, openSyncs } from './abandoned-syncs.ts'
import { deleteInBatches, WRITE_ROWS_MAX } from './batches.ts'
import { advance, readCounters } from './counters.ts'
import type { Database } from './database.ts'
import { dropOfferings, purgeDropped } from './dropped-offerings.ts'
import { purgeHorizons } from './planning-horizons.ts'
import { deleteUnusedSets } from './resources.ts'
import type { Schema, SyncRow } from './schema.ts'
import { removeUnusedRowFiles } from './snapshot-rows.ts'

/** Deleted versions that are kept even if fewer are visible: about 30 MB. */
export const DELETED_ROWS_MIN = 100_000

/** Nodes may still be reading versions deleted this recently. */
const RECENTLY_MS = 30_000

/** A lease that expired this long ago is free despite clock differences between nodes. */
const ABANDONED_MS = HOUR_MS

/** Syncs per round. */
const SYNCS_MAX = 500

type PurgedSync = Pick<SyncRow, 'id' | 'source_id' | 'removal'>

/** The bounds of a purge. */
interface Bounds {
  readonly untilMs: number
  readonly nowMs: number
  /** Deleted versions that may stay in any case. */
  readonly deletedMin: number
}

/**
 * Deletes the versions that syncs committed up to a time deleted, unused offerings, sets of resources and row files. Returns
 * the number of rows.
 *
 * If deleted versions outnumber visible ones and `deletedMin`, the oldest go early: a store takes about twice the space of its visible
 * slots, however often a publisher replaces them. Nodes that lag behind load everything again.
 *
 * The horizon moves first, so that a node that asks for purged revisions reads everything. A killed purge continues the next time.
 */
export async function purge(database: Database, bounds: Bounds): Promise<number> {
  const horizon = await moveHorizon(database, bounds)
  await endOrphans(database)
  const touched = new Set<number>()
  let rows = await endAbandoned(database, bounds.nowMs)
  rows += await deleteUnusedSets(database)
  await purgeHorizons(database, horizon)
  await purgeDropped(database, horizon)
  await removeUnusedRowFiles(database)
  for (;;) {
    const syncs = await purgeableSyncs(database, horizon)
    for (const sync of syncs) {
      const deleted = await deleteVersions(database, sync)
      if (deleted > 0 || sync.removal === 1) touched.add(sync.source_id)
      rows += deleted
    }
    for (const sourceId of touched) rows += await deleteUnusedOfferings(database, sourceId, bounds.nowMs)
    touched.clear()
    await deleteSyncs(database, syncs)
    if (syncs.length < SYNCS_MAX) return rows
  }
}

/** Undoes interrupted syncs of removed sources: no later sync will. */
async function endOrphans(database: Database): Promise<void> {
  const orphans = await database.read.queries
    .selectFrom('syncs')
    .select('id')
    .where('revision', 'is', null)
    .where('source_id', 'not in', database.read.queries.selectFrom('sources').select('id'))
    .execute()
  for (const { id } of orphans) await endAbandonedSync(database, id)
}

/**
 * Undoes syncs whose lease expired long ago: killed, or out of disk space. The source's next sync would do so as well, but may be a week
 * away or paused. A new fencing token comes first, since the sync may only be slow. Returns the number of rows undone.
 */
async function endAbandoned(database: Database, nowMs: number): Promise<number> {
  const abandoned = await database.read.queries
    .selectFrom('sources')
    .innerJoin('syncs', 'syncs.id', 'sources.sync_id')
    .select(['sources.id as sourceId', 'syncs.id as syncId'])
    .where('syncs.revision', 'is', null)
    .where('lease_until_ms', '<=', nowMs - ABANDONED_MS)
    .execute()
  let rows = 0
  for (const { sourceId, syncId } of abandoned) {
    const claimed = await database.transaction('kill', async ({ queries }) => {
      const { numUpdatedRows } = await queries
        .updateTable('sources')
        .set({ sync_id: await advance(queries, 'sync_ids'), lease_owner: null, lease_until_ms: 0 })
        .where('id', '=', sourceId)
        .where('sync_id', '=', syncId)
        .where('lease_until_ms', '<=', nowMs - ABANDONED_MS)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    })
    if (claimed) rows += await endAbandonedSync(database, syncId)
  }
  return rows
}

async function moveHorizon(database: Database, bounds: Bounds): Promise<number> {
  const untilMs = Math.max(bounds.untilMs, await tooManyUntil(database.read.queries, bounds))
  return database.transaction('kill', async ({ queries }) => {
    const old = await queries
      .selectFrom('syncs')
      .select((sync) => sync.fn.max('revision').as('revision'))
      .where('committed_at_ms', '<=', untilMs)
      .executeTakeFirst()
    const { purged } = await readCounters(queries, ['purged'])
    const horizon = Math.max(purged, old?.revision ?? 0)
    if (horizon > purged) {
      await queries.updateTable('counters').set({ value: horizon }).where('name', '=', 'purged').execute()
    }
    return horizon
  })
}

/** When the newest surplus version was deleted: the newest versions stay. */
async function tooManyUntil(queries: Kysely<Schema>, { nowMs, deletedMin }: Bounds): Promise<number> {
  const sources = await queries.selectFrom('sources').select('slot_count').execute()
  const deletedMax = Math.max(
    deletedMin,
    sources.reduce((sum, source) => sum + source.slot_count, 0),
  )
  const syncs = await queries
    .selectFrom('syncs')
    .select(['deleted_rows', 'committed_at_ms'])
    .where('revision', 'is not', null)
    .orderBy('revision', 'desc')
    .execute()
  let deleted = 0
  for (const { deleted_rows, committed_at_ms: deletedAtMs } of syncs) {
    deleted += deleted_rows
    if (deleted > deletedMax && deletedAtMs !== null && deletedAtMs <= nowMs - RECENTLY_MS) return deletedAtMs
  }
  return Number.NEGATIVE_INFINITY
}

function purgeableSyncs(database: Database, horizon: number): Promise<PurgedSync[]> {
  return database.read.queries
    .selectFrom('syncs')
    .select(['id', 'source_id', 'removal'])
    .where('revision', '<=', horizon)
    .orderBy('revision')
    .limit(SYNCS_MAX)
    .execute()
}

function deleteVersions(database: Database, sync: PurgedSync): Promise<number> {
  return deleteInBatches(database, 'slots', ['key'], (slot) =>
    sync.removal === 0
      ? slot('deleted_sync', '=', sync.id)
      : slot.and([slot('source_id', '=', sync.source_id), slot('deleted_sync', 'is', null)]),
  )
}

/**
 * Searches without the write lock, since it reads all visible slots of the source, and deletes with it if no sync was open in between: a
 * sync may be about to use an offering, or to restore slots. The log as of an earlier revision reads offerings of deleted versions from
 * `dropped_offerings`.
 */
async function deleteUnusedOfferings(database: Database, sourceId: number, nowMs: number): Promise<number> {
  const before = await lastFinishedSync(database.read.queries, sourceId)
  if (before === undefined) return 0
  const unused = await findUnusedOfferings(database.read.queries, sourceId)
  let deleted = 0
  for (let at = 0; at < unused.length; at += WRITE_ROWS_MAX) {
    const ids = unused.slice(at, at + WRITE_ROWS_MAX)
    deleted += await database.transaction('kill', async ({ queries }) => {
      if ((await lastFinishedSync(queries, sourceId)) !== before) return 0
      return dropOfferings(queries, database.sqlDialect.anyOf(ids), { sourceId, nowMs })
    })
  }
  return deleted
}

/** The id of a source's last sync: 0 for a removed source, undefined while a sync is open. */
async function lastFinishedSync(queries: Kysely<Schema>, sourceId: number): Promise<number | undefined> {
  const open = await openSyncs(queries, sourceId)
  if (open.length > 0) return undefined
  const row = await queries.selectFrom('sources').select('sync_id').where('id', '=', sourceId).executeTakeFirst()
  return row?.sync_id ?? 0
}

/** `except`, because PostgreSQL evaluates `not in` per row once the list exceeds its memory. */
async function findUnusedOfferings(queries: Kysely<Schema>, sourceId: number): Promise<number[]> {
  const used = queries
    .selectFrom('slots')
    .select('offering_id as id')
    .where('source_id', '=', sourceId)
    .where('deleted_sync', 'is', null)
  const rows = await queries
    .selectFrom('offerings')
    .select('id')
    .where('source_id', '=', sourceId)
    .except(used)
    .execute()
  return rows.map((row) => row.id)
}

async function deleteSyncs(database: Database, syncs: readonly { id: number }[]): Promise<void> {
  const ids = syncs.map((sync) => sync.id)
  await database.transaction('kill', ({ queries }) =>
    queries.deleteFrom('syncs').where('id', 'in', database.sqlDialect.anyOf(ids)).execute(),
  )
}
