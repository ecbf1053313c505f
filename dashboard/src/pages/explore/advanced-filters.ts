import { PATIENT_LABELS } from './api-slot.ts'
import type { Filter } from './explore-state.ts'

/** Less common filters in the groups of the form. */
export const ADVANCED_FILTER_GROUPS: readonly AdvancedFilterGroup[] = [
  {
    legend: 'Service',
    fields: [
      { name: 'serviceTypeCode', label: 'Service type code' },
      { name: 'appointmentType', label: 'Appointment type' },
      { name: 'acceptingPatients', label: 'Accepting patients', labels: PATIENT_LABELS },
      { name: 'minDurationMinutes', label: 'Minimum minutes' },
    ],
  },
  {
    legend: 'Location',
    fields: [{ name: 'postalCode', label: 'Postal code starts with' }],
  },
  {
    legend: 'Provider and publisher',
    fields: [
      { name: 'specialty', label: 'Specialty' },
      { name: 'providerNpi', label: 'Provider NPI' },
      { name: 'language', label: 'Language' },
      { name: 'identifier', label: 'Identifier (system|value)' },
      { name: 'publisher', label: 'Publisher' },
      { name: 'scheduleId', label: 'Schedule ID' },
      { name: 'actorKey', label: 'Actor key' },
    ],
  },
]

/** All filters of these groups. */
export const ADVANCED_FILTERS: readonly Filter[] = ADVANCED_FILTER_GROUPS.flatMap(({ fields }) =>
  fields.map(({ name }) => name),
)

interface AdvancedFilterGroup {
  readonly legend: string
  readonly fields: readonly AdvancedFilter[]
}

export interface AdvancedFilter {
  readonly name: Filter
  readonly label: string
  /** Labels of its values, if they are few. */
  readonly labels?: Readonly<Record<string, string>>
}
