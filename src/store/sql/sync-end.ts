import { type Kysely, type SqlBool, sql, type Updateable } from 'kysely'
import { defined } from '../../lib/optional.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { AnomalyKind } from '../../shared/source-vocabulary.ts'
import type { SnapshotWriter, SyncEnd } from '../contracts/snapshots.ts'
import {
  type AnomalyAssessment,
  CHANGE_GAP_DAYS_MAX,
  type ChangeGap,
  type HeldSnapshot,
} from '../contracts/source-watch.ts'
import {
  type FinishedSync,
  isRejecting,
  SLOW_MS,
  type SourceState,
  type StoredRejection,
  SYNC_HISTORY_MAX,
} from '../contracts/sources.ts'
import { deleteBeyondNewest } from './batches.ts'
import type { Lease } from './lease.ts'
import { fromRow } from './row-mapping.ts'
import type { Schema, SourceRow } from './schema.ts'

/** The slots of the current snapshots of all other sources. */
export async function countOtherSlots(queries: Kysely<Schema>, sourceId: number): Promise<number> {
  const { count } = await queries
    .selectFrom('sources')
    .select(({ fn }) => fn.sum('slot_count').as('count'))
    .where('id', '<>', sourceId)
    .executeTakeFirstOrThrow()
  return Number(count ?? 0)
}

/** The changes to a source's row at a commit. `changedAtMs`: undefined if no slot changed. */
export function committedChanges(
  before: SourceState,
  { connectorState, lastEndMs, outcome, messages = [] }: Parameters<SnapshotWriter['commit']>[0],
  now: { slotCount: number; changedAtMs: number | undefined },
): Updateable<SourceRow> {
  return {
    messages: JSON.stringify(messages),
    connector_state: connectorState === undefined ? null : JSON.stringify(connectorState),
    slot_count: now.slotCount,
    last_end_ms: lastEndMs ?? null,
    last_read: JSON.stringify(outcome),
    rejecting: isRejecting(outcome) ? 1 : 0,
    held_snapshot: null,
    next_approved: 0,
    ...(now.changedAtMs !== undefined && {
      changed_at_ms: now.changedAtMs,
      change_gaps: JSON.stringify(withChangeGap(before, now.changedAtMs)),
    }),
  }
}

/**
 * The changes to a source's row when a sync kept the snapshot. Unless it failed or held a snapshot, an earlier held
 * snapshot is dropped.
 */
export function abandonedChanges(
  before: SourceState,
  { outcome, held, messages }: Parameters<SnapshotWriter['abandon']>[0],
  nowMs: number,
): Updateable<SourceRow> {
  if (outcome.outcome === 'failed') return {}
  if (held === undefined) {
    return { held_snapshot: null, next_approved: 0, ...(messages && { messages: JSON.stringify(messages) }) }
  }
  const { held: last } = before.watch
  const isFirst = last === undefined || held.differsFromHeld === true
  const snapshot: HeldSnapshot = {
    anomalies: held.anomalies,
    sinceMs: isFirst ? Math.max(nowMs, (last?.sinceMs ?? 0) + 1) : last.sinceMs,
    atMs: nowMs,
    before: before.slotCount,
    after: held.slotCount,
    ...defined({ comparison: held.comparison }),
  }
  return { held_snapshot: JSON.stringify(snapshot), ...(isFirst && { next_approved: 0 }) }
}

/** Releases the lease and records the outcome and `changes`, in the transaction that ends the sync. `source`: before it. */
export async function endSource(
  queries: Kysely<Schema>,
  { source, end, nowMs }: { source: SourceState; end: SyncEnd; nowMs: number },
  changes: Updateable<SourceRow>,
): Promise<void> {
  const { outcome, nextSyncAtMs } = end
  const isGood = outcome.outcome !== 'failed' && outcome.outcome !== 'held'
  const assessed = isGood ? await assessmentChanges(queries, source.id, end.assessment ?? NOTHING) : {}
  await queries
    .updateTable('sources')
    .set((expression) => ({
      ...changes,
      ...assessed,
      failures: outcome.outcome === 'failed' ? expression('failures', '+', end.isStopped ? 0 : 1) : 0,
      ...(outcome.outcome !== 'failed' && { last_checked_at_ms: nowMs }),
      ...defined({ published_at_ms: end.publishedAtMs }),
      last_sync: JSON.stringify(outcome),
      slow: outcome.durationMs > SLOW_MS ? 1 : 0,
      // An operator may have made it due meanwhile: this sync may have read the feed before.
      next_sync_at_ms: expression
        .case()
        .when('next_sync_at_ms', '=', source.nextSyncAtMs)
        .then(expression.lit(nextSyncAtMs))
        .else(expression.ref('next_sync_at_ms'))
        .end(),
      lease_owner: null,
      lease_until_ms: 0,
    }))
    .where('id', '=', source.id)
    .execute()
}

