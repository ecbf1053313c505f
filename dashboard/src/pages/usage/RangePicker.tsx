import { SegmentedControl } from '@mantine/core'
import type { Range } from './usage-range.ts'

/** Up to now, or the days between two dates. */
export type RangeChoice = Range | 'custom'

const LABELS: Readonly<Record<RangeChoice, string>> = {
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
  '90d': '90 d',
  custom: 'Custom',
}

/** The time range. */
export function RangePicker<R extends RangeChoice>(props: {
  ranges: readonly R[]
  value: R
  onChange: (range: R) => void
}) {
  return (
    <SegmentedControl
      size="sm"
      aria-label="Time range"
      data={props.ranges.map((value) => ({ value, label: LABELS[value] }))}
      value={props.value}
      onChange={(value) => props.onChange(value as R)}
    />
  )
}
