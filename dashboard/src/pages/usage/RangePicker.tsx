import { SegmentedControl } from '@mantine/core'
import type { Range } from './usage-range.ts'

const LABELS: Readonly<Record<Range, string>> = { '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d' }

/** The time range. */
export function RangePicker(props: { ranges: readonly Range[]; value: Range; onChange: (range: Range) => void }) {
  return (
    <SegmentedControl
      size="sm"
      aria-label="Time range"
      data={props.ranges.map((value) => ({ value, label: LABELS[value] }))}
      value={props.value}
      onChange={(value) => props.onChange(value as Range)}
    />
  )
}
