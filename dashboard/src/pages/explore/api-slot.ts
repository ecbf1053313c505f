import { MINUTE_MS } from '../../../../src/lib/time.ts'
import type { Offering, Slot } from '../../../../src/slot/slot.ts'

/** A slot as `/v1` serves it: what is its own and what it shares, side by side. */
export type ApiSlot = Omit<Slot, 'startMs' | 'endMs' | 'offering'> & Offering

/** The body of the list operation. */
export interface SlotPage {
  readonly slots: readonly ApiSlot[]
  /** How many match in all. */
  readonly total: number
}

/** `20 min`, `1 h 30 min`, `16 h`. */
export function durationLabel(slot: Pick<ApiSlot, 'start' | 'end'>): string {
  const minutes = Math.round((Date.parse(slot.end) - Date.parse(slot.start)) / MINUTE_MS)
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** `Boston, MA`; empty if the source says neither. */
export function placeLabel(slot: ApiSlot): string {
  return [slot.location?.city, slot.location?.state].filter(Boolean).join(', ')
}

/** How it can be attended, in words. */
export function serviceModeLabel(slot: ApiSlot): string {
  if (!slot.isVirtual) return 'In person'
  return slot.modalities?.includes('in-person') ? 'In person or virtual' : 'Virtual'
}

/** What the service is called; its code where the source gives no name. */
export function serviceLabel(slot: ApiSlot): string | undefined {
  return slot.serviceTypeText ?? slot.serviceTypeCode
}

/** A status as people say it. */
export const STATUS_LABELS: Readonly<Record<Slot['status'], string>> = {
  free: 'Free',
  busy: 'Busy',
  'busy-unavailable': 'Unavailable',
  'busy-tentative': 'Tentative',
}

/** What the extension `patient-type` means. */
export const PATIENT_LABELS: Readonly<Record<string, string>> = {
  newpt: 'New patients',
  existptonly: 'Existing patients only',
  existptfam: 'Existing patients and their families',
}
