import type { ServedSlot } from './contract-service.ts'
import type { Pair } from './requests.ts'

// biome-ignore lint/suspicious/noExplicitAny: slots are walked as they are served.
type Served = any

/** Reference implementation of each filter: whether a slot matches one of its values. */
const MATCHES: Readonly<Record<string, (slot: Served, value: string, pairs: readonly Pair[]) => boolean>> = {
  // A slot of both modes is in person at its location, and virtual where its provider is licensed.
  state: ({ location, serviceStates = [], modalities = [] }, value, pairs) => {
    const isBoth = modalities.includes('in-person') && modalities.includes('virtual') && serviceStates.length > 0
    const mode = isBoth ? pairs.find(({ name }) => name === 'isVirtual')?.value.trim() : undefined
    const states = [...(mode === 'true' ? [] : [location?.state]), ...(mode === 'false' ? [] : serviceStates)]
    return states.includes(value.toUpperCase())
  },
  isVirtual: ({ isVirtual, modalities = [isVirtual ? 'virtual' : 'in-person'] }, value) =>
    modalities.includes(value === 'true' ? 'virtual' : 'in-person'),
  status: ({ status }, value) => status === value,
  startAfter: ({ start }, value) => Date.parse(start) >= milliseconds(value),
  startBefore: ({ start }, value) => Date.parse(start) <= milliseconds(value),
  minDurationMinutes: ({ start, end }, value) => Date.parse(end) - Date.parse(start) >= Number(value) * 60_000,
  serviceTypeCode: ({ serviceTypes = [] }, value) => serviceTypes.some(({ code }: Served) => code === value),
  appointmentType: ({ appointmentType }, value) => appointmentType === value,
  acceptingPatients: ({ acceptingPatients = null }, value) => [null, value].includes(acceptingPatients),
  city: ({ location }, value) => location?.city !== undefined && plainCity(location.city) === plainCity(value),
  postalCode: ({ location }, value) =>
    plainPostalCode(location?.postalCode ?? '').startsWith(plainPostalCode(value) || ' '),
  near: ({ location }, value, pairs) => {
    const radiusKm = pairs.find(({ name }) => name === 'radiusKm')?.value ?? '25'
    return distanceKm(location ?? {}, value) <= Number(radiusKm)
  },
  radiusKm: () => true,
  specialty: ({ provider }, value) => provider?.specialty?.toLowerCase() === value.toLowerCase(),
  providerNpi: ({ provider }, value) => provider?.npi === value,
  // Slots do not contain these, and no feed here has the generated values.
  language: () => false,
  identifier: () => false,
  publisher: ({ publisher }, value) => publisher === value,
  scheduleId: ({ scheduleId }, value) => scheduleId === value,
  // No actor has a generated key.
  actorKey: () => false,
  sort: () => true,
  limit: () => true,
  offset: () => true,
}

/** The IDs of all matching slots, in no order. Throws for a parameter that is not implemented here. */
export function plainMatches(slots: readonly ServedSlot[], pairs: readonly Pair[], nowMs: number): string[] {
  const defaults: Pair[] = [
    { name: 'status', value: 'free', style: 'plain' },
    { name: 'startAfter', value: '', style: 'plain' },
  ]
  const all = [...pairs, ...defaults.filter(({ name }) => pairs.every((pair) => pair.name !== name))]
  const names = [...new Set(all.map(({ name }) => name))]
  return slots
    .filter((slot) =>
      names.every((name) => {
        const values = all.filter((pair) => pair.name === name).map(({ value }) => value.trim() || value)
        if (name === 'startAfter' && values[0] === '') return Date.parse(String(slot.end)) > nowMs
        return values.some((value) => MATCHES[name](slot, value, all))
      }),
    )
    .map(({ id }) => id)
}

/** Without case, accents and repeated spaces. */
function plainCity(city: string): string {
  return city.normalize('NFD').replaceAll(/\p{M}/gu, '').split(/\s+/).join(' ').trim().toLowerCase()
}

/** Case, spaces and hyphens do not matter. */
function plainPostalCode(code: string): string {
  return code.replaceAll(/[ -]/g, '').toLowerCase()
}

/** Milliseconds since 1970, rounded down. */
function milliseconds(instant: string): number {
  return Date.parse(instant.replace(/(\.\d{3})\d+/, '$1'))
}

/** The haversine formula, on a sphere of the Earth's mean radius. */
function distanceKm({ latitude, longitude }: { latitude?: number; longitude?: number }, point: string): number {
  if (latitude === undefined || longitude === undefined) return Number.POSITIVE_INFINITY
  const [north, east] = point.split(',').map(Number)
  const half = (degrees: number) => Math.sin((degrees * Math.PI) / 360) ** 2
  const along = Math.cos((latitude * Math.PI) / 180) * Math.cos((north * Math.PI) / 180)
  return 2 * 6371 * Math.asin(Math.sqrt(half(latitude - north) + along * half(longitude - east)))
}
