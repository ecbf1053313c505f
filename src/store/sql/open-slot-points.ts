import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { HISTORY_POINTS, type HistorySpan, type OpenCounts } from '../contracts/open-slot-history.ts'

/** How a span is stored: a point each `stepMs`, and a row for each `rowMs`. */
export interface Grain {
  readonly stepMs: number
  readonly rowMs: number
  readonly points: number
}

/** A row is small enough to be written anew with each point, and holds enough of them that there are few. */
export const GRAINS: Readonly<Record<HistorySpan, Grain>> = {
  hours: { stepMs: HOUR_MS, rowMs: DAY_MS, points: HISTORY_POINTS.hours },
  days: { stepMs: DAY_MS, rowMs: 32 * DAY_MS, points: HISTORY_POINTS.days },
}

/** The points of a row by state, all from the row's first on and equally many; the empty text stands for all slots. */
export type Counts = Readonly<Record<string, readonly (number | null)[]>>

/** A source has slots in no more states than this; there are fewer of them. */
const STATES_MAX = 80

/** The row with the counts of one point. A state without a count has none in it. */
export function withPoint(
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
      // What was counted when nobody knew the state was none of it.
      const before = (place: number) => old?.[place] ?? (known[place] == null ? null : 0)
      const points = Array.from({ length }, (_, place) =>
        place === at ? (counts.get(state) ?? 0) : before(place),
      )
      return [state, points]
    }),
  )
}

/** The points of some rows on one line of time. */
export function pointsOf(
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

/** Where all were counted, and a state does not appear, there were none in it. */
function withNone(series: Map<string, (number | null)[]>): Map<string, (number | null)[]> {
  const all = series.get('') ?? []
  for (const line of series.values()) {
    for (const [at, count] of all.entries()) if (count !== null) line[at] ??= 0
  }
  return series
}
