// Hot path
import { RUN_ROWS_MAX } from './runs/run-layout.ts'

/** Rows [firstRow, endRow) of a run. */
export interface RowRange {
  readonly firstRow: number
  readonly endRow: number
}

/** One bit per row of a run: collects rows in any order. Valid until the next `clearBits()`. */
export const rowBits = new Uint32Array(Math.ceil(RUN_ROWS_MAX / 32))

/** Clears the bits of a range, and those of its first and last word. */
export function clearBits({ firstRow, endRow }: RowRange): void {
  rowBits.fill(0, firstRow >>> 5, (endRow + 31) >>> 5)
}

/** Writes the rows of a range whose bit is set to `target`, ascending, and returns how many. */
export function writeMarked({ firstRow, endRow }: RowRange, target: Uint16Array): number {
  let length = 0
  for (let n = firstRow >>> 5; n < (endRow + 31) >>> 5; n++)
    for (let word = rowBits[n]; word !== 0; word &= word - 1) target[length++] = n * 32 + 31 - Math.clz32(word & -word)
  return length
}
