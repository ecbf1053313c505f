import { isObject, type Json } from '../lib/json.ts'
import { HOUR_MS } from '../lib/time.ts'
import type { Instant } from '../slot/instant.ts'
import type { Offering } from '../slot/slot.ts'
import { InvalidData } from './rejections.ts'

/**
 * The longest recorded slots are opening hours of 16 hours. A longer one than this does not tell when to come, and one that
 * began long ago would stand first in every list until it ends.
 */
export const SLOT_HOURS_MAX = 36

/** As JSON. Recorded ones have at most 1,000 bytes; a page repeats them for each of its slots. */
const OFFERING_BYTES_MAX = 4096

/** Throws `InvalidData` unless a slot may begin and end at these times. */
export function checkPeriod(start: Instant, end: Instant): void {
  if (end.ms < start.ms) throw new InvalidData(`end must not be before start: got "${end.text}" before "${start.text}"`)
  if (end.ms - start.ms > SLOT_HOURS_MAX * HOUR_MS)
    throw new InvalidData(
      `end must be at most ${SLOT_HOURS_MAX} hours after start: got "${end.text}" after "${start.text}"`,
    )
}

/** The offering, or why it is too large. */
export function boundedOffering(offering: Offering): Offering | InvalidData {
  const { details, ...served } = offering
  const bytes = Math.max(bytesOf(served), bytesOf(details))
  if (bytes <= OFFERING_BYTES_MAX) return offering
  const [name, size] = largestField(offering)
  return new InvalidData(
    `location, provider and service must be at most ${OFFERING_BYTES_MAX} bytes of JSON together: got ${bytes}. Shorten ${name}, which has ${size}`,
  )
}

/** Throws the reason of an offering that is too large. */
export function usableOffering(offering: Offering | InvalidData): Offering {
  if (offering instanceof InvalidData) throw offering
  return offering
}

function largestField(value: object, prefix = ''): [name: string, bytes: number] {
  const sizes = Object.entries(value as Json).flatMap(([name, field]): [string, number][] =>
    isObject(field) ? [largestField(field, `${prefix}${name}.`)] : [[`${prefix}${name}`, bytesOf(field)]],
  )
  return sizes.reduce((largest, size) => (size[1] > largest[1] ? size : largest), ['', 0])
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
