import type { Modality, Offering } from '../slot/slot.ts'

/** Every slot is in this state's list, whatever its states. */
const ANY_STATE = 0
/** Slots of no state have a place of their own, so that they can be counted. No two letters have this number. */
const NO_STATE = 26 * 26 + 1
/** 0 is any. */
const MODE_NUMBERS: Record<Modality, number> = { 'in-person': 1, virtual: 2 }
const MODES = 3
const STATUSES = 4

/** The place that every slot is in. */
export const EVERYWHERE = 0

/**
 * The combinations of state and mode that an offering's slots are listed under: each of its states (or none) and any,
 * by each of its modes and any.
 */
export function placesOf(offering: Offering): number[] {
  const modes: readonly Modality[] = offering.modalities ?? [offering.isVirtual ? 'virtual' : 'in-person']
  const states = new Set(offering.serviceStates)
  if (offering.location?.state !== undefined) states.add(offering.location.state)
  const numbers = states.size === 0 ? [NO_STATE] : [...states].map(stateNumber)
  return [ANY_STATE, ...numbers].flatMap((state) =>
    [0, ...modes.map((mode) => MODE_NUMBERS[mode])].map((mode) => state * MODES + mode),
  )
}

/** The states among the places of an offering, each once. */
export function statesOf(places: readonly number[]): string[] {
  const states = places.filter((place) => place % MODES === 0).map((place) => place / MODES)
  return states
    .filter((state) => state !== ANY_STATE && state !== NO_STATE)
    .map((state) => stateName(state) as string)
}

/** The narrowest of those: slots of one home are asked for together. */
export function homeOf(offering: Offering): number {
  return placesOf(offering).at(-1) ?? ANY_STATE
}

/** The combination that a query asks for. */
export function placeFor(query: { state?: string; isVirtual?: boolean }): number {
  const state = query.state === undefined ? ANY_STATE : stateNumber(query.state)
  return state * MODES + modeFor(query)
}

/** The place of each state that has a group, in the mode that a query asks for; undefined stands for no state. */
export function placesByState(
  groups: Iterable<number>,
  query: { isVirtual?: boolean },
): Map<string | undefined, number> {
  const places = new Map<string | undefined, number>()
  for (const group of groups) {
    const place = Math.floor(group / STATUSES)
    const state = Math.floor(place / MODES)
    if (state !== ANY_STATE && place % MODES === modeFor(query)) places.set(stateName(state), place)
  }
  return places
}

function modeFor({ isVirtual }: { isVirtual?: boolean }): number {
  return isVirtual === undefined ? 0 : isVirtual ? 2 : 1
}

/** Slots of one place and status. */
export function groupNumber(place: number, status: number): number {
  return place * STATUSES + status
}

/** Two capital letters as a number from 1. */
function stateNumber(state: string): number {
  return (state.charCodeAt(0) - 65) * 26 + state.charCodeAt(1) - 64
}

function stateName(number: number): string | undefined {
  if (number === NO_STATE) return undefined
  return String.fromCharCode(65 + Math.floor((number - 1) / 26), 65 + ((number - 1) % 26))
}
