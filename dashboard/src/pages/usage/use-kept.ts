import { useState } from 'react'

/**
 * The value, or while it is outdated the last one that was not: a chart draws the data of the old period with that period until the
 * new data has arrived. `value` must be memoized.
 */
export function useKept<T>(value: T, isOutdated: boolean): T {
  const [kept, setKept] = useState(value)
  if (!isOutdated && kept !== value) setKept(value)
  return isOutdated ? kept : value
}
