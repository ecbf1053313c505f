import type { Offering, Slot } from './slot.ts'

/**
 * The slot's own fields as a JSON object without its closing brace: `{"id":"…","status":"free",…`. Together with
 * `encodeOffering(slot.offering)` it is the slot as `/v1` serves it.
 */
export function encodeSlot(slot: Slot): string {
  let json = `{"id":"${slot.id}","status":"${slot.status}","start":"${slot.start}","end":"${slot.end}"`
  if (slot.bookingDeepLink !== undefined) json += `,"bookingDeepLink":${JSON.stringify(slot.bookingDeepLink)}`
  if (slot.capacity !== undefined) json += `,"capacity":${slot.capacity}`
  return json
}

/** The shared fields, as the rest of that object: `,"publisher":"…",…}`. */
export function encodeOffering(offering: Offering): string {
  return `,${JSON.stringify(offering).slice(1)}`
}
