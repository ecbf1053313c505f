import { Tooltip } from '@mantine/core'
import { createContext, use, useEffect, useState } from 'react'
import { now } from '../api/now.ts'
import classes from './components.module.css'
import { formatAgo, formatUtc } from './format.ts'
import { formatDate, formatDateTime, formatDateTimeSeconds, formatTime } from './visitor-time.ts'

/** Whether the header of the table column names the zone. */
export const HeaderHasZone = createContext(false)

/**
 * A time in the visitor's zone, which it or the head of its column names; UTC on hover. `at` is in milliseconds since 1970 or an
 * RFC 3339 text. `as`: `ago` ("3 minutes ago", kept up to date), `date`, `datetime`, `seconds` (with the date) or `time`.
 */
export function Timestamp(props: { at: number | string; as?: 'ago' | 'date' | 'datetime' | 'seconds' | 'time' }) {
  const date = new Date(props.at)
  const as = props.as ?? 'datetime'
  const inTable = use(HeaderHasZone)
  const nowMs = useNow(as === 'ago')
  const label = (
    <>
      <div>{formatDateTime(date)}</div>
      <div>{formatUtc(date)}</div>
    </>
  )
  return (
    <Tooltip label={label} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={date.toISOString()} className={classes.when}>
        {as === 'ago' ? formatAgo(date, nowMs) : FORMATS[as](date, inTable)}
      </time>
    </Tooltip>
  )
}

const FORMATS = { date: formatDate, datetime: formatDateTime, seconds: formatDateTimeSeconds, time: formatTime }

function useNow(ticking: boolean): number {
  const [nowMs, setNowMs] = useState(now)
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setNowMs(now()), 15_000)
    return () => clearInterval(timer)
  }, [ticking])
  // A time after the last tick must not be in the future.
  return ticking ? Math.max(nowMs, now() - 15_000) : nowMs
}
