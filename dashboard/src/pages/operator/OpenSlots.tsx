import { Group, NativeSelect, SegmentedControl, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenSlotsView } from '../../../../src/shared/contract/sources.ts'
import { openSlotsQuery } from '../../api/source-queries.ts'
import { Legend, LineSample } from '../../components/chart/Legend.tsx'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { ErrorState, LoadingBlock } from '../../components/states.tsx'
import palette from '../usage/palette.module.css'
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
  const [asTable, setAsTable] = useState(false)
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
    <div className={palette.palette}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Legend
          entries={lines.map(({ color, dashes, label }) => ({
            mark: <LineSample color={color} dashes={dashes} />,
            label,
          }))}
        />
        <Group gap="md">
          <StateSelect states={past.states.map(({ state }) => state)} value={only} onChange={setState} />
          <Switch
            size="sm"
            label="Show as table"
            checked={asTable}
            onChange={(event) => setAsTable(event.currentTarget.checked)}
          />
        </Group>
      </Group>
      {asTable ? (
        <OpenSlotsTable lines={lines} points={points} span={span} />
      ) : (
        <OpenSlotsChart lines={lines} points={points} span={span} label={openSlotsSummary(points)} height={HEIGHT} />
      )}
    </div>
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

/** The numbers of the chart, newest first. */
function OpenSlotsTable(props: { lines: readonly OpenLine[]; points: readonly OpenPoint[]; span: OpenSlotsRange }) {
  const rows = props.points.filter(({ counts: [all] }) => all !== null).toReversed()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable
    <section className={palette.scroller} tabIndex={0} aria-label="Open slots, as a table">
      <DataTable
        caption="Open slots"
        columns={columnsOf(props.lines, props.span)}
        rows={rows}
        rowKey={({ atMs }) => String(atMs)}
        dense
      />
    </section>
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
