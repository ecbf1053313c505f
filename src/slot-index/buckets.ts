import type { Modality, Offering } from '../slot/slot.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'

/** Every slot is in this state's list, whatever its states. */
const ANY_STATE = 0
/** Slots of no state have a place of their own, so that they can be counted. No two letters have this number. */
const NO_STATE = 26 * 26 + 1
/** 0 is any. */
const MODE_NUMBERS: Record<Modality, number> = { 'in-person': 1, virtual: 2 }
const MODES = 3
const STATUSES = 4
/** Places are below this. */
export const BUCKETS_END = (NO_STATE + 1) * MODES

/** The place that every slot is in. */
export const ALL_SLOTS_BUCKET = 0

/**
 * The combinations of state and mode that an offering's slots are listed under: each of its states (or none) and any,
 * by each of its modes and any.
 */
export function bucketsOf(offering: Offering): number[] {
  const modes: readonly Modality[] = offering.modalities ?? [offering.isVirtual ? 'virtual' : 'in-person']
  const states = new Set(offering.serviceStates)
  if (offering.location?.state !== undefined) states.add(offering.location.state)
  const numbers = states.size === 0 ? [NO_STATE] : [...states].map(stateNumber)
  return [ANY_STATE, ...numbers].flatMap((state) =>
    [0, ...modes.map((mode) => MODE_NUMBERS[mode])].map((mode) => state * MODES + mode),
  )
}

/**
 * The one of those that stands for all: where it is, if that is said, and in person, if it can be. Slots of one home are asked for
 * together, and what is near one point has few homes.
 */
export function primaryBucketOf({ location, serviceStates, modalities, isVirtual }: Offering): number {
  const state = location?.state ?? serviceStates?.at(-1)
  const mode = modalities === undefined ? (isVirtual ? 'virtual' : 'in-person') : modalities[0]
  const modeNumber = mode === undefined ? 0 : MODE_NUMBERS[mode]
  return (state === undefined ? NO_STATE : stateNumber(state)) * MODES + modeNumber
}

/** The filters that places decide; of several states, the place is that of any. */
type Placed = Pick<SlotFilters, 'states' | 'isVirtual'>

/** The combination that a query asks for. */
export function bucketFor(query: Placed): number {
  const { states } = query
  const state = states?.length === 1 ? stateNumber(states[0]) : ANY_STATE
  return state * MODES + modeFor(query)
}

/** The place of each state that has a group, in the mode that a query asks for; undefined stands for no state. */
export function bucketsByState(groups: Iterable<number>, query: Placed): Map<string | undefined, number> {
  const buckets = new Map<string | undefined, number>()
  for (const group of groups) {
    const bucket = Math.floor(group / STATUSES)
    const state = Math.floor(bucket / MODES)
    if (state !== ANY_STATE && bucket % MODES === modeFor(query)) buckets.set(stateName(state), bucket)
  }
  return buckets
}

function modeFor({ isVirtual }: Placed): number {
  return isVirtual === undefined ? 0 : isVirtual ? 2 : 1
}

/** The state of the place that stands for all of an offering; undefined if it has none. */
export function stateOfBucket(primaryBucket: number): string | undefined {
  return stateName(Math.floor(primaryBucket / MODES))
}

/** Where all slots of a place's state are. */
export function anyModeOf(bucket: number): number {
  return bucket - (bucket % MODES)
}

/** Where all slots of a state are, or of no state. */
export function bucketOfState(state: string | undefined): number {
  return (state === undefined ? NO_STATE : stateNumber(state)) * MODES
}

/** Slots of one place and status. */
export function groupNumber(bucket: number, status: number): number {
  return bucket * STATUSES + status
}

/** Two capital letters as a number from 1. */
function stateNumber(state: string): number {
  return (state.charCodeAt(0) - 65) * 26 + state.charCodeAt(1) - 64
}

function stateName(number: number): string | undefined {
  if (number === NO_STATE) return undefined
  return String.fromCharCode(65 + Math.floor((number - 1) / 26), 65 + ((number - 1) % 26))
}
