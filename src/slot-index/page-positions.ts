// Hot path

import type { Position } from '../slot/cursor.ts'
import type { Circle } from '../slot/geo-radius.ts'
import { distanceOf } from './distance-order.ts'
import type { ListPart } from './filtered-lists.ts'
import type { IndexState } from './index-state.ts'

/** How many rows of a part stand up to a position, whether or not its slot is still there. `circle`: where the list is in order of distance. */
export function countThrough(
  { list, from, to }: ListPart,
  after: Position,
  state: IndexState,
  circle: Circle | undefined,
): number {
  const id = Buffer.from(after.id, 'latin1')
  const { distanceKm = 0 } = after
  const count = list.countWhile((row) => {
    const farther = circle === undefined ? 0 : distanceOf(state, circle, row) - distanceKm
    return (farther || state.rows.compareTo(row, after.startMs, id)) <= 0
  })
  return Math.min(Math.max(count, from), to) - from
}

/** Where a row stands. */
export function positionOf(row: number, state: IndexState, circle: Circle | undefined): Position {
  const position = { startMs: state.rows.startOf(row), id: state.rows.idOf(row) }
  return circle === undefined ? position : { ...position, distanceKm: distanceOf(state, circle, row) }
}
