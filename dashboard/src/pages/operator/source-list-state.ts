import type { SourceFilter, SourceOrder } from '../../../../src/shared/source-vocabulary.ts'
import { HEALTH_LABELS } from './source-labels.ts'

/** The list of sources in the URL. */
export interface SourceListState {
  readonly search: string
  readonly health: SourceFilter | ''
  readonly order: SourceOrder
  /** From 1. */
  readonly page: number
}

/** Labels of the orders; the first is the default. */
export const ORDER_LABELS: Readonly<Record<SourceOrder, string>> = {
  worst: 'Worst first',
  name: 'By name',
  slots: 'Most slots first',
  unchecked: 'Least recently checked first',
  newest: 'Newest first',
}

/** Labels of the filters. */
export const FILTER_LABELS: Readonly<Record<SourceFilter, string>> = { attention: 'Needs attention', ...HEALTH_LABELS }

/** Parses query parameters; what is unknown counts as absent. */
export function parseSourceListState(search: Readonly<Record<string, unknown>>): SourceListState {
  const { search: text, health, order, page } = search
  return {
    search: typeof text === 'string' ? text.slice(0, 200) : '',
    health: isKeyOf(FILTER_LABELS, health) ? health : '',
    order: isKeyOf(ORDER_LABELS, order) ? order : 'worst',
    page: /^[1-9]\d{0,5}$/.test(String(page)) ? Number(page) : 1,
  }
}

/** The query parameters of a state, without defaults. */
export function formatSourceListState({ search, health, order, page }: SourceListState): Record<string, string> {
  return {
    ...(search !== '' && { search }),
    ...(health !== '' && { health }),
    ...(order !== 'worst' && { order }),
    ...(page !== 1 && { page: String(page) }),
  }
}

function isKeyOf<Key extends string>(labels: Readonly<Record<Key, string>>, value: unknown): value is Key {
  return typeof value === 'string' && Object.hasOwn(labels, value)
}
