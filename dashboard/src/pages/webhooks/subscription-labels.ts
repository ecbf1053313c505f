import type { DeliveryView, SubscriptionView } from '../../../../src/shared/contract/subscriptions.ts'
import { formatCount } from '../../components/format.ts'
import { activeFilters, type ExploreState, FILTERS, type Filter, parseExploreState } from '../explore/explore-state.ts'
import { filterLabel, filterValue } from '../explore/filter-labels.ts'

export const SUBSCRIPTION_STATUS_LABELS: Readonly<
  Record<SubscriptionView['status'], { readonly color: string; readonly label: string }>
> = {
  pending: { color: 'yellow', label: 'Pending' },
  active: { color: 'teal', label: 'Active' },
  paused: { color: 'gray', label: 'Paused' },
  disabled: { color: 'red', label: 'Disabled' },
}

export const DELIVERY_STATUS_LABELS: Readonly<
  Record<DeliveryView['status'], { readonly color: string; readonly label: string }>
> = {
  queued: { color: 'blue', label: 'Queued' },
  delivered: { color: 'teal', label: 'Delivered' },
  failed: { color: 'red', label: 'Failed' },
  canceled: { color: 'gray', label: 'Canceled' },
}

const EVENT_LABELS: Readonly<Record<string, string>> = {
  'slots.opened': 'Slots opened',
  'slots.closed': 'Slots closed',
  'subscription.verification': 'Verification',
  'subscription.test': 'Test',
}

/** The label of an event type; the type itself if it is unknown. */
export function eventLabel(type: string): string {
  return EVENT_LABELS[type] ?? type
}

/** The host of a URL, with its port; the URL itself if it is invalid. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** A filter and its values as people read them: `State` and `Massachusetts, Vermont`. */
export interface FilterWords {
  readonly filter: Filter
  readonly label: string
  readonly value: string
}

/** The filters of a query string in words, in the order of the form; empty for all slots. */
export function filterWords(filters: string): FilterWords[] {
  const parameters = new URLSearchParams(filters)
  const first = stateOf(filters)
  return activeFilters(first).map((filter) => {
    const values = parameters.getAll(filter).map((value) => filterValue(filter, { ...first, [filter]: value }))
    return { filter, label: filterLabel(filter), value: values.join(', ') }
  })
}

/** The state of the filter form for a query string: of a repeated filter, the first value. */
export function stateOf(filters: string): ExploreState {
  const parameters = new URLSearchParams(filters)
  return parseExploreState(Object.fromEntries(FILTERS.map((name) => [name, parameters.get(name) ?? ''])))
}

/** The query string of the filters of a state. */
export function filtersOf(state: ExploreState): string {
  return String(new URLSearchParams(FILTERS.flatMap((name) => (state[name] ? [[name, state[name]]] : []))))
}

const HELD_BACK_LABELS: Readonly<Record<string, string>> = {
  flap: 'returned within ten minutes',
  firstSync: 'in the first sync of a source',
  heldSource: 'of a source held for review',
  logGap: 'after a gap in the change log',
}

/** Matches that were not sent, by rule: `3 returned within ten minutes`. */
export function heldBackWords({ heldBack }: Pick<SubscriptionView, 'heldBack'>): string[] {
  return Object.entries(heldBack)
    .filter(([, count]) => count > 0)
    .map(([rule, count]) => `${formatCount(count)} ${HELD_BACK_LABELS[rule] ?? rule}`)
}

/** Number of matches that were not sent. */
export function heldBackTotal({ heldBack }: Pick<SubscriptionView, 'heldBack'>): number {
  return Object.values(heldBack).reduce((sum, count) => sum + count, 0)
}

/** "10 seconds", "1 minute", "24 hours". */
export function intervalLabel(seconds: number): string {
  const [size, unit] = seconds % 3600 === 0 ? [3600, 'hour'] : seconds % 60 === 0 ? [60, 'minute'] : [1, 'second']
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
