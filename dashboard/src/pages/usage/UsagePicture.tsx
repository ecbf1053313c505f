import { Group, Switch } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Legend } from '../../parts/Legend.tsx'
import { LoadingBlock } from '../../parts/states.tsx'
import { formatCount } from './figures.ts'
import type { PaintedSeries } from './paint.ts'
import palette from './palette.module.css'
import { Swatch } from './Swatch.tsx'
import { UsageTable } from './UsageTable.tsx'
import type { UsageSpan } from './usage-span.ts'

const CHART_HEIGHT = 280

// The chart's library is larger than all else on the page: the figures need not wait for it.
const UsageChart = lazy(async () => ({ default: (await import('./UsageChart.tsx')).UsageChart }))

/** Requests over time as a chart with its legend, or the same numbers as a table. `label` says what is shown. */
export function UsagePicture(props: { span: UsageSpan; series: readonly PaintedSeries[]; label: string }) {
  const [asTable, setAsTable] = useState(false)
  return (
    <div className={palette.palette}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Legend
          entries={props.series.map(({ color, texture, label, total }) => ({
            mark: <Swatch color={color} texture={texture} />,
            label,
            figure: formatCount(total),
          }))}
        />
        <Switch
          size="sm"
          label="Show as a table"
          checked={asTable}
          onChange={(event) => setAsTable(event.currentTarget.checked)}
        />
      </Group>
      {asTable ? (
        <UsageTable {...props} />
      ) : (
        <Suspense fallback={<LoadingBlock height={CHART_HEIGHT} />}>
          <UsageChart {...props} height={CHART_HEIGHT} />
        </Suspense>
      )}
    </div>
  )
}
