/** The period that the slots of a Schedule cover (`Schedule.planningHorizon`): FHIR dateTimes as published, at least one. */
export interface PlanningHorizon {
  readonly start?: string
  readonly end?: string
}

/** By the ids of Schedules. */
export type ScheduleHorizons = ReadonlyMap<string, PlanningHorizon>

/** The planning horizons of a publisher's Schedules. */
export interface PublishedHorizons {
  readonly publisher: string
  /** Since when. */
  readonly revision: number
  /** See `encodeHorizons()`; empty if there are none any more. */
  readonly content: string
}

/** The planning horizons of a publication: of all Schedules, or of those that changed (undefined: none any more). */
export interface HorizonChanges {
  readonly isWhole: boolean
  readonly bySchedule: ReadonlyMap<string, PlanningHorizon | undefined>
}

/** The horizons after a publication. One that moved within a day stays: servers may move it with every response. */
export function applyHorizons(before: ScheduleHorizons, { isWhole, bySchedule }: HorizonChanges): ScheduleHorizons {
  const after = new Map(isWhole ? [] : before)
  for (const [id, horizon] of bySchedule) {
    const known = before.get(id)
    if (horizon === undefined) after.delete(id)
    else after.set(id, known !== undefined && daysOf(known) === daysOf(horizon) ? known : horizon)
  }
  return after
}

/** The dates of a horizon. */
export function daysOf({ start = '', end = '' }: PlanningHorizon): string {
  return periodText({ start: start.slice(0, DATE_LENGTH), end: end.slice(0, DATE_LENGTH) })
}

const DATE_LENGTH = '2030-12-31'.length

/** JSON of the ids of each period, in order: equal horizons have equal texts. Empty without any. */
export function encodeHorizons(horizons: ScheduleHorizons): string {
  if (horizons.size === 0) return ''
  const idsByPeriod = Map.groupBy([...horizons.keys()].sort(), (id) => periodText(horizons.get(id)))
  return JSON.stringify([...idsByPeriod].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The inverse of `encodeHorizons()`. */
export function decodeHorizons(text: string): ScheduleHorizons {
  const entries: readonly (readonly [string, readonly string[]])[] = text === '' ? [] : JSON.parse(text)
  return new Map(
    entries.flatMap(([period, ids]) => {
      const horizon = horizonOf(period)
      return ids.map((id) => [id, horizon] as const)
    }),
  )
}

/** The ids of the Schedules whose horizons differ. */
export function changedHorizons(before: ScheduleHorizons, after: ScheduleHorizons): ReadonlySet<string> {
  const ids = [...before.keys(), ...after.keys()]
  return new Set(ids.filter((id) => periodText(before.get(id)) !== periodText(after.get(id))))
}

/** A dateTime has no slash. */
function periodText({ start = '', end = '' }: PlanningHorizon = {}): string {
  return `${start}/${end}`
}

function horizonOf(period: string): PlanningHorizon {
  const [start, end] = period.split('/')
  return { ...(start && { start }), ...(end && { end }) }
}
