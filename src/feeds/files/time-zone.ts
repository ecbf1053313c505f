import { DAY_MS } from '../../lib/time.ts'

/** A known time zone: what its clocks show, and when. */
export interface TimeZone {
  readonly name: string
  /**
   * The offsets, in milliseconds east of UTC, at which the zone's clocks show a local time (in milliseconds, as if it were
   * UTC): one, two when they are put back over it, none when they are put forward over it.
   */
  offsetsAt(localMs: number): readonly number[]
}

/**
 * A zone by its name in the IANA database, or `UTC`. Undefined for all else: abbreviations and bare offsets, which other
 * programs know as zones, do not say when clocks change.
 */
export function findTimeZone(name: string): TimeZone | undefined {
  const known = zones.get(name)
  if (known !== undefined) return known
  const zone = NAME.test(name) ? openZone(name) : undefined
  // There are about 600; a file that invents names is not to fill the memory.
  if (zone !== undefined && zones.size < 1000) zones.set(name, zone)
  return zone
}

const zones = new Map<string, TimeZone>()

const NAME = /^(?:UTC|(?!Etc\/)[A-Za-z]+(?:\/[A-Za-z][A-Za-z0-9_+-]*){1,2})$/

/** Clocks change at a quarter of an hour of UTC, everywhere and always since 1972. */
const STEP_MS = 900_000

const OFFSETS_MAX = 20_000

function openZone(name: string): TimeZone | undefined {
  const offsetAt = offsetReader(name)
  if (offsetAt === undefined) return undefined
  return {
    name,
    offsetsAt(localMs) {
      // Clocks change at most once within two days, so these are all offsets that come into question.
      const around = new Set([offsetAt(localMs - DAY_MS), offsetAt(localMs + DAY_MS)])
      return [...around].filter((offsetMs) => offsetAt(localMs - offsetMs) === offsetMs)
    },
  }
}

/** The offset at a moment; remembered, because to ask Intl takes 2 µs and neighbouring slots ask the same. */
function offsetReader(timeZone: string): ((utcMs: number) => number) | undefined {
  const format = formatOf(timeZone)
  if (format === undefined) return undefined
  const offsets = new Map<number, number>()
  return (utcMs) => {
    const step = Math.floor(utcMs / STEP_MS)
    const known = offsets.get(step)
    if (known !== undefined) return known
    if (offsets.size >= OFFSETS_MAX) offsets.clear()
    const offsetMs = shownMs(format, step * STEP_MS) - step * STEP_MS
    offsets.set(step, offsetMs)
    return offsetMs
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}

/** What the zone's clocks show, as if it were UTC. */
function shownMs(format: Intl.DateTimeFormat, utcMs: number): number {
  const parts = new Map(format.formatToParts(utcMs).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}
