import { actorKeyOf } from '../../../src/slot/ids.ts'
import type { Coding, Offering, Slot } from '../../../src/slot/slot.ts'
import type { SlotFilters } from '../../../src/slot/slot-filters.ts'
import type { SlotQuery } from '../../../src/slot/slot-query.ts'

/** A page of the naive index. */
export interface NaivePage {
  readonly slots: unknown[]
  readonly total: number
  readonly last: string | undefined
  readonly nextStartMs: number | undefined
}

/** The index in its plainest form. Slow on purpose. */
export function naiveSelect(slots: readonly Slot[], query: SlotQuery, nowMs: number): NaivePage {
  const ordered = slots.filter((slot) => matches(slot, query, nowMs)).sort((a, b) => compare(a, b, query))
  const { after } = query.cursor ?? {}
  const behind = after === undefined ? ordered : ordered.filter((slot) => isBehind(slot, after, query))
  const from = ordered.length - behind.length + query.offset
  const page = ordered.slice(from, from + query.limit)
  const { startAfterMs, startBeforeMs, ...unbounded } = query
  const isBounded = startAfterMs !== undefined || startBeforeMs !== undefined
  const starts = slots.filter((slot) => matches(slot, unbounded, nowMs)).map(({ startMs }) => startMs)
  return {
    slots: page.map((slot) => published(slot)),
    total: ordered.length,
    last: query.cursor && from + query.limit < ordered.length ? page.at(-1)?.id : undefined,
    nextStartMs: ordered.length === 0 && isBounded && starts.length > 0 ? starts.sort((a, b) => a - b)[0] : undefined,
  }
}

/** Ignores case and accents. */
const ANY_SPELLING = new Intl.Collator('en', { sensitivity: 'base' })

function isSameCity(one: string, other: string): boolean {
  const wordsOf = (city: string) => city.split(/\s+/).filter(Boolean).join(' ')
  return ANY_SPELLING.compare(wordsOf(one), wordsOf(other)) === 0
}

/** Whether a slot matches the query. */
export function matches(slot: Slot, query: SlotFilters, nowMs: number): boolean {
  const { offering } = slot
  const { location, provider } = offering
  const modalities = offering.modalities ?? ['in-person']
  const { inPerson, virtual } = offering.details?.modeStates ?? {}
  const ofMode = query.isVirtual === undefined ? undefined : query.isVirtual ? virtual : inPerson
  const states = ofMode ?? [location?.state, ...(offering.serviceStates ?? [])]
  const isSame = (wanted: string | undefined, said: string | undefined) =>
    wanted === undefined || said?.toLowerCase() === wanted.toLowerCase()
  return (
    slot.status === query.status &&
    (query.states === undefined || query.states.some((state) => states.includes(state))) &&
    (query.isVirtual === undefined || modalities.includes(query.isVirtual ? 'virtual' : 'in-person')) &&
    (query.startAfterMs === undefined ? slot.endMs > nowMs : slot.startMs >= query.startAfterMs) &&
    (query.startBeforeMs === undefined || slot.startMs <= query.startBeforeMs) &&
    slot.endMs - slot.startMs >= (query.minDurationMs ?? 0) &&
    (query.serviceTypeCodes === undefined ||
      serviceTypes(offering).some(({ code }) => query.serviceTypeCodes?.includes(code ?? ''))) &&
    (query.appointmentType === undefined ||
      offering.appointmentType === query.appointmentType ||
      offering.details?.appointmentTypes?.some(({ code }) => code === query.appointmentType) === true) &&
    (query.acceptingPatients === undefined ||
      [undefined, query.acceptingPatients].includes(offering.acceptingPatients)) &&
    (query.city === undefined || isSameCity(query.city, location?.city ?? '')) &&
    (query.specialty === undefined || specialties(offering).some((one) => isSame(query.specialty, one))) &&
    (query.postalCodePrefix === undefined ||
      (location?.postalCode?.toLowerCase().replace(/[ -]/g, '').startsWith(query.postalCodePrefix) ?? false)) &&
    (query.near === undefined || (distanceTo(slot, query) ?? Number.POSITIVE_INFINITY) <= query.near.radiusKm) &&
    (query.providerNpi === undefined ||
      [provider, ...(offering.details?.providers ?? [])].some((one) => one?.npi === query.providerNpi)) &&
    (query.languages === undefined ||
      languages(offering).some((tag) => query.languages?.some((one) => `${tag}-`.startsWith(`${one}-`)))) &&
    (query.identifiers === undefined || query.identifiers.some((one) => identifiers(slot).includes(one))) &&
    (query.publishers === undefined || query.publishers.includes(offering.publisher)) &&
    (query.scheduleId === undefined || offering.scheduleId === query.scheduleId) &&
    (query.actorKey === undefined || actorKeyOf(offering) === query.actorKey)
  )
}

