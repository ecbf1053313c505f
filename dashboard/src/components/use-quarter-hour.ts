import { useEffect, useState } from 'react'
import { MINUTE_MS } from '../../../src/lib/time.ts'
import { now } from '../api/now.ts'

/** Hours and days of all zones begin with a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS

/** How long after its start a quarter is noticed at most. Timers of a sleeping computer stand still, so one per quarter would be late. */
const CHECK_MS = 15_000

/** The start of the current quarter of an hour. A page that stays open is rendered again in each. */
export function useQuarterHour(): number {
  const [startMs, setStartMs] = useState(currentQuarter)
  useEffect(() => {
    const timer = setInterval(() => setStartMs(currentQuarter()), CHECK_MS)
    return () => clearInterval(timer)
  }, [])
  return startMs
}

function currentQuarter(): number {
  return Math.floor(now() / QUARTER_MS) * QUARTER_MS
}
