/** The index of a value in ascending values, or -1. */
export function findAscending(values: ArrayLike<number>, value: number): number {
  let low = 0
  let high = values.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (values[middle] === value) return middle
    if (values[middle] < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}
