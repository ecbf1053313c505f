import { formatLocalTime, type LocalDay, localDays } from './local-days.ts'
import { mix } from './mix.ts'
import { DIRECTORY_TYPES, type DirectoryType, directoryLines, GUIDE } from './sample-directory.ts'
import { type SampleSchedule, type SampleState, SLOTS_PER_SCHEDULE, sampleStates } from './sample-schedules.ts'

export interface SampleSlot {
  readonly schedule: SampleSchedule
  readonly day: LocalDay
  /** In minutes of the local day. */
  readonly startMinute: number
  readonly status: SampleStatus
}

export type SampleStatus = 'free' | 'busy' | 'busy-tentative'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const WINDOW_DAYS = 30

/**
 * The complete feed of a sample publisher as a pure function of (size, seed, now).
 *
 * The seed determines whether a quarter hour of a schedule is offered, and its status in the current hour. So slots are booked,
 * canceled, withdrawn, ended and opened (30 days ahead) by the passing of time alone.
 */
export class SampleFeed {
  readonly states: readonly SampleState[]
  readonly #days = new Map<string, { hour: number; days: LocalDay[] }>()

  /** At least `slots` are published at any time, usually 5 to 15% more. */
  constructor(slots: number, seed: number) {
    this.states = sampleStates(slots, seed)
  }

  directoryTypes(): readonly DirectoryType[] {
    return DIRECTORY_TYPES
  }

  /** NDJSON lines without line breaks. */
  directory(type: DirectoryType): Iterable<string> {
    return directoryLines(type, this.states)
  }

  /** The slots of a state's schedules from the next quarter hour on, for 30 days. */
  *slots(stateCode: string, nowMs: number): Generator<SampleSlot> {
    const found = this.states.find(({ state }) => state.code === stateCode)
    if (found === undefined) return
    const days = this.#daysOf(found.state.zone, nowMs)
    for (const schedule of found.schedules) {
      for (const day of days) yield* daySlots(schedule, day, nowMs)
    }
  }

  /** UTC offsets change rarely and are slow to compute: cached for an hour. */
  #daysOf(zone: string, nowMs: number): readonly LocalDay[] {
    const hour = Math.floor(nowMs / HOUR_MS)
    const known = this.#days.get(zone)
    if (known?.hour === hour) return known.days
    const days = localDays(zone, hour * HOUR_MS, WINDOW_DAYS + 2)
    this.#days.set(zone, { hour, days })
    return days
  }
}

/** A line of a Slot file, without its line break. `origin` is where its booking page is: `http://host:port`. */
export function formatSlotLine(slot: SampleSlot, origin: string): string {
  const { schedule, day, startMinute } = slot
  const id = `${schedule.id.slice(9)}-${day.number}-${startMinute}`
  const end = startMinute + schedule.stepQuarters * 15
  const appointmentType = startMinute % 60 === 0 ? 'CHECKUP' : 'ROUTINE'
  let line = `{"resourceType":"Slot","id":"${id}","schedule":{"reference":"Schedule/${schedule.id}"}`
  line += `,"appointmentType":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v2-0276","code":"${appointmentType}"}]}`
  line += `,"status":"${slot.status}","start":"${formatLocalTime(day, startMinute)}","end":"${formatLocalTime(day, end)}"`
  line += `,"extension":[{"url":"${GUIDE}/booking-deep-link","valueUrl":"${origin}/book/${id}"}`
  line += `,{"url":"${GUIDE}/booking-phone","valueContactPoint":{"system":"phone","value":"${schedule.site.phone}"}}`
  line += `,{"url":"${GUIDE}/patient-type","valueCoding":{"system":"http://terminology.hl7.org/CodeSystem/accepting-patients","code":"${schedule.patientType}"}}`
  return `${line}]}`
}

function* daySlots(schedule: SampleSchedule, day: LocalDay, nowMs: number): Generator<SampleSlot> {
  if (day.isWeekend && !schedule.weekends) return
  const offered = offeredBelow(schedule)
  for (let quarter = schedule.opens; quarter < schedule.closes; quarter += schedule.stepQuarters) {
    const mixed = mix(schedule.mixed, day.number * 96 + quarter)
    if (mixed >= offered) continue
    const startMs = day.midnightMs + quarter * 900_000
    if (startMs <= nowMs || startMs >= nowMs + WINDOW_DAYS * DAY_MS) continue
    const status = statusAt(mix(mixed, 1), nowMs)
    if (status !== undefined) yield { schedule, day, startMinute: quarter * 15, status }
  }
}

/** The hash threshold below which a quarter hour is offered, sufficient for the 30 days with the fewest working days. */
function offeredBelow(schedule: SampleSchedule): number {
  const perDay = (schedule.closes - schedule.opens) / schedule.stepQuarters
  const days = schedule.weekends ? 29 : 19.5
  return Math.min(1, SLOTS_PER_SCHEDULE / 0.95 / (perDay * days)) * 2 ** 32
}

/** Each slot's status hour starts at a different minute, so about five of 50,000 slots change every second. */
function statusAt(mixed: number, nowMs: number): SampleStatus | undefined {
  const drawn = mix(mixed, Math.floor((nowMs + (mixed % HOUR_MS)) / HOUR_MS)) % 100
  if (drawn < 5) return undefined
  if (drawn < 30) return 'busy'
  return drawn < 33 ? 'busy-tentative' : 'free'
}
