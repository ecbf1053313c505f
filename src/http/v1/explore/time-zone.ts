import { DAY_MS } from '../../../lib/time.ts'

/** A day of the calendar, and when it begins. */
export interface Day {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly startMs: number
}

/** Days as they begin and end in one place of the world. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat

  /** `name` is an IANA zone. Throws `RangeError` if there is none such. */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  }

  /** The day that a moment belongs to, and as many after it as are wanted. */
  daysFrom(ms: number, count: number): Day[] {
    const first = Math.floor((ms + this.#offsetMs(ms)) / DAY_MS) * DAY_MS
    return Array.from({ length: count }, (_, n) => {
      const midnight = first + n * DAY_MS
      return { date: new Date(midnight).toISOString().slice(0, 10), startMs: this.#startOfDay(midnight) }
    })
  }

  /**
   * The first moment of a local day, given as if its midnight were one of UTC. Where clocks go back over midnight there are
   * two, and the earlier counts; where they skip it, the day begins at the skip.
   */
  #startOfDay(midnight: number): number {
    const candidates = [midnight - DAY_MS, midnight + DAY_MS].map((near) => midnight - this.#offsetMs(near))
    return Math.min(...candidates.filter((ms) => ms + this.#offsetMs(ms) >= midnight))
  }

  /** Local time less UTC. */
  #offsetMs(ms: number): number {
    const parts = Object.fromEntries(
      this.#format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]),
    )
    const { year, month, day, hour, minute, second } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
  }
}
