import { Group, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenSlotsView } from '../../../../src/shared/contract/sources.ts'
import { openSlotsQuery } from '../../api/source-queries.ts'
import { LineSample } from '../../components/chart/Legend.tsx'
import type { TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { ErrorState, LoadingBlock } from '../../components/states.tsx'
import { ChartOrTable } from '../usage/ChartOrTable.tsx'
import { OpenSlotsChart } from './OpenSlotsChart.tsx'
import {
  type OpenLine,
  type OpenPoint,
  type OpenSlotsRange,
  openLines,
  openPoints,
  openSlotsSummary,
  pointLabel,
} from './open-slots-series.ts'

const HEIGHT = 260

/** Open slots of a source over time, in total and by state: hourly for 14 days, or daily for 400 days. */
export function OpenSlots({ slug }: { slug: string }) {
  const [span, setSpan] = useState<OpenSlotsRange>('14d')
  const past = useQuery(openSlotsQuery(slug, span))
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text size="sm" c="dimmed" maw={560}>
          Free slots in the future, counted every hour. Slots available in several states count in each.
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Time range"
          value={span}
          onChange={(value) => setSpan(value as OpenSlotsRange)}
          data={[
            { value: '14d', label: '14 days' },
            { value: '400d', label: '400 days' },
          ]}
        />
      </Group>
      {past.isPending && <LoadingBlock height={HEIGHT} />}
      {past.isError && <ErrorState error={past.error} onRetry={() => past.refetch()} />}
      {past.data && <OpenSlotsHistory past={past.data} span={span} />}
    </>
  )
}

function OpenSlotsHistory({ past, span }: { past: OpenSlotsView; span: OpenSlotsRange }) {
  const [chosen, setState] = useState('')
  const only = past.states.some(({ state }) => state === chosen) ? chosen : ''
  const lines = openLines(past, only)
  const points = openPoints(past, lines)
  if (points.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No counts yet. The first one appears within a minute of the first good sync.
      </Text>
    )
  }
  return (
    <ChartOrTable
      legend={lines.map(({ color, dashes, label }) => ({ mark: <LineSample color={color} dashes={dashes} />, label }))}
      controls={<StateSelect states={past.states.map(({ state }) => state)} value={only} onChange={setState} />}
      chart={
        <OpenSlotsChart lines={lines} points={points} span={span} label={openSlotsSummary(points)} height={HEIGHT} />
      }
      label="Open slots"
      columns={columnsOf(lines, span)}
      rows={points.filter(({ counts: [all] }) => all !== null).toReversed()}
      rowKey={({ atMs }) => String(atMs)}
    />
  )
}

function StateSelect(props: { states: readonly string[]; value: string; onChange: (state: string) => void }) {
  if (props.states.length < 2) return null
  return (
    <NativeSelect
      size="xs"
      aria-label="State"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      data={[{ value: '', label: 'Top states' }, ...props.states.toSorted()]}
    />
  )
}

function columnsOf(lines: readonly OpenLine[], span: OpenSlotsRange): TableColumn<OpenPoint>[] {
  return [
    {
      key: 'at',
      header: span === '14d' ? 'Hour' : 'Day (UTC)',
      isTime: span === '14d',
      isRowHeader: true,
      render: ({ atMs }) => pointLabel(atMs, span),
    },
    ...lines.map(({ state, label }, n) => ({
      key: state || 'all',
      header: label,
      align: 'end' as const,
      render: ({ counts }: OpenPoint) => countLabel(counts[n]),
    })),
  ]
}

function countLabel(count: number | null | undefined): string {
  return count === null || count === undefined ? '–' : formatCount(count)
}
