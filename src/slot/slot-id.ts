import { shortHash } from './short-hash.ts'

/**
 * The stable id of a slot: a short hash over what identifies it, 24 characters of base32hex.
 *
 * Slot.id alone is not enough: a real feed uses one for 14 slots, and others use theirs again next month.
 */
export function slotId(
  publisher: string,
  scheduleId: string,
  sourceSlotId: string,
  startMs: number,
  endMs: number,
): string {
  // A line break cannot occur in a slug or in a FHIR id, so the parts cannot run into each other.
  return shortHash(`${publisher}\n${scheduleId}\n${sourceSlotId}\n${startMs}\n${endMs}`)
}
