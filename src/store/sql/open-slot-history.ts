import type { Kysely } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import {
  HISTORY_POINTS,
  type HistorySpan,
  type OpenCounts,
  type OpenSlotHistory,
  type OpenSlotSeries,
} from '../contracts/open-slot-history.ts'
import type { OpenSlotHistoryRow, Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** `OpenSlotHistory` over any database. */
export class SqlOpenSlotHistory extends SqlStore implements OpenSlotHistory {
  async uncounted(atMs: number, slugs: readonly string[]): Promise<string[]> {
    if (slugs.length === 0) return []
    const { rowMs, stepMs } = GRAINS.hours
    const at = Math.floor((atMs % rowMs) / stepMs)
    const sources = await findSources(this.queries, slugs)
    const rows = await readRows(this.queries, 'hours', atMs)
    return sources.filter(({ id }) => rows.get(id)?.['']?.[at] == null).map(({ slug }) => slug)
  }

  /** Short transactions keep the write lock free; counting again is harmless. */
  async put(atMs: number, counts: ReadonlyMap<string, OpenCounts>): Promise<void> {
    const { queries } = this
    const sources = await findSources(queries, [...counts.keys()])
    const hours = await readRows(queries, 'hours', atMs)
    const days = await readRows(queries, 'days', atMs)
    for (let from = 0; from < sources.length; from += SOURCES_PER_INSERT) {
      const rows = sources.slice(from, from + SOURCES_PER_INSERT).flatMap(({ id, slug }) => {
        const ofHours = withPoint(hours.get(id), GRAINS.hours, { atMs, counts: counts.get(slug) ?? NONE })
        const ofDays = withPoint(days.get(id), GRAINS.days, { atMs, counts: meansOf(ofHours) })
        return [rowOf(id, 'hours', { atMs, counts: ofHours }), rowOf(id, 'days', { atMs, counts: ofDays })]
      })
      await this.database.transaction('kill', (writer) => writeRows(writer.queries, rows))
    }
    await this.database.transaction('kill', (writer) => forgetOld(writer.queries, atMs))
  }

  async read(sourceId: number, span: HistorySpan, nowMs: number): Promise<OpenSlotSeries> {
    const grain = GRAINS[span]
    const fromMs = floor(nowMs, grain.stepMs) - (grain.points - 1) * grain.stepMs
    const rows = await this.queries
      .selectFrom('open_slot_history')
      .select(['from_ms', 'counts'])
      .where('source_id', '=', sourceId)
      .where('span', '=', span)
      .where('from_ms', '>', fromMs - grain.rowMs)
      .execute()
    const series = pointsOf(
      rows.map((row) => ({ fromMs: row.from_ms, counts: JSON.parse(row.counts) })),
      fromMs,
      grain,
    )
    return { fromMs, stepMs: grain.stepMs, series }
  }
}

/** Two rows each, in one statement. */
const SOURCES_PER_INSERT = 250

const NONE: OpenCounts = new Map([['', 0]])

function floor(atMs: number, stepMs: number): number {
  return Math.floor(atMs / stepMs) * stepMs
}

async function findSources(queries: Kysely<Schema>, slugs: readonly string[]) {
  const wanted = new Set(slugs)
  const sources = await queries.selectFrom('sources').select(['id', 'slug']).execute()
  return sources.filter(({ slug }) => wanted.has(slug))
}

/** A day's point is the mean of its hours, so far. */
function meansOf(hours: Counts): OpenCounts {
  return new Map(
    Object.entries(hours).map(([state, points]) => {
      const counted = points.filter((point) => point !== null)
      return [state, Math.round(counted.reduce((sum, point) => sum + point, 0) / counted.length)]
    }),
  )
}

async function readRows(queries: Kysely<Schema>, span: HistorySpan, atMs: number): Promise<Map<number, Counts>> {
  const rows = await queries
    .selectFrom('open_slot_history')
    .select(['source_id', 'counts'])
    .where('span', '=', span)
    .where('from_ms', '=', floor(atMs, GRAINS[span].rowMs))
    .execute()
  return new Map(rows.map((row) => [row.source_id, JSON.parse(row.counts)]))
}

function rowOf(
  sourceId: number,
  span: HistorySpan,
  { atMs, counts }: { atMs: number; counts: Counts },
): OpenSlotHistoryRow {
  const fromMs = floor(atMs, GRAINS[span].rowMs)
  return { source_id: sourceId, span, from_ms: fromMs, counts: JSON.stringify(counts) }
}

/** Leaves out sources that were removed meanwhile. */
async function writeRows(queries: Kysely<Schema>, rows: readonly OpenSlotHistoryRow[]): Promise<void> {
  const ids = await queries
    .selectFrom('sources')
    .select('id')
    .where('id', 'in', [...new Set(rows.map((row) => row.source_id))])
    .execute()
  const there = new Set(ids.map(({ id }) => id))
  const kept = rows.filter((row) => there.has(row.source_id))
  if (kept.length === 0) return
  await queries
    .insertInto('open_slot_history')
    .values(kept)
    .onConflict((conflict) =>
      conflict.columns(['source_id', 'span', 'from_ms']).doUpdateSet((row) => ({ counts: row.ref('excluded.counts') })),
    )
    .execute()
}

async function forgetOld(queries: Kysely<Schema>, atMs: number): Promise<void> {
  for (const [span, grain] of Object.entries(GRAINS) as [HistorySpan, Grain][]) {
    await queries
      .deleteFrom('open_slot_history')
      .where('span', '=', span)
      .where('from_ms', '<=', atMs - grain.points * grain.stepMs - grain.rowMs)
      .execute()
  }
}

/** The storage of a span: a point per `stepMs`, a row per `rowMs`. */
interface Grain {
  readonly stepMs: number
  readonly rowMs: number
  readonly points: number
}

/** Rows are small enough to be rewritten with each point, and large enough to be few. */
const GRAINS: Readonly<Record<HistorySpan, Grain>> = {
  hours: { stepMs: HOUR_MS, rowMs: DAY_MS, points: HISTORY_POINTS.hours },
  days: { stepMs: DAY_MS, rowMs: 32 * DAY_MS, points: HISTORY_POINTS.days },
}

/** The points of a row by state, all of equal length; the empty string is the total. */
type Counts = Readonly<Record<string, readonly (number | null)[]>>

/** A bound on states per source, above the number of states. */
const STATES_MAX = 80

/** The row with the counts of one point added. A state without a count has 0. */
function withPoint(
  row: Counts | undefined,
  { stepMs, rowMs }: Grain,
  { atMs, counts }: { atMs: number; counts: OpenCounts },
): Counts {
  const at = Math.floor((atMs % rowMs) / stepMs)
  const length = Math.max(at + 1, row?.['']?.length ?? 0)
  const known = row?.[''] ?? []
  const states = [...new Set(['', ...Object.keys(row ?? {}), ...counts.keys()])].slice(0, STATES_MAX)
  return Object.fromEntries(
    states.map((state) => {
      const old = row?.[state]
      // A state that first appears now had 0 in earlier counts.
      const before = (place: number) => old?.[place] ?? (known[place] == null ? null : 0)
      const points = Array.from({ length }, (_, place) => (place === at ? (counts.get(state) ?? 0) : before(place)))
      return [state, points]
    }),
  )
}

/** The points of some rows on one time axis. */
function pointsOf(
  rows: readonly { fromMs: number; counts: Counts }[],
  fromMs: number,
  { stepMs, points }: Grain,
): Map<string, (number | null)[]> {
  const series = new Map<string, (number | null)[]>([['', Array.from({ length: points }, () => null)]])
  for (const row of rows) {
    for (const [state, counts] of Object.entries(row.counts)) {
      const line = series.get(state) ?? Array.from({ length: points }, () => null)
      series.set(state, line)
      const first = Math.round((row.fromMs - fromMs) / stepMs)
      for (const [at, count] of counts.entries()) if (first + at in line) line[first + at] = count
    }
  }
  return withNone(series)
}

/** A state missing from a count had 0. */
function withNone(series: Map<string, (number | null)[]>): Map<string, (number | null)[]> {
  const all = series.get('') ?? []
  for (const line of series.values()) {
    for (const [at, count] of all.entries()) if (count !== null) line[at] ??= 0
  }
  return series
}
