import { visitorZone } from './local-time.ts'
import { type Clock, clockName, clockOffset, formatByClock, placeClock } from './place-clock.ts'

/** The clock that slot times are shown by: the slot's place, the visitor's, or UTC. */
export const TIME_VIEWS = ['place', 'mine', 'utc'] as const
export type TimeView = (typeof TIME_VIEWS)[number]

/** The start of a slot for people. */
export interface SlotTimes {
  /** "Nov 25, 2026, 9:00 AM HST". */
  readonly start: string
  /** "Wednesday". */
  readonly weekday: string
  /** By the other clock, if it shows another time: "2:00 PM your time", with the weekday if that differs. */
  readonly other?: string
}

/** The start of a slot by the clock of the view, and by the visitor's, or else the place's. */
export function slotTimes(
  slot: Parameters<typeof placeClock>[0],
  view: TimeView,
  mine: Clock = visitorZone(),
): SlotTimes {
  const ms = Date.parse(slot.start)
  const place = placeClock(slot)
  const clock = view === 'place' ? place : view === 'mine' ? mine : 'UTC'
  const other = view === 'place' ? mine : place
  const weekday = formatByClock(ms, clock, { weekday: 'long' })
  return {
    start: `${formatByClock(ms, clock, { dateStyle: 'medium', timeStyle: 'short' })} ${clockName(ms, clock)}`,
    weekday,
    ...(clockOffset(clock, ms) !== clockOffset(other, ms) && { other: otherTime(ms, { clock, other, view }) }),
  }
}

function otherTime(ms: number, by: { clock: Clock; other: Clock; view: TimeView }): string {
  const { clock, other, view } = by
  const dayOf = (one: Clock) => formatByClock(ms, one, { weekday: 'short' })
  const day = dayOf(clock) === dayOf(other) ? '' : `${dayOf(other)} `
  const name = view === 'place' ? 'your time' : clockName(ms, other)
  return `${day}${formatByClock(ms, other, { timeStyle: 'short' })} ${name}`
}
