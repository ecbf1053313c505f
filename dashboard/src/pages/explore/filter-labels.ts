import { ADVANCED_FILTER_GROUPS } from './advanced-filters.ts'
import { PATIENT_LABELS, STATUS_LABELS } from './api-slot.ts'
import type { ExploreState, Filter } from './explore-state.ts'
import { localInput } from './local-time.ts'
import { stateName } from './us-states.ts'

/** The label of a filter's field. */
export function filterLabel(filter: Filter): string {
  return LABELS.get(filter) ?? filter
}

/** The value of an active filter as people read it: `Massachusetts`, `Boston, MA (25 km)`. */
export function filterValue(filter: Filter, state: ExploreState): string {
  const value = state[filter] ?? ''
  return VALUES[filter]?.(value, state) ?? value
}

const LABELS: ReadonlyMap<Filter, string> = new Map<Filter, string>([
  ['state', 'State'],
  ['isVirtual', 'Visit type'],
  ['city', 'City'],
  ['startAfter', 'Starts after'],
  ['startBefore', 'Starts before'],
  ['status', 'Status'],
  ['near', 'Near'],
  ['radiusKm', 'Radius (km)'],
  ...ADVANCED_FILTER_GROUPS.flatMap(({ fields }) => fields.map(({ name, label }): [Filter, string] => [name, label])),
])

const VALUES: Readonly<Partial<Record<Filter, (value: string, state: ExploreState) => string | undefined>>> = {
  state: (value) => stateName(value.toUpperCase()),
  isVirtual: (value) => ({ true: 'Virtual', false: 'In person' })[value],
  startAfter: (value) => localInput(value).replace('T', ' ') || undefined,
  startBefore: (value) => localInput(value).replace('T', ' ') || undefined,
  status: (value) => STATUS_LABELS[value as keyof typeof STATUS_LABELS],
  acceptingPatients: (value) => PATIENT_LABELS[value],
  near: (value, { place = value, radiusKm = RADIUS_KM_DEFAULT }) => `${place} (${radiusKm} km)`,
}

/** The default of the list operation. */
export const RADIUS_KM_DEFAULT = '25'
