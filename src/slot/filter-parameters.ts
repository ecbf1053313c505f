import { MINUTE_MS } from '../lib/time.ts'
import { postalKey } from './place-keys.ts'
import {
  BOOLEAN,
  form,
  INSTANT,
  InvalidParameter,
  integer,
  oneOf,
  type ParameterTable,
  POINT,
  parameter,
  parseParameters,
  positive,
  repeated,
  TEXT,
  type ValueKind,
} from './query-parameter.ts'
import { askedRegionCode } from './region.ts'
import type { AcceptingPatients } from './slot.ts'
import { SLOT_STATUSES } from './slot.ts'
import { FILTER_NAMES, MIN_DURATION_MINUTES_MAX, type SlotFilters } from './slot-filters.ts'

/** The filters of a query that is being parsed. */
export type FilterDraft = { -readonly [Key in keyof SlotFilters]: SlotFilters[Key] } & {
  /** Merged into `near` after parsing. */
  radiusKm?: number | undefined
}

/**
 * The draft of a query without filters, to be copied. It has every field, so that all queries of an operation have one hidden class,
 * for any parameters in any order: with hundreds of classes, each read of a field is a search, and a page takes 6% longer.
 */
export const NO_FILTERS: Readonly<FilterDraft> = {
  ...(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])) as Omit<SlotFilters, 'status'>),
  status: 'free',
  radiusKm: undefined,
}

const RADIUS_KM_DEFAULT = 25
const ACCEPTING_PATIENTS = ['newpt', 'existptonly', 'existptfam'] as const satisfies AcceptingPatients[]

const STATE_FORM = /^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$|^[A-Za-z][A-Za-zéÉ., ]{2,49}$/

/** Any two letters are allowed, as in the first version of the parameter: those of no state match nothing. */
const STATE: ValueKind<string> = {
  schema: { type: 'string', pattern: STATE_FORM.source },
  allowed: 'a US state by code or name, such as MA or Massachusetts, or an ISO 3166-2 code, such as CA-ON',
  parse: (text) => {
    const plain = text.trim()
    if (!STATE_FORM.test(plain)) return undefined
    return askedRegionCode(plain) ?? (plain.length === 2 ? plain.toUpperCase() : undefined)
  },
}

