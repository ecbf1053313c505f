import { GeoRadius } from '../../../../src/slot/geo-radius.ts'
import { type ApiSlot, serviceModeLabel } from './api-slot.ts'
import type { ExploreState } from './explore-state.ts'
import { stateName } from './us-states.ts'

/** Why a slot matches a filter that its row doesn't show: `Also virtual, licensed in` and `CA`. */
export interface MatchReason {
  readonly text: string
  /** The value that was asked for. */
  readonly match: string
  /** The same for the details of the slot. */
  readonly sentence: string
}

/** The reasons for the filters that the slot's own columns don't explain. */
export function matchReasons(slot: ApiSlot, search: ExploreState): MatchReason[] {
  const reasons = [stateReason(slot, search), serviceReason(slot, search), ...hiddenReasons(slot, search)]
  return reasons.filter((reason) => reason !== undefined)
}

/** The distance from the point of the search, in kilometers; undefined without one or without a position. */
export function distanceKm({ location }: Pick<ApiSlot, 'location'>, { near }: ExploreState): number | undefined {
  const [latitude, longitude] = near?.split(',').map(Number) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  if (location?.latitude === undefined || location.longitude === undefined) return undefined
  if (Number.isNaN(latitude + longitude)) return undefined
  return new GeoRadius({ latitude, longitude, radiusKm: 1 }).distanceKm(location.latitude, location.longitude)
}

/** `850 m`, `3.2 km`, `140 km`. */
export function distanceLabel(km: number): string {
  if (km < 1) return `${Math.round(km * 100) * 10} m`
  return `${km < 10 ? km.toFixed(1) : Math.round(km)} km`
}

/** A place in another state is listed because its service is licensed in the state of the search. */
function stateReason(slot: ApiSlot, { state }: ExploreState): MatchReason | undefined {
  if (state === undefined) return undefined
  const isSearched = (code: string) => [code, stateName(code).toUpperCase()].some((name) => endsAlike(name, state))
  const { location, serviceStates = [], modalities = [] } = slot
  const match = serviceStates.find(isSearched)
  if (match === undefined || (location?.state !== undefined && isSearched(location.state))) return undefined
  const mode = serviceModeLabel(slot)
  const also = modalities.includes('in-person') ? 'Also virtual, licensed in' : `${mode}, licensed in`
  const isVirtual = modalities.includes('virtual')
  const place = location?.state === undefined ? '' : ` The location is in ${stateName(location.state)}.`
  return {
    text: isVirtual ? also : 'Licensed in',
    match,
    sentence: isVirtual
      ? `Matches ${stateName(match)}: the service is${modalities.includes('in-person') ? ' also' : ''} virtual and licensed there.${place}`
      : `Matches ${stateName(match)}: the service is licensed there.${place}`,
  }
}

/** `ON` and `CA-ON` name the same province. */
function endsAlike(name: string, wanted: string): boolean {
  const text = wanted.trim().toUpperCase()
  return name === text || name.split('-')[1] === text
}

function serviceReason(slot: ApiSlot, { serviceTypeCode: wanted }: ExploreState): MatchReason | undefined {
  if (wanted === undefined || slot.serviceTypeCode === wanted) return undefined
  const display = slot.serviceTypes?.find(({ code }) => code === wanted)?.display
  const match = display === undefined ? wanted : `${display} (${wanted})`
  return { text: 'Also', match, sentence: `Matches service type ${match}, one of several of this slot.` }
}

/** Slots have more values of these fields than a response shows. */
function hiddenReasons(slot: ApiSlot, search: ExploreState): MatchReason[] {
  const shown = {
    appointmentType: slot.appointmentType,
    specialty: slot.provider?.specialty,
    providerNpi: slot.provider?.npi,
  }
  return HIDDEN.flatMap(([name, label]) => {
    const match = search[name]
    if (match === undefined || shown[name]?.toLowerCase() === match.toLowerCase()) return []
    return [{ text: `Also ${label}`, match, sentence: `Matches ${label} ${match}, one of several of this slot.` }]
  })
}

const HIDDEN = [
  ['appointmentType', 'appointment type'],
  ['specialty', 'specialty'],
  ['providerNpi', 'provider NPI'],
] as const
