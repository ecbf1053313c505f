const TICK_MS = 20

/** If a timer of `TICK_MS` is late by this much, the process had no processor. */
const STARVED_MS = 150

/** The subject of periods in which this process had no processor, so that its measurements mean nothing. */
export const STARVED = 'machine'

/** The subject of periods in which the standby is asynchronous, so that confirmed changes may be lost. */
export const LOSS = 'loss'

/** The subject of the periods after an outage of the database in which nodes reconnect. */
export const RECONNECTING = 'reconnecting'

/** The periods in which a part was unavailable because of a fault, or this process had no processor. Times are of `performance.now()`. */
export class Outages {
  readonly #periods: { readonly subject: string; readonly fromMs: number; toMs: number }[] = []

  /** The total time for which this process had no processor. */
  starvedMs = 0
  readonly #ticking: NodeJS.Timeout
  #tickedAtMs = performance.now()

  constructor() {
    this.#ticking = setInterval(() => this.#tick(), TICK_MS)
  }

  stop(): void {
    clearInterval(this.#ticking)
  }

  #tick(): void {
    const [fromMs, toMs] = [this.#tickedAtMs, performance.now()]
    this.#tickedAtMs = toMs
    if (toMs - fromMs < STARVED_MS) return
    this.starvedMs += toMs - fromMs
    this.#periods.push({ subject: STARVED, fromMs, toMs })
  }

  /** `subject`: the name of a node, `database`, or one of the above. The returned function ends the period. */
  begin(subject: string): () => void {
    const period = { subject, fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY }
    this.#periods.push(period)
    return () => {
      period.toMs = performance.now()
    }
  }

  /** Whether a period of one of the subjects overlaps the time. */
  during(fromMs: number, toMs: number, subjects: readonly string[]): boolean {
    return this.#periods.some((each) => subjects.includes(each.subject) && each.fromMs <= toMs && each.toMs >= fromMs)
  }

  /** The end of the last period of the subjects; infinite if one has not ended. */
  endMs(subjects: readonly string[]): number {
    const ends = this.#periods.filter(({ subject }) => subjects.includes(subject)).map(({ toMs }) => toMs)
    return Math.max(0, ...ends)
  }

  /** Whether any period overlaps the time. */
  anyDuring(fromMs: number, toMs: number): boolean {
    return this.#periods.some((each) => each.fromMs <= toMs && each.toMs >= fromMs)
  }
}
