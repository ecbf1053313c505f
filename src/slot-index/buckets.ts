import type { Modality, Offering } from '../slot/slot.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import { PostingList } from './posting-list.ts'

/** Every slot is in the lists of this state number. */
const ANY_STATE = 0
/** Slots without a state have their own buckets, so that they can be counted. No pair of letters has this number. */
const NO_STATE = 26 * 26 + 1
/** 0 is any. */
const MODE_NUMBERS: Record<Modality, number> = { 'in-person': 1, virtual: 2 }
const MODES = 3
const STATUSES = 4
/** Exclusive upper bound of bucket numbers. */
export const BUCKETS_END = (NO_STATE + 1) * MODES

/** The bucket that contains every slot. */
export const ALL_SLOTS_BUCKET = 0

/**
 * The (state, mode) buckets of an offering's slots: each of its states (or none) and any state, combined with each of its
 * modes and any mode.
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
 * An offering's primary bucket: the state of its location and in person, where provided. Slots of one primary bucket are
 * often requested together, and the offerings near a point have few primary buckets.
 */
export function primaryBucketOf({ location, serviceStates, modalities, isVirtual }: Offering): number {
  const state = location?.state ?? serviceStates?.at(-1)
  const mode = modalities === undefined ? (isVirtual ? 'virtual' : 'in-person') : modalities[0]
  const modeNumber = mode === undefined ? 0 : MODE_NUMBERS[mode]
  return (state === undefined ? NO_STATE : stateNumber(state)) * MODES + modeNumber
}

/** The filters that buckets decide; several states map to the bucket of any state. */
type BucketFilters = Pick<SlotFilters, 'states' | 'isVirtual'>

/** The bucket of a query. */
export function bucketFor(query: BucketFilters): number {
  const { states } = query
  const state = states?.length === 1 ? stateNumber(states[0]) : ANY_STATE
  return state * MODES + modeFor(query)
}

/** The bucket of each state that has a group, in a query's mode; the key undefined is for slots without a state. */
export function bucketsByState(groups: Iterable<number>, query: BucketFilters): Map<string | undefined, number> {
  const buckets = new Map<string | undefined, number>()
  for (const group of groups) {
    const bucket = Math.floor(group / STATUSES)
    const state = Math.floor(bucket / MODES)
    if (state !== ANY_STATE && bucket % MODES === modeFor(query)) buckets.set(stateName(state), bucket)
  }
  return buckets
}

/** Whether the bucket of a query decides all its filters on offerings. */
export function isDecidedByBucket(query: SlotFilters): boolean {
  const { states, near, publishers, serviceTypeCodes, appointmentType, acceptingPatients } = query
  const { city, postalCodePrefix, specialty, providerNpi, scheduleId, actorKey } = query
  return (
    (states === undefined || states.length === 1) &&
    (near ?? publishers ?? serviceTypeCodes ?? appointmentType ?? acceptingPatients) === undefined &&
    (city ?? postalCodePrefix ?? specialty ?? providerNpi ?? scheduleId ?? actorKey) === undefined
  )
}

function modeFor({ isVirtual }: BucketFilters): number {
  return isVirtual === undefined ? 0 : isVirtual ? 2 : 1
}

/** The state of a bucket; undefined for slots without a state. */
export function stateOfBucket(primaryBucket: number): string | undefined {
  return stateName(Math.floor(primaryBucket / MODES))
}

/** The bucket of a bucket's state in any mode. */
export function anyModeOf(bucket: number): number {
  return bucket - (bucket % MODES)
}

/** The bucket of a state (or of no state) in any mode. */
export function bucketOfState(state: string | undefined): number {
  return (state === undefined ? NO_STATE : stateNumber(state)) * MODES
}

/** The number of the list group of a bucket and status. */
export function groupNumber(bucket: number, status: number): number {
  return bucket * STATUSES + status
}

/**
 * The posting lists of one bucket and status: `open` is always `all` without `ended`. Few ended slots are still
 * published, and they come first, so `open` shares nearly all chunks with `all`.
 */
export interface ListGroup {
  readonly all: PostingList
  readonly ended: PostingList
  readonly open: PostingList
}

const EMPTY_GROUP: ListGroup = { all: PostingList.EMPTY, ended: PostingList.EMPTY, open: PostingList.EMPTY }

/** The posting lists by group number. */
export type ListGroups = ReadonlyMap<number, ListGroup>

/** The lists with a group number; empty if there are none. */
export function groupIn(groups: ListGroups, number: number): ListGroup {
  return groups.get(number) ?? EMPTY_GROUP
}

/** Two capital letters as a number from 1. */
function stateNumber(state: string): number {
  return (state.charCodeAt(0) - 65) * 26 + state.charCodeAt(1) - 64
}

function stateName(number: number): string | undefined {
  if (number === NO_STATE) return undefined
  return String.fromCharCode(65 + Math.floor((number - 1) / 26), 65 + ((number - 1) % 26))
}
