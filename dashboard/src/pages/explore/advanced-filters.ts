import { FILTER_PARAMETERS } from '../../../../src/slot/filter-parameters.ts'
import { PATIENT_LABELS } from './api-slot.ts'
import type { Filter } from './explore-state.ts'

/** Filters that few need, as the form groups them. */
export const ADVANCED_FILTER_GROUPS: readonly AdvancedFilterGroup[] = [
  {
    legend: 'What',
    fields: [
      { name: 'serviceTypeCode', label: 'Service type code' },
      { name: 'appointmentType', label: 'Appointment type' },
      { name: 'acceptingPatients', label: 'Open to', words: PATIENT_LABELS },
      { name: 'minDurationMinutes', label: 'Minutes at least' },
    ],
  },
  {
    legend: 'Where',
    fields: [
      { name: 'postalCode', label: 'Postal code begins with' },
      { name: 'near', label: 'Near (latitude, longitude)' },
      { name: 'radiusKm', label: 'Kilometres from there', needs: 'near' },
    ],
  },
  {
    legend: 'Whose',
    fields: [
      { name: 'specialty', label: 'Specialty' },
      { name: 'providerNpi', label: 'NPI of the provider' },
      { name: 'publisher', label: 'Publisher' },
      { name: 'scheduleId', label: 'Schedule' },
      { name: 'actorKey', label: 'Key of an actor' },
    ],
  },
]

/** Every filter of these groups. */
export const ADVANCED_FILTERS: readonly Filter[] = ADVANCED_FILTER_GROUPS.flatMap(({ fields }) =>
  fields.map(({ name }) => name),
)

/** What a value of a filter looks like, or is if none is given: as the API's own table says. */
export function exampleOf(name: Filter): string {
  const { examples, schema } = FILTER_PARAMETERS[name]
  return schema.default === undefined ? `Any, or ${examples[0]}` : String(schema.default)
}

export interface AdvancedFilterGroup {
  readonly legend: string
  readonly fields: readonly AdvancedFilter[]
}

export interface AdvancedFilter {
  readonly name: Filter
  readonly label: string
  /** Its values, if they are few, in words. */
  readonly words?: Readonly<Record<string, string>>
  /** It says nothing without this one. */
  readonly needs?: Filter
}
