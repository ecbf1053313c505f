// Hot path
import { MINUTE_MS } from '../../lib/time.ts'
import { MIN_DURATION_MINUTES_MAX } from '../../slot/slot-filters.ts'
import { Column } from './column.ts'

/** The duration of a slot in whole minutes, rounded down, as far as a filter can tell durations apart. */
export function minutesOf({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): number {
  return Math.max(0, Math.min(MIN_DURATION_MINUTES_MAX, Math.floor((endMs - startMs) / MINUTE_MS)))
}

/** The durations of the slots of offerings: see `minutesOf()`. */
export class Durations {
  /** By offering. */
  readonly of = new Column<Uint16Array>(Uint16Array)
  /** By minutes, in shared memory: 1 if an offering has this duration. */
  exists: Uint8Array = new Uint8Array(new SharedArrayBuffer(MIN_DURATION_MINUTES_MAX + 1))

  /** Adds the duration of the next offering. */
  add(minutes: number): void {
    this.of.push(minutes)
    this.exists[minutes] = 1
  }

  /** The shortest duration of an offering that is at least so many minutes; undefined if there is none. */
  from(minutes: number): number | undefined {
    const shortest = this.exists.indexOf(1, minutes)
    return shortest === -1 ? undefined : shortest
  }
}
