import { MINUTE_MS } from '../../../../src/lib/time.ts'
import type { Coding, Offering, Slot } from '../../../../src/slot/slot.ts'

/** A slot as in the responses of `/v1`. */
export type ApiSlot = Omit<Slot, 'startMs' | 'endMs' | 'offering'> & Omit<Offering, 'details'>

/** The body of the list operation. */
export interface SlotPage {
  readonly slots: readonly ApiSlot[]
  /** Number of matching slots. */
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

/** `Boston, MA`; empty if neither is provided. */
export function placeLabel(slot: ApiSlot): string {
  return [slot.location?.city, slot.location?.state].filter(Boolean).join(', ')
}

/** In person, virtual, or both; in parentheses how, if that is known. */
export function serviceModeLabel({ modalities }: Pick<ApiSlot, 'modalities'>): string {
  if (modalities === undefined) return 'Visit type not provided'
  const details = modalities.filter((one) => one === 'phone' || one === 'video').join(' or ')
  const virtual = details === '' ? 'virtual' : `virtual (${details})`
  if (!modalities.includes('virtual')) return 'In person'
  return modalities.includes('in-person') ? `In person or ${virtual}` : `V${virtual.slice(1)}`
}

/** The name of the service, or its code. */
export function serviceLabel(slot: ApiSlot): string | undefined {
  return slot.serviceTypeText ?? slot.serviceTypeCode
}

/** `General Practice (124, http://terminology.hl7.org/CodeSystem/service-type)`. */
export function codingLabel({ system, code, display }: Coding): string {
  const [label, ...rest] = [display, code, system].filter((part) => part !== undefined)
  return rest.length === 0 ? label : `${label} (${rest.join(', ')})`
}

/** Labels of the slot statuses. */
export const STATUS_LABELS: Readonly<Record<Slot['status'], string>> = {
  free: 'Free',
  busy: 'Busy',
  'busy-unavailable': 'Unavailable',
  'busy-tentative': 'Tentative',
}

/** Labels of the extension `patient-type`. */
export const PATIENT_LABELS: Readonly<Record<string, string>> = {
  newpt: 'New patients',
  existptonly: 'Existing patients only',
  existptfam: 'Existing patients and their families',
}
