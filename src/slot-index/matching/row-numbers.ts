// Hot path
import { lowestBit } from '../../lib/bits.ts'
import { RUN_ROWS_MAX } from '../runs/run-layout.ts'

const bits = new Uint32Array(Math.ceil(RUN_ROWS_MAX / 32))
/** Fewer rows are sorted sooner than all bits are read. */
const BITS_ROWS_MIN = 256

/** Sorts distinct row numbers of a run in place, in linear time: a bitmap sort. */
export function sortRowNumbers(rows: Uint16Array): Uint16Array {
  if (rows.length < BITS_ROWS_MIN) return rows.sort()
  bits.fill(0)
  for (let n = 0; n < rows.length; n++) bits[rows[n] >>> 5] |= 1 << (rows[n] & 31)
  let length = 0
  for (let n = 0; n < bits.length; n++)
    for (let word = bits[n]; word !== 0; word &= word - 1) rows[length++] = n * 32 + lowestBit(word)
  return rows
}
