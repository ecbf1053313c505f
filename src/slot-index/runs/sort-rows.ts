// Hot path
import { MINUTE_MS } from '../../lib/time.ts'
import { compareIds, ID_WORD_BITS, idWordOf, RECORD_WORDS } from './row-record.ts'

/**
 * The rows of at most 65,536 records in order of (start, id). Sorts numbers that contain the beginning of the id, natively, and compares
 * only rows with the same.
 *
 *     52 …          …              15 … 0
 *     start         id, as much    row          the start in whole minutes if all are, since the first one
 *                   as fits
 */
export function orderOf(records: Uint32Array, startsMs: Float64Array): Uint32Array {
  const keys = keysOf(records, startsMs)
  keys.sort()
  const order = Uint32Array.from(keys, (key) => key % ROWS)
  const compare = (a: number, b: number) =>
    startsMs[a] - startsMs[b] || compareIds(records, a * RECORD_WORDS, records, b * RECORD_WORDS)
  for (let from = 0; from < keys.length; ) {
    const prefix = Math.floor(keys[from] / ROWS)
    let to = from + 1
    while (to < keys.length && Math.floor(keys[to] / ROWS) === prefix) to++
    if (to > from + 1) order.subarray(from, to).sort(compare)
    from = to
  }
  return order
}

const ROWS = 2 ** 16
/** Of an exact integer, without those of the row. */
const PREFIX_BITS = 37

function keysOf(records: Uint32Array, startsMs: Float64Array): Float64Array {
  let [firstMs, lastMs, unitMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, MINUTE_MS]
  for (const startMs of startsMs) {
    if (startMs < firstMs) firstMs = startMs
    if (startMs > lastMs) lastMs = startMs
    if (startMs % MINUTE_MS !== 0) unitMs = 1
  }
  const startBits = Math.ceil(Math.log2((lastMs - firstMs) / unitMs + 1))
  const idBits = Math.max(0, Math.min(ID_WORD_BITS, PREFIX_BITS - startBits))
  // Where starts have too many bits, several have one number.
  const stepMs = unitMs * 2 ** Math.max(0, startBits - PREFIX_BITS)
  const keys = new Float64Array(startsMs.length)
  for (let row = 0; row < keys.length; row++) {
    const start = Math.floor((startsMs[row] - firstMs) / stepMs)
    const id = idWordOf(records, row * RECORD_WORDS, 0) >>> (ID_WORD_BITS - idBits)
    keys[row] = (start * 2 ** idBits + id) * ROWS + row
  }
  return keys
}
