import { useMemo } from 'react'
import { now } from '../../api/now.ts'
import { useQuarterHour } from '../../components/use-quarter-hour.ts'
import { oneOfOrFirst, useSearchParams } from '../../components/use-search-params.ts'
import {
  daysBetween,
  daysLabel,
  periodOfDays,
  RANGE_DAYS,
  RANGE_LABELS,
  RANGES,
  type Range,
  type Step,
  stepsOf,
  type UsagePeriod,
  usagePeriod,
} from './usage-range.ts'

const GROUPS = ['status', 'key'] as const
const DEFAULT_RANGE: Range = '7d'

/** The state of the usage page, and a function that changes its URL. */
export type UsagePageState = ReturnType<typeof useUsageView>

/**
 * The state from the URL. The period is computed once per range and quarter of an hour, so that refetches use the same query key; it is undefined if
 * the two dates are not valid, and `dates.problem` says why.
 */
export function useUsageView() {
  const [search, change] = useSearchParams()
  const { from, to } = search
  const nowMs = useQuarterHour()
  const isCustom = search.range === 'custom'
  const range = search.range ? oneOfOrFirst(RANGES, search.range) : DEFAULT_RANGE
  const chosen = useMemo(() => (isCustom ? chosenDates(from, to) : chosenRange(range)), [isCustom, from, to, range])
  const isValid = typeof chosen === 'object'
  const steps = isValid ? stepsOf(chosen.days) : []
  const step = oneOfOrFirst(steps, search.step)
  const span = useMemo(
    () => (typeof chosen === 'object' ? chosen.periodOf(step, nowMs) : undefined),
    [chosen, step, nowMs],
  )
  return {
    range: isCustom ? ('custom' as const) : range,
    dates: { from, to, problem: isValid ? undefined : chosen },
    steps,
    step,
    group: oneOfOrFirst(GROUPS, search.by),
    isCompared: search.compare === '1',
    key: search.key,
    span,
    /** For sentences: "in the last 7 days". */
    label: isValid ? chosen.label : '',
    change,
  }
}

interface Chosen {
  readonly days: number
  readonly label: string
  periodOf(step: Step, nowMs: number): UsagePeriod
}

function chosenRange(range: Range): Chosen {
  return {
    days: RANGE_DAYS[range],
    label: `in the last ${RANGE_LABELS[range]}`,
    periodOf: (step, nowMs) => usagePeriod(range, step, nowMs),
  }
}

function chosenDates(from: string | undefined, to: string | undefined): Chosen | string {
  const days = daysBetween({ from, to }, now())
  if (typeof days === 'string') return days
  return {
    days: days.count,
    label: daysLabel(days),
    periodOf: (step, nowMs) => periodOfDays(days, step, nowMs),
  }
}
