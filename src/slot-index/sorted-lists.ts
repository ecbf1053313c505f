// Hot path: searches in ascending numbers.

/** Where the n-th of several lists begins that follow each other and end at `ends`. */
export function beginOf(ends: Uint16Array | Uint32Array, n: number): number {
  return n === 0 ? 0 : ends[n - 1]
}

/** The place of a value in an ascending list; -1 if it is absent. */
export function placeIn(values: Uint32Array, value: number): number {
  const { length } = values
  if (length === 0 || value > values[length - 1]) return -1
  const guess = Math.floor((value * length) / (values[length - 1] + 1))
  const place = placeNear(values, { from: 0, to: length }, value, guess)
  return values[place] === value ? place : -1
}

/** The place of the first number of an ascending list that is not below a value. */
export function placeFrom(values: Uint32Array | Float64Array, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a search near a guess begins to widen: half a cache line. */
const STRIDE = 16

/**
 * The place of the first of the ascending values [from, to) that is not below a value: an exponential search from a guess, which reads
 * two or three cache lines where a binary search reads one per halving.
 */
export function placeNear(
  values: Uint16Array | Uint32Array,
  { from, to }: { readonly from: number; readonly to: number },
  value: number,
  guess: number,
): number {
  if (from >= to) return from
  let low = from
  let high = to
  let at = Math.max(from, Math.min(guess, to - 1))
  let stride = STRIDE
  if (values[at] < value) {
    do {
      low = at + 1
      at += stride
      stride *= 4
    } while (at < to && values[at] < value)
    high = Math.min(at, to)
  } else {
    while (at >= from && values[at] >= value) {
      high = at
      at -= stride
      stride *= 4
    }
    low = Math.max(from, at + 1)
  }
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Number of rows before `row` in the ascending rows [from, to). */
export function rankIn(rows: Uint16Array, from: number, to: number, row: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows[middle] < row) low = middle + 1
    else high = middle
  }
  return low - from
}