/** All service types of an offering. */
export function serviceTypes({ serviceTypes: all, serviceTypeCode, serviceTypeText }: Offering): readonly Coding[] {
  const one = {
    ...(serviceTypeCode && { code: serviceTypeCode }),
    ...(serviceTypeText && { display: serviceTypeText }),
  }
  return all ?? (serviceTypeCode || serviceTypeText ? [one] : [])
}

/** The texts of all specialties. */
export function specialties({ provider, details }: Offering): string[] {
  const others = details?.specialties?.map(({ code, display }) => display ?? code) ?? []
  return [provider?.specialty, ...others].filter((text) => text !== undefined)
}

function languages({ details }: Offering): string[] {
  return details?.languages?.map(({ code, display = '' }) => (code ?? display).toLowerCase()) ?? []
}

/** Of the slot, and of the resources behind it. */
function identifiers({ identifier: own = [], offering }: Slot): string[] {
  const all = Object.values(offering.details?.resources ?? {})
    .flat()
    .map((one) => one.identifier ?? [])
  return [...own, ...all.flat()].map(({ system, value }) => (system === undefined ? `|${value}` : `${system}|${value}`))
}

/** By the angle between two vectors from the Earth's center. Undefined without a position, or without the filter. */
export function distanceTo({ offering }: Slot, { near }: SlotFilters): number | undefined {
  const { latitude, longitude } = offering.location ?? {}
  if (latitude === undefined || longitude === undefined || near === undefined) return undefined
  const [a, b] = [arrow(latitude, longitude), arrow(near.latitude, near.longitude)]
  const chord = Math.hypot(...a.map((each, axis) => each - b[axis]))
  return 2 * 6371 * Math.asin(chord / 2)
}

function arrow(latitude: number, longitude: number): number[] {
  const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}

function compare(a: Slot, b: Slot, query: SlotQuery): number {
  const farther = query.sort === 'distance' ? (distanceTo(a, query) ?? 0) - (distanceTo(b, query) ?? 0) : 0
  // The two formulas differ in the last digits.
  if (Math.abs(farther) > 1e-6) return farther
  return a.startMs - b.startMs || (a.id < b.id ? -1 : 1)
}

function isBehind(
  slot: Slot,
  { startMs, id, distanceKm = 0 }: NonNullable<NonNullable<SlotQuery['cursor']>['after']>,
  query: SlotQuery,
): boolean {
  const farther = query.sort === 'distance' ? (distanceTo(slot, query) ?? 0) - distanceKm : 0
  if (Math.abs(farther) > 1e-6) return farther > 0
  return slot.startMs > startMs || (slot.startMs === startMs && slot.id > id)
}

/** The JSON of a served slot. */
export function published({ startMs: _startMs, endMs: _endMs, offering, ...own }: Slot): unknown {
  const { details: _, ...served } = offering
  return { ...own, ...JSON.parse(JSON.stringify(served)) }
}
