// Hot path
import { MINUTE_MS } from '../lib/time.ts'
import {
  InvalidParameter,
  type ParameterTable,
  parameter,
  parseParameters,
  repeated,
} from './query-parameter.ts'
import type { AcceptingPatients } from './slot.ts'
import { SLOT_STATUSES } from './slot.ts'
import type { SlotFilters } from './slot-filters.ts'
import { BOOLEAN, form, INSTANT, integer, oneOf, POINT, positive, TEXT } from './value-kind.ts'

/** Filters in the making. */
export type FilterDraft = { -readonly [Key in keyof SlotFilters]: SlotFilters[Key] } & {
  /** Becomes part of `near`, wherever it stands in the search part. */
  radiusKm?: number
}

const RADIUS_KM_DEFAULT = 25
const ACCEPTING_PATIENTS = ['newpt', 'existptonly', 'existptfam'] as const satisfies AcceptingPatients[]

/** Every parameter that says which slots match. */
export const FILTER_PARAMETERS: ParameterTable<FilterDraft> = {
  state: repeated({
    description:
      'Slots in this state, by their location, or by a state that their service is licensed for. Two letters, without regard to case. May be repeated: any of them.',
    kind: form(/^[A-Za-z]{2}$/, 'two letters, such as MA'),
    examples: ['MA'],
    put: (draft, value) => {
      draft.states = withOneMore(draft.states, value.toUpperCase())
    },
  }),
  isVirtual: parameter({
    description:
      'Whether the slot can be attended virtually, or (`false`) in person. One that can be attended both ways matches both.',
    kind: BOOLEAN,
    examples: ['true'],
    put: (draft, value) => {
      draft.isVirtual = value
    },
  }),
  status: parameter({
    description: 'Slots of this status.',
    kind: oneOf(SLOT_STATUSES),
    examples: ['free'],
    fallback: 'free',
    put: (draft, value) => {
      draft.status = value
    },
  }),
  startAfter: parameter({
    description:
      'Slots that begin then or later. Without it, slots that have ended are left out; with it, you decide.',
    kind: INSTANT,
    examples: ['2026-06-01T09:00:00-04:00'],
    put: (draft, value) => {
      draft.startAfterMs = value
    },
  }),
  startBefore: parameter({
    description: 'Slots that begin then or earlier.',
    kind: INSTANT,
    examples: ['2026-06-08T00:00:00Z'],
    put: (draft, value) => {
      draft.startBeforeMs = value
    },
  }),
  minDurationMinutes: parameter({
    description: 'Slots that last at least so many minutes.',
    kind: integer({ min: 1, max: 1440 }),
    examples: ['30'],
    put: (draft, value) => {
      draft.minDurationMs = value * MINUTE_MS
    },
  }),
  serviceTypeCode: repeated({
    description: 'Slots of this service type: exactly this code, as published. May be repeated: any of them.',
    kind: TEXT,
    examples: ['57'],
    put: (draft, value) => {
      draft.serviceTypeCodes = withOneMore(draft.serviceTypeCodes, value)
    },
  }),
  appointmentType: parameter({
    description: 'Slots of this appointment type: exactly this code, as published.',
    kind: TEXT,
    examples: ['ROUTINE'],
    put: (draft, value) => {
      draft.appointmentType = value
    },
  }),
  acceptingPatients: parameter({
    description: 'Slots open to such patients. One that says nothing matches any.',
    kind: oneOf(ACCEPTING_PATIENTS),
    examples: ['newpt'],
    put: (draft, value) => {
      draft.acceptingPatients = value
    },
  }),
  city: parameter({
    description: "The location's city, without regard to case.",
    kind: TEXT,
    examples: ['Boston'],
    put: (draft, value) => {
      draft.city = value
    },
  }),
  postalCode: parameter({
    description: "What the location's postal code begins with, without regard to case.",
    kind: form(/^[A-Za-z0-9 -]{1,10}$/, '1 to 10 letters, digits, spaces or hyphens'),
    examples: ['021'],
    put: (draft, value) => {
      draft.postalCodePrefix = value
    },
  }),
  near: parameter({
    description:
      'Slots at most `radiusKm` from this point: latitude and longitude in decimal degrees, with a comma between them. Slots without coordinates do not match.',
    kind: POINT,
    examples: ['42.36,-71.06'],
    put: (draft, value) => {
      draft.near = { ...value, radiusKm: RADIUS_KM_DEFAULT }
    },
  }),
  radiusKm: parameter({
    description: 'How far from `near`, in kilometres; only together with it.',
    kind: positive({ max: 500 }),
    examples: ['10'],
    fallback: RADIUS_KM_DEFAULT,
    put: (draft, value) => {
      draft.radiusKm = value
    },
  }),
  specialty: parameter({
    description: "The provider's specialty, without regard to case.",
    kind: TEXT,
    examples: ['Dermatology'],
    put: (draft, value) => {
      draft.specialty = value
    },
  }),
  providerNpi: parameter({
    description: "The provider's National Provider Identifier.",
    kind: form(/^[0-9]{10}$/, 'ten digits'),
    examples: ['1346271483'],
    put: (draft, value) => {
      draft.providerNpi = value
    },
  }),
  publisher: repeated({
    description: 'Slots of this publisher. May be repeated: any of them.',
    kind: TEXT,
    examples: ['sample'],
    put: (draft, value) => {
      draft.publishers = withOneMore(draft.publishers, value)
    },
  }),
  scheduleId: parameter({
    description: "Slots of the schedule with this id, which is its publisher's.",
    kind: TEXT,
    examples: ['schedule-MA-0'],
    put: (draft, value) => {
      draft.scheduleId = value
    },
  }),
  actorKey: parameter({
    description: 'Slots of one provider at one location: the `key` of an actor.',
    kind: form(/^[0-9a-v]{24}$/, 'the key of an actor: 24 digits and letters from a to v'),
    examples: ['0g3f8k2m5q7r9s1t4v6a8c0e'],
    put: (draft, value) => {
      draft.actorKey = value
    },
  }),
}

/**
 * Reads the parameters of an operation that has all filters, and of `table` what else it has, into a draft; status is free
 * unless the caller says otherwise. Throws `InvalidParameter`.
 */
export function parseFilters<Draft extends FilterDraft>(
  search: string,
  table: ParameterTable<Draft>,
  draft: Draft,
): Draft {
  parseParameters(search, table, draft)
  if (draft.radiusKm === undefined) return draft
  if (draft.near === undefined)
    throw new InvalidParameter(
      'radiusKm',
      `radiusKm must be given together with near: got "${draft.radiusKm}" alone.`,
    )
  draft.near = { ...draft.near, radiusKm: draft.radiusKm }
  return draft
}

/** In alphabetical order, each once: what is asked in another order is the same question. */
function withOneMore(values: readonly string[] | undefined, value: string): readonly string[] {
  if (values === undefined) return [value]
  return values.includes(value) ? values : [...values, value].sort()
}