const NOTHING: AnomalyAssessment = { anomalies: [], ongoing: [], approved: false }

/** Reads the approved anomalies now, since the operator may have approved during the sync. */
async function assessmentChanges(
  queries: Kysely<Schema>,
  sourceId: number,
  { anomalies, ongoing, approved }: AnomalyAssessment,
): Promise<Updateable<SourceRow>> {
  const row = await queries
    .selectFrom('sources')
    .select('approved')
    .where('id', '=', sourceId)
    .executeTakeFirstOrThrow()
  const before: readonly AnomalyKind[] = JSON.parse(row.approved)
  const stillApproved = approved ? ongoing : ongoing.filter((kind) => before.includes(kind))
  return { anomalies: JSON.stringify(anomalies), approved: JSON.stringify(stillApproved) }
}

function withChangeGap({ changedAtMs, watch }: SourceState, nowMs: number): readonly ChangeGap[] {
  if (changedAtMs === undefined) return watch.changeGaps
  const day = Math.floor(nowMs / DAY_MS)
  const ofToday = watch.changeGaps.find((pause) => pause.day === day)?.longestMs ?? 0
  const others = watch.changeGaps.filter((pause) => pause.day !== day)
  const today = { day, longestMs: Math.max(ofToday, nowMs - changedAtMs) }
  return [...others, today].slice(-CHANGE_GAP_DAYS_MAX)
}

const KEPT = { table: 'sync_history', id: 'sync_id', keep: SYNC_HISTORY_MAX } as const

/**
 * Adds a finished sync and deletes all but the newest `SYNC_HISTORY_MAX` of its source, in the transaction that ends the sync. The last two
 * with slots stay: what the source had before it was empty tells the change log whether it recovers.
 */
export async function writeHistory(queries: Kysely<Schema>, of: Lease, past: FinishedSync): Promise<void> {
  const { slotCount, ...outcome } = past
  await queries
    .insertInto('sync_history')
    .values({
      sync_id: of.syncId,
      source_id: of.sourceId,
      outcome: JSON.stringify(outcome),
      slot_count: slotCount,
    })
    .execute()
  const withSlots = sql<SqlBool>`sync_id in (
    select sync_id from sync_history where source_id = ${of.sourceId} and slot_count > 0 order by sync_id desc limit 2)`
  await deleteBeyondNewest(queries, KEPT, { source_id: of.sourceId }, withSlots)
}

/** Newest first. */
export async function readHistory(queries: Kysely<Schema>, sourceId: number): Promise<FinishedSync[]> {
  const rows = await queries
    .selectFrom('sync_history')
    .select(['outcome', 'slot_count'])
    .where('source_id', '=', sourceId)
    .orderBy('sync_id', 'desc')
    .limit(SYNC_HISTORY_MAX)
    .execute()
  return rows.map((row) => ({ ...JSON.parse(row.outcome), slotCount: row.slot_count }))
}

/** Ordered by file and line, or as they were stored. */
export async function readRejections(
  queries: Kysely<Schema>,
  sourceId: number,
  order: 'by line' | 'as stored' = 'by line',
): Promise<StoredRejection[]> {
  const rejections = queries
    .selectFrom('rejections')
    .select(['file', 'line', 'reason', 'sample'])
    .where('source_id', '=', sourceId)
  const ordered = order === 'by line' ? rejections.orderBy('file').orderBy('line') : rejections
  const rows = await ordered.orderBy('position').execute()
  return rows.map(fromRow)
}

/** Below SQLite's bound of 32,766 parameters in a statement, and PostgreSQL's of 65,535. */
const REJECTIONS_PER_INSERT = 1_000

export async function replaceRejections(
  queries: Kysely<Schema>,
  sourceId: number,
  rejections: readonly StoredRejection[],
): Promise<void> {
  await queries.deleteFrom('rejections').where('source_id', '=', sourceId).execute()
  for (let at = 0; at < rejections.length; at += REJECTIONS_PER_INSERT) {
    const rows = rejections.slice(at, at + REJECTIONS_PER_INSERT).map(({ file, line, reason, sample }, index) => ({
      source_id: sourceId,
      position: at + index,
      file,
      line,
      reason,
      sample,
    }))
    await queries.insertInto('rejections').values(rows).execute()
  }
}
