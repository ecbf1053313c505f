// Hot path
import type { ListPart } from './filtered-lists.ts'
import type { RowOrder } from './posting-list.ts'

/** The day that a moment belongs to, and when the next one begins, both in milliseconds since 1970. */
export type Calendar = (ms: number) => { readonly date: string; readonly endMs: number }

/** How many slots begin on a day. */
export interface DayCount {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly count: number
}

/** How many days are counted at most. */
export const DAYS_MAX = 60

/**
 * The first days on which slots of a part of a list begin, and how many begin later. Days without any cost nothing, the others a
 * search each. The part is in order of start.
 */
export function countDays(
  { list, from, to }: ListPart,
  order: RowOrder,
  calendar: Calendar,
): { days: DayCount[]; later: number } {
  const days: DayCount[] = []
  let position = from
  while (position < to && days.length < DAYS_MAX) {
    const { date, endMs } = calendar(order.startOf(list.at(position) as number))
    const end = Math.min(list.countBefore(endMs, order), to)
    days.push({ date, count: end - position })
    position = end
  }
  return { days, later: to - position }
}
