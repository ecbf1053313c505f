import type { IndexState } from './index-state.ts'
import type { RowVector } from './row-vector.ts'

/**
 * Takes rows that are in no list any more out of the table of ids, and frees them, each once; those that an open moment has,
 * when it is closed. Not while a change is in the making: it counts on the offerings that it has found. Yields between
 * pieces of the work.
 */
export function* retireRows(state: IndexState, gone: RowVector): Generator<void, void> {
  const { ids, snapshots } = state
  snapshots.defer(gone)
  for (let n = 0; n < gone.length; n++) {
    ids.remove(gone.rows[n])
    yield
  }
  yield* retireFreed(state)
}

/** Frees the rows that waited for moments which have been closed since. */
export function* retireFreed(state: IndexState): Generator<void, void> {
  const { rows, offerings, snapshots } = state
  for (let freed = snapshots.takeFreed(); freed !== undefined; freed = snapshots.takeFreed()) {
    for (let n = 0; n < freed.length; n++) {
      const row = freed.rows[n]
      offerings.release(rows.offeringOf(row))
      rows.remove(row)
      yield
    }
  }
  yield* rows.arena.compact(rows)
  yield* offerings.arena.compact(offerings)
}
