import { Temporal } from 'temporal-polyfill'
import { MINUTE_MS } from './time.ts'

/** A day of the calendar and its beginning. */
export interface Day {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly startMs: number
}

/** Clocks change at a quarter of an hour, everywhere since 1972. */
const STEP_MS = 15 * MINUTE_MS
const CACHED_MAX = 20_000

/** A time zone of the IANA database. */
export class TimeZone {
  readonly #name: string
  // By quarter of an hour. An import and a check ask for few of them many times, and Temporal takes some 10 µs for each.
  readonly #offsets = new Map<number, number>()
  readonly #localOffsets = new Map<number, number | 'skipped' | 'repeated'>()

  /** Throws `RangeError` if the zone is unknown. */
  constructor(name: string) {
    // Unlike the other ways to validate a name, this one accepts no date with a zone in brackets.
    this.#name = new Temporal.ZonedDateTime(0n, name).timeZoneId
  }

  /**
   * The day of an instant and the days after it, `count` in all. A day begins at its first instant: if clocks go back over
   * midnight, at the earlier of the two; if they skip midnight, at the end of the gap.
   */
  daysFrom(ms: number, count: number): Day[] {
    const first = this.#at(ms).toPlainDate()
    return Array.from({ length: count }, (_, days) => {
      const date = first.add({ days })
      return { date: date.toString(), startMs: date.toZonedDateTime(this.#name).epochMilliseconds }
    })
  }

  /** Local time minus UTC at an instant. */
  offsetMinutes(ms: number): number {
    return remembered(this.#offsets, ms, (stepMs) => this.#at(stepMs).offsetNanoseconds / 60e9)
  }

  /**
   * The offset in minutes at which clocks show a local time (in milliseconds, as if it were UTC). `skipped` if no clock shows
   * it, because clocks go forward over it; `repeated` if clocks show it twice.
   */
  localOffsetMinutes(localMs: number): number | 'skipped' | 'repeated' {
    return remembered(this.#localOffsets, localMs, (stepMs) => this.#findLocalOffset(stepMs))
  }

  #findLocalOffset(localMs: number): number | 'skipped' | 'repeated' {
    const local = Temporal.Instant.fromEpochMilliseconds(localMs).toZonedDateTimeISO('UTC').toPlainDateTime()
    const earlier = local.toZonedDateTime(this.#name, { disambiguation: 'earlier' })
    const later = local.toZonedDateTime(this.#name, { disambiguation: 'later' })
    if (earlier.equals(later)) return earlier.offsetNanoseconds / 60e9
    return earlier.toPlainDateTime().equals(local) ? 'repeated' : 'skipped'
  }

  #at(ms: number): Temporal.ZonedDateTime {
    return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(this.#name)
  }
}

/** The value for the quarter of an hour of a time, computed at its beginning unless it is in `values`. */
function remembered<Value>(values: Map<number, Value>, ms: number, compute: (stepMs: number) => Value): Value {
  const step = Math.floor(ms / STEP_MS)
  const known = values.get(step)
  if (known !== undefined) return known
  if (values.size >= CACHED_MAX) values.clear()
  const value = compute(step * STEP_MS)
  values.set(step, value)
  return value
}

/** The zone of this name; undefined if it is unknown. */
export function findTimeZone(name: string): TimeZone | undefined {
  try {
    return new TimeZone(name)
  } catch {
    return undefined
  }
}
