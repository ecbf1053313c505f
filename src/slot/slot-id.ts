import { shortHash } from './short-hash.ts'

/**
 * The stable id of a slot: a short hash of what identifies it, 24 characters of base32hex. Slot.id alone is not unique: one feed uses the
 * same id for 14 slots, and others reuse ids every month.
 */
export function slotId(
  publisher: string,
  scheduleId: string,
  sourceSlotId: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): string {
  // A line feed cannot occur in a slug or a FHIR id, so different parts cannot give the same text.
  return shortHash(`${publisher}\n${scheduleId}\n${sourceSlotId}\n${startMs}\n${endMs}`)
}
