import { FILTER_PARAMETERS } from '../../../../src/slot/filter-parameters.ts'
import type { Filter } from './explore-state.ts'
import { PATIENTS_WORDS } from './served-slot.ts'

/** Filters that few need, as the form groups them. */
export const RARE_GROUPS: readonly RareGroup[] = [
  {
    legend: 'What',
    fields: [
      { name: 'serviceTypeCode', label: 'Service type code' },
      { name: 'appointmentType', label: 'Appointment type' },
      { name: 'acceptingPatients', label: 'Open to', words: PATIENTS_WORDS },
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
export const RARE: readonly Filter[] = RARE_GROUPS.flatMap(({ fields }) => fields.map(({ name }) => name))

/** What a value of a filter looks like, or is if none is given: as the API's own table says. */
export function exampleOf(name: Filter): string {
  const { examples, schema } = FILTER_PARAMETERS[name]
  return schema.default === undefined ? `Any, or ${examples[0]}` : String(schema.default)
}

export interface RareGroup {
  readonly legend: string
  readonly fields: readonly RareField[]
}

export interface RareField {
  readonly name: Filter
  readonly label: string
  /** Its values, if they are few, in words. */
  readonly words?: Readonly<Record<string, string>>
  /** It says nothing without this one. */
  readonly needs?: Filter
}
