import type { Offering } from '../slot/slot.ts'
import type { IndexSnapshot } from './open-snapshots.ts'

/** An offering by its number in a moment; undefined if there is none of that number. Some may have no slots left. */
export function offeringAt({ state: { offerings } }: IndexSnapshot, number: number): Offering | undefined {
  if (offerings.traits[number] === undefined) return undefined
  const json = offerings.arena.bytesAt(offerings.addressOf(number))
  // After its comma it lacks nothing but the opening brace.
  return JSON.parse(`{${json.toString('utf8', 1)}`) as Offering
}
