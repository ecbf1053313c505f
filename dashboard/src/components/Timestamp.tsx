import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import classes from './components.module.css'
import { formatAgo, formatDate, formatDateTime, formatDateTimeSeconds, formatTime, formatUtc } from './format.ts'

/**
 * A time in the visitor's zone; UTC and the publisher's own text on hover. `at` is in milliseconds since 1970 or an
 * RFC 3339 text. `as`: `ago` ("3 minutes ago", kept up to date), `date`, `datetime`, `seconds` (with the date) or `time`.
 */
export function Timestamp(props: {
  at: number | string
  as?: 'ago' | 'date' | 'datetime' | 'seconds' | 'time'
  /** The time as published, with its offset. */
  source?: string
}) {
  const date = new Date(props.at)
  const as = props.as ?? 'datetime'
  const nowMs = useNow(as === 'ago')
  const text = FORMATS[as](date, nowMs)
  const label = (
    <>
      {as !== 'datetime' && as !== 'seconds' && <div>{formatDateTime(date)}</div>}
      <div>{formatUtc(date)}</div>
      {props.source && <div>Publisher: {props.source}</div>}
    </>
  )
  return (
    <Tooltip label={label} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={date.toISOString()} className={classes.when}>
        {text}
      </time>
    </Tooltip>
  )
}

const FORMATS = {
  ago: formatAgo,
  date: formatDate,
  datetime: formatDateTime,
  seconds: formatDateTimeSeconds,
  time: formatTime,
}

function useNow(ticking: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setNowMs(Date.now()), 15_000)
    return () => clearInterval(timer)
  }, [ticking])
  // A time after the last tick must not be in the future.
  return ticking ? Math.max(nowMs, Date.now() - 15_000) : nowMs
}
