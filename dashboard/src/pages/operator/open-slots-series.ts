import { DAY_MS } from '../../../../src/lib/time.ts'
import type { OpenSlotsView } from '../../../../src/shared/source-shapes.ts'

/** How far back open slots are shown. */
export type OpenSlotsRange = '14d' | '400d'

/** One line of the picture of open slots. */
export interface OpenLine {
  /** A state, or the empty text for all slots. */
  readonly state: string
  readonly label: string
  readonly color: string
  /** Lines differ in their strokes too; undefined is drawn through. */
  readonly dashes: string | undefined
  readonly counts: readonly (number | null)[]
}

/** Six states and all of them together: more lines nobody could tell apart. */
const STATES_MAX = 6

const DASHES = ['7 3', '2 3', '9 3 2 3', '4 4', '12 4', '2 2 6 2']

/** All slots first, then one state, or where none is asked for those with the most. */
export function openLines({ all, states }: OpenSlotsView, only: string): OpenLine[] {
  const shown = only === '' ? states.slice(0, STATES_MAX) : states.filter(({ state }) => state === only)
  return [
    { state: '', label: 'All open slots', color: 'var(--bar-1)', dashes: undefined, counts: all },
    ...shown.map(({ state, counts }, n) => ({
      state,
      label: state,
      color: `var(--bar-${n + 2})`,
      dashes: DASHES[n],
      counts,
    })),
  ]
}

/** What was counted at one time: a count for each line. */
export interface OpenPoint {
  readonly atMs: number
  readonly counts: readonly (number | null)[]
}

/** The points from the first that was counted on, oldest first: what was before the source is not drawn. */
export function openPoints({ fromMs, stepMs, all }: OpenSlotsView, lines: readonly OpenLine[]): OpenPoint[] {
  const first = all.findIndex((count) => count !== null)
  if (first === -1) return []
  return all
    .map((_, n) => ({ atMs: fromMs + n * stepMs, counts: lines.map(({ counts }) => counts[n] ?? null) }))
    .slice(first)
}

/** What the picture shows, in a sentence for those who do not see it. */
export function openSlotsSummary(points: readonly OpenPoint[]): string {
  const counts = points.flatMap(({ counts: [all] }) => (all === null || all === undefined ? [] : [all]))
  const last = counts[counts.length - 1] ?? 0
  return `Open slots: between ${Math.min(...counts).toLocaleString()} and ${Math.max(...counts).toLocaleString()}, ${last.toLocaleString()} at the end`
}

const hour = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
// The service's days are those of UTC: in the visitor's zone they would be named after the day before.
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const tick = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const dayTick = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** The time of a count, in full. */
export function pointLabel(atMs: number, span: OpenSlotsRange): string {
  return span === '14d' ? hour.format(atMs) : day.format(atMs)
}

/** What stands below a chart; with the hour where all of it is within two days. */
export function tickFormat(span: OpenSlotsRange, lengthMs: number): (atMs: number) => string {
  if (span === '400d') return (atMs) => dayTick.format(atMs)
  return lengthMs <= 2 * DAY_MS ? (atMs) => hour.format(atMs) : (atMs) => tick.format(atMs)
}
