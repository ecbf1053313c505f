import type { Slot } from '../../../src/slot/slot.ts'
import { slotOf } from '../store/temp-store.ts'

/** Slots in so many regions, so that the feed has as many files of slots. */
export function slotsInRegions(count: number): Slot[] {
  return Array.from({ length: count }, (_, n) => {
    const slot = slotOf(n)
    const state = `CA-${String.fromCharCode(65 + (n % 26))}${Math.floor(n / 26)}`
    return { ...slot, offering: { ...slot.offering, location: { ...slot.offering.location, state } } }
  })
}
