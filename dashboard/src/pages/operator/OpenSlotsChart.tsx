import { DAY_MS } from '../../../../src/lib/time.ts'
import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { Fragment } from 'react'
import chart from '../../components/chart.module.css'
import { formatCompact, formatCount } from '../../components/format.ts'
import { LineSample } from '../../components/Legend.tsx'
import type { OpenLine, OpenPoint, OpenSlotsRange } from './open-slots-series.ts'
import { pointLabel, tickFormat } from './open-slots-series.ts'

/** Open slots as lines with different dashes; gaps where there is no count. */
export function OpenSlotsChart(props: {
  lines: readonly OpenLine[]
  points: readonly OpenPoint[]
  span: OpenSlotsRange
  label: string
  height: number
}) {
  const { lines, points, span } = props
  const lengthMs = (points[points.length - 1]?.atMs ?? 0) - (points[0]?.atMs ?? 0)
  return (
    <LineChart
      h={props.height}
      data={points.map(({ atMs, counts }) => ({
        atMs,
        ...Object.fromEntries(lines.map(({ label }, n) => [label, counts[n]])),
      }))}
      dataKey="atMs"
      series={lines.map(({ label, color, dashes }) => ({
        name: label,
        color,
        ...(dashes !== undefined && { strokeDasharray: dashes }),
      }))}
      connectNulls={false}
      curveType="linear"
      gridAxis="x"
      tickLine="none"
      withDots={points.length < 3}
      valueFormatter={formatCompact}
      xAxisProps={{
        tickFormatter: tickFormat(span, lengthMs),
        minTickGap: 40,
        ...(span === '14d' && lengthMs > 2 * DAY_MS && { ticks: dayStarts(points) }),
      }}
      yAxisProps={{ width: 52, allowDecimals: false, domain: [0, 'auto'] }}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={{ 'aria-label': props.label } as object}
      tooltipProps={{
        content: ({ label }) => <PointTooltip lines={lines} points={points} span={span} atMs={Number(label)} />,
      }}
    />
  )
}

/** The first hour of each day in the visitor's zone, so that each day has one tick. */
function dayStarts(points: readonly OpenPoint[]): number[] {
  const days = points.map(({ atMs }) => new Date(atMs).toDateString())
  return points.filter((_, n) => n > 0 && days[n] !== days[n - 1]).map(({ atMs }) => atMs)
}

function PointTooltip(props: {
  lines: readonly OpenLine[]
  points: readonly OpenPoint[]
  span: OpenSlotsRange
  atMs: number
}) {
  const point = props.points.find(({ atMs }) => atMs === props.atMs)
  if (point === undefined) return null
  return (
    <div className={chart.tooltip}>
      <strong>{pointLabel(point.atMs, props.span)}</strong>
      <dl>
        {props.lines.map(({ label, color, dashes }, n) => (
          <Fragment key={label}>
            <LineSample color={color} dashes={dashes} />
            <dt>{label}</dt>
            <dd>{countLabel(point.counts[n])}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}

function countLabel(count: number | null | undefined): string {
  return count === null || count === undefined ? 'no count' : formatCount(count)
}
