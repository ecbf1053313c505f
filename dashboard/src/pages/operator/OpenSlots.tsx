import { Group, NativeSelect, SegmentedControl, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { OpenSlotsView } from '../../../../src/shared/source-shapes.ts'
import { openSlotsQuery } from '../../api/queries.ts'
import { Legend, Stroke } from '../../parts/Legend.tsx'
import { ErrorState, LoadingBlock } from '../../parts/states.tsx'
import palette from '../usage/palette.module.css'
import { OpenSlotsTable } from './OpenSlotsTable.tsx'
import { openLines, openPoints, openWords, type PastSpan } from './open-past.ts'

// The chart's library is larger than all else on the page: the figures need not wait for it.
const OpenSlotsChart = lazy(async () => ({ default: (await import('./OpenSlotsChart.tsx')).OpenSlotsChart }))

const HEIGHT = 260

/** How many slots of a source were open, in all and by state: by the hour for two weeks, or by the day for a year. */
export function OpenSlots({ slug }: { slug: string }) {
  const [span, setSpan] = useState<PastSpan>('14d')
  const past = useQuery(openSlotsQuery(slug, span))
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text size="sm" c="dimmed" maw={560}>
          Free, and not over yet; counted every hour. A slot that several states can use counts in each.
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="How far back"
          value={span}
          onChange={(value) => setSpan(value as PastSpan)}
          data={[
            { value: '14d', label: '14 days' },
            { value: '400d', label: '400 days' },
          ]}
        />
      </Group>
      {past.isPending && <LoadingBlock height={HEIGHT} />}
      {past.isError && <ErrorState error={past.error} onRetry={() => past.refetch()} />}
      {past.data && <Picture past={past.data} span={span} />}
    </>
  )
}

function Picture({ past, span }: { past: OpenSlotsView; span: PastSpan }) {
  const [chosen, setState] = useState('')
  const [asTable, setAsTable] = useState(false)
  const only = past.states.some(({ state }) => state === chosen) ? chosen : ''
  const lines = openLines(past, only)
  const points = openPoints(past, lines)
  if (points.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nobody has counted them yet. The first count comes within the hour.
      </Text>
    )
  }
  return (
    <div className={palette.palette}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Legend
          entries={lines.map(({ color, dashes, label }) => ({
            mark: <Stroke color={color} dashes={dashes} />,
            label,
          }))}
        />
        <Group gap="md">
          <StateSelect states={past.states.map(({ state }) => state)} value={only} onChange={setState} />
          <Switch
            size="sm"
            label="Show as a table"
            checked={asTable}
            onChange={(event) => setAsTable(event.currentTarget.checked)}
          />
        </Group>
      </Group>
      {asTable ? (
        <OpenSlotsTable lines={lines} points={points} span={span} />
      ) : (
        <Suspense fallback={<LoadingBlock height={HEIGHT} />}>
          <OpenSlotsChart
            lines={lines}
            points={points}
            span={span}
            label={openWords(points)}
            height={HEIGHT}
          />
        </Suspense>
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
      data={[{ value: '', label: 'States with the most' }, ...props.states.toSorted()]}
    />
  )
}
