import type { SourceFilter, SourceOrder, SourceSortKey } from '../../../../src/shared/source-vocabulary.ts'
import { pageOf } from '../../components/page-number.ts'
import { HEALTH_LABELS } from './source-labels.ts'

/** The list of sources in the URL. */
export interface SourceListState {
  readonly search: string
  readonly health: SourceFilter | ''
  /** The common reason of the sources. */
  readonly reason: string
  readonly order: SourceOrder
  /** From 1. */
  readonly page: number
}

/** Labels of the orders; the first is the default. */
export const ORDER_LABELS: Readonly<Record<SourceOrder, string>> = {
  health: 'Worst first',
  '-health': 'Healthiest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  '-slots': 'Most slots first',
  slots: 'Fewest slots first',
  checked: 'Least recently checked first',
  '-checked': 'Most recently checked first',
  published: 'Oldest feed first',
  '-published': 'Newest feed first',
  changed: 'Least recently changed first',
  '-changed': 'Most recently changed first',
  next: 'Next sync first',
  '-next': 'Next sync last',
  '-added': 'Newest first',
  added: 'Oldest first',
}

/** Labels of the filters. */
export const FILTER_LABELS: Readonly<Record<SourceFilter, string>> = { attention: 'Needs attention', ...HEALTH_LABELS }

/** Parses query parameters; what is unknown counts as absent. */
export function parseSourceListState(search: Readonly<Record<string, unknown>>): SourceListState {
  const { search: text, health, reason, order, page } = search
  return {
    search: typeof text === 'string' ? text.slice(0, 200) : '',
    health: isKeyOf(FILTER_LABELS, health) ? health : '',
    reason: typeof reason === 'string' ? reason.slice(0, 300) : '',
    order: isKeyOf(ORDER_LABELS, order) ? order : 'health',
    page: pageOf(page),
  }
}

/** The conditions of the list, as the dashboard API takes them. */
export function sourceSearchOf({ search, health, reason }: SourceListState): SourceSearch {
  return { search: search || undefined, health: health || undefined, reason: reason || undefined }
}

/** The order after a click on the column's header: its first order, then the opposite one. */
export function nextOrder(order: SourceOrder, key: SourceSortKey): SourceOrder {
  const first: SourceOrder = key === 'slots' ? '-slots' : key
  return order === first ? oppositeOf(first) : first
}

/** The query parameters of a state, without defaults. */
export function formatSourceListState({
  search,
  health,
  reason,
  order,
  page,
}: SourceListState): Record<string, string> {
  return {
    ...(search !== '' && { search }),
    ...(health !== '' && { health }),
    ...(reason !== '' && { reason }),
    ...(order !== 'health' && { order }),
    ...(page !== 1 && { page: String(page) }),
  }
}

/** Which sources to list. */
export interface SourceSearch {
  readonly search: string | undefined
  readonly health: SourceFilter | undefined
  readonly reason: string | undefined
}

function oppositeOf(order: SourceOrder): SourceOrder {
  return (order.startsWith('-') ? order.slice(1) : `-${order}`) as SourceOrder
}

function isKeyOf<Key extends string>(labels: Readonly<Record<Key, string>>, value: unknown): value is Key {
  return typeof value === 'string' && Object.hasOwn(labels, value)
}
