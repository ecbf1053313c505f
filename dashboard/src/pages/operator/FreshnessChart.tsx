import { DAY_MS } from '../../../../src/lib/time.ts'
import '@mantine/charts/styles.css'
import { AreaChart, BarChart } from '@mantine/charts'
import { Box } from '@mantine/core'
import { useId } from 'react'
import type { DotItemDotProps } from 'recharts'
import chart from '../../components/chart.module.css'
import { formatCompact, formatCount, formatDateTime } from '../../components/format.ts'
import { TexturePattern } from '../usage/TexturePattern.tsx'
import type { FreshnessPoint } from './freshness.ts'

/** The slot count above the changes of each sync, on one time axis. */
export function FreshnessChart(props: { points: readonly FreshnessPoint[]; label: string; height: number }) {
  const id = useId()
  const points = [...props.points]
  const axis = { tickFormatter: tickFormatter(points), minTickGap: 40 }
  const tooltip = {
    content: ({ label }: { label?: unknown }) => <PointTooltip points={points} atMs={Number(label)} />,
  }
  return (
    <>
      <AreaChart
        h={Math.round(props.height * 0.58)}
        data={points}
        dataKey="atMs"
        series={[{ name: 'slots', label: 'Slots', color: 'var(--mark-slots)' }]}
        curveType="stepAfter"
        withDots={false}
        fillOpacity={0.14}
        gridAxis="x"
        tickLine="none"
        withXAxis={false}
        valueFormatter={formatCompact}
        yAxisProps={{ width: 52, allowDecimals: false }}
        areaProps={{ dot: FailureMark, isAnimationActive: false }}
        areaChartProps={{ syncId: 'freshness', 'aria-label': props.label } as object}
        tooltipProps={tooltip}
      />
      <Box mt={6}>
        <BarChart
          h={Math.round(props.height * 0.42) - 6}
          data={points}
          dataKey="atMs"
          type="stacked"
          series={[
            { name: 'added', label: 'Added', color: 'var(--mark-slots)' },
            { name: 'changed', label: 'Changed', color: `url(#${id}changed)` },
            { name: 'removed', label: 'Removed', color: 'var(--mark-removed)' },
          ]}
          gridAxis="x"
          tickLine="none"
          xAxisProps={axis}
          yAxisProps={{ width: 52, allowDecimals: false }}
          valueFormatter={(value) => formatCompact(Math.abs(value))}
          barProps={{ isAnimationActive: false }}
          barChartProps={
            {
              syncId: 'freshness',
              stackOffset: 'sign',
              barCategoryGap: '12%',
              'aria-label': 'Changes per sync',
            } as object
          }
          tooltipProps={tooltip}
        >
          <defs>
            <TexturePattern id={`${id}changed`} color="var(--mark-changed)" texture="stripes" />
          </defs>
        </BarChart>
      </Box>
    </>
  )
}

/** A cross marks a failed sync, so that color is not the only indicator. */
function FailureMark({ cx, cy, payload, index }: DotItemDotProps) {
  const key = `mark-${index}`
  if (typeof cx !== 'number' || typeof cy !== 'number' || !payload?.isFailed) return <g key={key} />
  return (
    <path key={key} d={`M${cx - 4} ${cy - 4}l8 8m0 -8l-8 8`} stroke="var(--mark-failed)" strokeWidth={2} fill="none" />
  )
}

function PointTooltip({ points, atMs }: { points: readonly FreshnessPoint[]; atMs: number }) {
  const point = points.find((one) => one.atMs === atMs)
  if (point === undefined) return null
  return (
    <div className={chart.tooltip}>
      <strong>{formatDateTime(new Date(atMs))}</strong>
      <div>{formatCount(point.slots)} slots</div>
      <div>
        {point.isFailed
          ? 'Failed, nothing changed'
          : `${formatCount(point.added)} added, ${formatCount(point.changed)} changed, ${formatCount(-point.removed)} removed`}
      </div>
    </div>
  )
}

/** The time of day, with the date if the syncs span more than a day. */
function tickFormatter(points: readonly FreshnessPoint[]): (atMs: number) => string {
  const spanMs = (points[points.length - 1]?.atMs ?? 0) - (points[0]?.atMs ?? 0)
  const isLong = spanMs > DAY_MS
  return (atMs) =>
    new Date(atMs).toLocaleString(
      undefined,
      isLong ? { month: 'short', day: 'numeric', hour: 'numeric' } : { hour: 'numeric', minute: '2-digit' },
    )
}
