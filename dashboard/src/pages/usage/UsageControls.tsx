import { Group, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { now } from '../../api/now.ts'
import { dayOf } from '../../components/visitor-time.ts'
import { KeySelect } from '../keys/KeySelect.tsx'
import { RangePicker } from './RangePicker.tsx'
import { RANGES } from './usage-range.ts'
import type { UsagePageState } from './usage-view.ts'

/** The time range, the comparison and the filters of the usage page. Their state is in the URL. */
export function UsageControls({ org, view }: { org: string; view: UsagePageState }) {
  const { change, steps, span } = view
  return (
    <Group gap="sm" align="flex-start">
      <RangePicker
        ranges={[...RANGES, 'custom']}
        value={view.range}
        onChange={(range) => {
          const dates = range === 'custom' && span && { from: dayOf(span.fromMs), to: dayOf(span.toMs - 1) }
          change({ range, step: undefined, ...(dates || { from: undefined, to: undefined }) })
        }}
      />
      {view.range === 'custom' && <Dates view={view} />}
      {steps.length > 1 && (
        <SegmentedControl
          size="sm"
          aria-label="Bar size"
          data={steps.map((value) => ({ value, label: value === 'day' ? 'By day' : 'By hour' }))}
          value={view.step}
          onChange={(step) => change({ step })}
        />
      )}
      <SegmentedControl
        size="sm"
        aria-label="Group by"
        data={[
          { value: 'status', label: 'By status' },
          { value: 'key', label: 'By key' },
        ]}
        value={view.group}
        onChange={(by) => change({ by })}
      />
      <KeySelect size="sm" w={240} aria-label="Key" org={org} value={view.key} onChange={(key) => change({ key })} />
      <Switch
        size="sm"
        mt={8}
        label="Compare with the previous period"
        checked={view.isCompared}
        onChange={(event) => change({ compare: event.currentTarget.checked ? '1' : undefined })}
      />
    </Group>
  )
}

function Dates({ view: { dates, change } }: { view: UsagePageState }) {
  const field = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      size="sm"
      aria-label={label}
      max={dayOf(now())}
      value={dates[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
      error={name === 'to' ? dates.problem : dates.problem !== undefined}
    />
  )
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      {field('from', 'First day')}
      {field('to', 'Last day')}
    </Group>
  )
}
