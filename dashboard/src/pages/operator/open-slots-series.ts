import { DAY_MS } from '../../../../src/lib/time.ts'
import type { OpenSlotsView } from '../../../../src/shared/contract/sources.ts'
import { formatCount } from '../../components/format.ts'
import { LOCALE } from '../../components/locale.ts'
import { otherZone } from '../../components/visitor-time.ts'

/** The time range of the chart. */
export type OpenSlotsRange = '14d' | '400d'

/** One line of the chart. */
export interface OpenLine {
  /** A state, or the empty string for all slots. */
  readonly state: string
  readonly label: string
  readonly color: string
  /** Lines also differ in their dashes; undefined is solid. */
  readonly dashes: string | undefined
  readonly counts: readonly (number | null)[]
}

/** More lines would be hard to tell apart. */
const STATES_MAX = 6

const DASHES = ['7 3', '2 3', '9 3 2 3', '4 4', '12 4', '2 2 6 2']

/** All slots first, then the selected state or the top states. */
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

/** The counts of all lines at one time. */
export interface OpenPoint {
  readonly atMs: number
  readonly counts: readonly (number | null)[]
}

/** The points from the first count on, oldest first. */
export function openPoints({ fromMs, stepMs, all }: OpenSlotsView, lines: readonly OpenLine[]): OpenPoint[] {
  const first = all.findIndex((count) => count !== null)
  if (first === -1) return []
  return all
    .map((_, n) => ({ atMs: fromMs + n * stepMs, counts: lines.map(({ counts }) => counts[n] ?? null) }))
    .slice(first)
}

/** The chart's text alternative. */
export function openSlotsSummary(points: readonly OpenPoint[]): string {
  const counts = points.flatMap(({ counts: [all] }) => (all === null || all === undefined ? [] : [all]))
  const last = counts[counts.length - 1] ?? 0
  return `Open slots: between ${formatCount(Math.min(...counts))} and ${formatCount(Math.max(...counts))}, ${formatCount(last)} at the end`
}

const hour = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
// The server's days are in UTC: in the visitor's zone, they could show the previous date.
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })
const tick = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' })
const dayTick = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** The full time of a count. */
export function pointLabel(atMs: number, span: OpenSlotsRange): string {
  return span === '14d' ? hour.format(atMs) + otherZone(new Date(atMs)) : day.format(atMs)
}

/** Axis labels; with the hour if the chart spans at most two days. */
export function tickFormat(span: OpenSlotsRange, lengthMs: number): (atMs: number) => string {
  if (span === '400d') return (atMs) => dayTick.format(atMs)
  return lengthMs <= 2 * DAY_MS ? (atMs) => hour.format(atMs) : (atMs) => tick.format(atMs)
}