/** The filter parameters. */
export const FILTER_PARAMETERS: ParameterTable<FilterDraft> = {
  state: repeated({
    description:
      'Slots in this state, by their location or by a state in which the service is licensed: a US state by code or name (`MA`, `Massachusetts`), a Canadian province likewise (`ON`, `Ontario`), or a region of another country by ISO 3166-2 code (`AU-NSW`). Case-insensitive. May be repeated to match any of the values.',
    kind: STATE,
    examples: ['MA'],
    put: (draft, value) => {
      draft.states = withValue(draft.states, value)
    },
  }),
  isVirtual: parameter({
    description:
      '`true`: slots that can be attended virtually; `false`: in person. A slot with both service modes matches both.',
    kind: BOOLEAN,
    examples: ['true'],
    put: (draft, value) => {
      draft.isVirtual = value
    },
  }),
  status: parameter({
    description: 'Slots with this status.',
    kind: oneOf(SLOT_STATUSES),
    examples: ['free'],
    fallback: 'free',
    put: (draft, value) => {
      draft.status = value
    },
  }),
  startAfter: parameter({
    description: 'Slots that start at or after this instant. Without it, slots that have ended are excluded.',
    kind: INSTANT,
    examples: ['2026-06-01T09:00:00-04:00'],
    put: (draft, value) => {
      draft.startAfterMs = value
    },
  }),
  startBefore: parameter({
    description: 'Slots that start at or before this instant.',
    kind: INSTANT,
    examples: ['2026-06-08T00:00:00Z'],
    put: (draft, value) => {
      draft.startBeforeMs = value
    },
  }),
  minDurationMinutes: parameter({
    description: 'Slots that last at least this many minutes.',
    kind: integer({ min: 1, max: MIN_DURATION_MINUTES_MAX }),
    examples: ['30'],
    put: (draft, value) => {
      draft.minDurationMs = value * MINUTE_MS
    },
  }),
  serviceTypeCode: repeated({
    description:
      'Slots with exactly this code among their service types, as published. May be repeated to match any of the values.',
    kind: TEXT,
    examples: ['57'],
    put: (draft, value) => {
      draft.serviceTypeCodes = withValue(draft.serviceTypeCodes, value)
    },
  }),
  appointmentType: parameter({
    description: 'Slots with exactly this code among their appointment types, as published.',
    kind: TEXT,
    examples: ['ROUTINE'],
    put: (draft, value) => {
      draft.appointmentType = value
    },
  }),
  acceptingPatients: parameter({
    description:
      'Slots with exactly this value, and slots that do not specify. Use `newpt` for new patients; existing patients can book all slots.',
    kind: oneOf(ACCEPTING_PATIENTS),
    examples: ['newpt'],
    put: (draft, value) => {
      draft.acceptingPatients = value
    },
  }),
  city: parameter({
    description: 'City of the location. Case, accents and repeated spaces do not matter.',
    kind: TEXT,
    examples: ['Boston'],
    put: (draft, value) => {
      draft.city = value
    },
  }),
  postalCode: parameter({
    description: 'Prefix of the postal code of the location. Case, spaces and hyphens do not matter.',
    kind: form(/^[A-Za-z0-9 -]{1,10}$/, '1 to 10 letters, digits, spaces or hyphens'),
    examples: ['021'],
    put: (draft, value) => {
      // Without letters and digits it matches nothing.
      draft.postalCodePrefix = postalKey(value) || value
    },
  }),
  near: parameter({
    description:
      'Slots within `radiusKm` of this point: latitude and longitude in decimal degrees, separated by a comma. Slots without coordinates do not match.',
    kind: POINT,
    examples: ['42.36,-71.06'],
    put: (draft, value) => {
      draft.near = { ...value, radiusKm: RADIUS_KM_DEFAULT }
    },
  }),
  radiusKm: parameter({
    description: 'Radius around `near`, in kilometers. Requires `near`.',
    kind: positive({ max: 500 }),
    examples: ['10'],
    fallback: RADIUS_KM_DEFAULT,
    put: (draft, value) => {
      draft.radiusKm = value
    },
  }),
  specialty: parameter({
    description: 'One of the specialties of the provider, case-insensitive.',
    kind: TEXT,
    examples: ['Dermatology'],
    put: (draft, value) => {
      draft.specialty = value
    },
  }),
  providerNpi: parameter({
    description: 'National Provider Identifier of a provider. A slot shows the first of several.',
    kind: form(/^[0-9]{10}$/, 'ten digits'),
    examples: ['1346271483'],
    put: (draft, value) => {
      draft.providerNpi = value
    },
  }),
  language: repeated({
    description:
      'Slots of providers or services with this language, a BCP 47 tag, case-insensitive: `es` also matches `es-MX`. May be repeated to match any of the values.',
    kind: form(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,7}$/, 'a BCP 47 language tag, such as es or es-MX'),
    examples: ['es'],
    put: (draft, value) => {
      draft.languages = withValue(draft.languages, value.toLowerCase())
    },
  }),
  identifier: repeated({
    description:
      'Slots with this identifier, or whose schedule, location, provider or service has it: the system, a vertical bar and the value, as published. May be repeated to match any of the values.',
    kind: form(/^[^|]{0,200}\|[^\n\r]{1,200}$/, 'system|value, such as https://clinic.example/rooms|12'),
    examples: ['http://hl7.org/fhir/sid/us-npi|1346271483'],
    put: (draft, value) => {
      draft.identifiers = withValue(draft.identifiers, value)
    },
  }),
  publisher: repeated({
    description: 'Slots of this publisher. May be repeated to match any of the values.',
    kind: TEXT,
    examples: ['sample'],
    put: (draft, value) => {
      draft.publishers = withValue(draft.publishers, value)
    },
  }),
  scheduleId: parameter({
    description: "Slots of the schedule with this id, which is the publisher's.",
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

/** Filters whose values the service can suggest. */
export const SUGGESTED_FILTERS = [
  'city',
  'serviceTypeCode',
  'appointmentType',
  'specialty',
  'publisher',
  'scheduleId',
  'actorKey',
  'providerNpi',
  'language',
] as const
export type SuggestedFilter = (typeof SUGGESTED_FILTERS)[number]

/** Parses the parameters of an operation with filters into a draft that has the defaults. Throws `InvalidParameter`. */
export function parseFilters<Draft extends FilterDraft>(
  search: string,
  table: ParameterTable<Draft>,
  draft: Draft,
): Draft {
  parseParameters(search, table, draft)
  if (draft.radiusKm === undefined) return draft
  if (draft.near === undefined)
    throw new InvalidParameter('radiusKm', `radiusKm requires near: got "${draft.radiusKm}" without it.`)
  draft.near = { ...draft.near, radiusKm: draft.radiusKm }
  return draft
}

/** Sorted and without duplicates, so that the order of parameters does not matter for caches and cursors. */
function withValue(values: readonly string[] | undefined, value: string): readonly string[] {
  if (values === undefined) return [value]
  return values.includes(value) ? values : [...values, value].sort()
}
