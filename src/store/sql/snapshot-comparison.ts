import { defined } from '../../lib/optional.ts'
import { statesOf } from '../../slot/filter-values.ts'
import type { Offering } from '../../slot/slot.ts'
import {
  LOST_SLOTS_SHOWN,
  type LostSlot,
  REGIONS_COMPARED_MAX,
  type SnapshotComparison,
  type SnapshotSummary,
} from '../contracts/source-watch.ts'
import type { Database, SyncOfSource } from './database.ts'

/** The snapshot that is served beside the one that a sync wrote, before the sync ends. Reads every row of the source once. */
export async function compareSnapshots(
  database: Database,
  of: SyncOfSource,
  nowMs: number,
): Promise<SnapshotComparison> {
  const groups = await readGroups(database, of)
  const lost = await readLost(database, of, nowMs)
  const ids = new Set([...groups, ...lost].map(({ offeringId }) => offeringId))
  const offerings = await readOfferings(database, [...ids])
  return {
    served: summaryOf(
      groups.filter(({ isServed }) => isServed),
      offerings,
    ),
    held: summaryOf(
      groups.filter(({ isHeld }) => isHeld),
      offerings,
    ),
    lost: lost.map(({ startMs, offeringId }) => lostSlot(startMs, offerings.get(offeringId))),
  }
}

/** Slots of one offering. Those that the sync deleted are served, those that it inserted are held, the others are both. */
interface OfferingSlots {
  readonly offeringId: number
  readonly slots: number
  readonly firstMs: number
  readonly lastMs: number
  readonly isServed: boolean
  readonly isHeld: boolean
}

async function readGroups(database: Database, { sourceId, syncId }: SyncOfSource): Promise<readonly OfferingSlots[]> {
  const grouped = () =>
    database.read.queries
      .selectFrom('slots')
      .select('offering_id')
      .select(({ fn }) => [
        fn.countAll().as('slots'),
        fn.min('start_ms').as('first_ms'),
        fn.max('start_ms').as('last_ms'),
      ])
      .groupBy('offering_id')
  const ofSource = () => grouped().where('deleted_sync', 'is', null).where('source_id', '=', sourceId)
  const kept = await ofSource().where('inserted_sync', '<>', syncId).execute()
  const inserted = await ofSource().where('inserted_sync', '=', syncId).execute()
  const deleted = await grouped().where('deleted_sync', '=', syncId).execute()
  const view = (rows: typeof kept, isServed: boolean, isHeld: boolean) =>
    rows.map((row) => ({
      offeringId: row.offering_id,
      slots: Number(row.slots),
      firstMs: Number(row.first_ms),
      lastMs: Number(row.last_ms),
      isServed,
      isHeld,
    }))
  return [...view(kept, true, true), ...view(inserted, false, true), ...view(deleted, true, false)]
}

/** The next of the slots that the sync deleted, without those that changed. */
async function readLost(
  database: Database,
  { syncId }: SyncOfSource,
  nowMs: number,
): Promise<readonly { offeringId: number; startMs: number }[]> {
  const rows = await database.read.queries
    .selectFrom('slots')
    .select(['offering_id', 'start_ms'])
    .where('deleted_sync', '=', syncId)
    .where('end_ms', '>', nowMs)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('slots as newer').select('newer.key').whereRef('newer.replaces', '=', 'slots.key'))),
    )
    .orderBy('start_ms')
    .orderBy('key')
    .limit(LOST_SLOTS_SHOWN)
    .execute()
  return rows.map((row) => ({ offeringId: row.offering_id, startMs: row.start_ms }))
}

const OFFERINGS_PER_READ = 1000

async function readOfferings(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, Offering>> {
  const offerings = new Map<number, Offering>()
  for (let at = 0; at < ids.length; at += OFFERINGS_PER_READ) {
    const rows = await database.read.queries
      .selectFrom('offerings')
      .select(['id', 'json'])
      .where('id', 'in', database.sqlDialect.anyOf(ids.slice(at, at + OFFERINGS_PER_READ)))
      .execute()
    for (const { id, json } of rows) offerings.set(id, JSON.parse(json))
  }
  return offerings
}

function summaryOf(groups: readonly OfferingSlots[], offerings: ReadonlyMap<number, Offering>): SnapshotSummary {
  const byState = new Map<string, number>()
  for (const { offeringId, slots } of groups) {
    for (const state of statesOf(offerings.get(offeringId) ?? {})) byState.set(state, (byState.get(state) ?? 0) + slots)
  }
  const states = [...byState].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1))
  return {
    slots: groups.reduce((sum, { slots }) => sum + slots, 0),
    states: states.slice(0, REGIONS_COMPARED_MAX).map(([state]) => state),
    ...(groups.length > 0 && {
      firstStartMs: groups.reduce((least, { firstMs }) => Math.min(least, firstMs), Number.POSITIVE_INFINITY),
      lastStartMs: groups.reduce((most, { lastMs }) => Math.max(most, lastMs), 0),
    }),
  }
}

function lostSlot(startMs: number, offering: Offering | undefined): LostSlot {
  const { location, serviceTypeText, serviceTypeCode } = offering ?? {}
  return {
    startMs,
    ...defined({
      location: location?.name,
      city: location?.city,
      state: location?.state,
      serviceType: serviceTypeText ?? serviceTypeCode,
    }),
  }
}
