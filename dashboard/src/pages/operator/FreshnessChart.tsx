import { useId, useState } from 'react'
import { DAY_MS } from '../../../../src/lib/time.ts'
import { Chart, type Plot } from '../../components/chart/Chart.tsx'
import { StackedBars } from '../../components/chart/marks.tsx'
import { formatCompact, formatCount, formatNumberOf } from '../../components/format.ts'
import { LOCALE } from '../../components/locale.ts'
import { formatDateTime } from '../../components/visitor-time.ts'
import { TexturePattern } from '../usage/TexturePattern.tsx'
import type { FreshnessPoint } from './freshness.ts'

/** The slot count after each sync above the changes of each sync, in the same columns. */
export function FreshnessChart(props: { points: readonly FreshnessPoint[]; label: string; height: number }) {
  const id = useId()
  const { points } = props
  const activePoint = useState<number>()
  const formatTick = tickFormatter(points)
  const shared = {
    count: points.length,
    bands: true,
    isWhole: true,
    axisWidth: 52,
    tooltip: (point: number) => <PointTooltip point={points[point]} />,
    activePoint,
  }
  return (
    <>
      <Chart
        {...shared}
        height={Math.round(props.height * 0.58)}
        label={props.label}
        values={points.map(({ slots }) => slots)}
        formatValue={formatCompact}
      >
        {(plot) => <SlotCounts points={points} plot={plot} />}
      </Chart>
      <Chart
        {...shared}
        height={Math.round(props.height * 0.42)}
        label="Changes per sync"
        values={points.flatMap(({ added, changed, removed }) => [added + changed, removed])}
        formatValue={(value) => formatCompact(Math.abs(value))}
        pointLabel={(point) => formatTick(points[point].atMs)}
        labelGap={40}
      >
        {(plot) => (
          <>
            <defs>
              <TexturePattern id={id} color="var(--mark-changed)" texture="stripes" />
            </defs>
            <StackedBars
              plot={plot}
              gap={0.12}
              series={[
                { fill: 'var(--mark-slots)', values: points.map(({ added }) => added) },
                { fill: `url(#${id})`, values: points.map(({ changed }) => changed) },
                { fill: 'var(--mark-removed)', values: points.map(({ removed }) => removed) },
              ]}
            />
          </>
        )}
      </Chart>
    </>
  )
}

/** A step per sync. A cross marks a failed sync, so that color is not the only indicator. */
function SlotCounts({ points, plot }: { points: readonly FreshnessPoint[]; plot: Plot }) {
  const steps = points.map(({ slots }, n) => `${plot.x(n) - plot.step / 2} ${plot.y(slots)}h${plot.step}`).join('L')
  const color = 'var(--mark-slots)'
  return (
    <>
      <path d={`M0 ${plot.y(0)}L${steps}V${plot.y(0)}Z`} fill={color} fillOpacity={0.1} />
      <path d={`M${steps}`} stroke={color} strokeWidth={2} fill="none" />
      {points.map(({ atMs, slots, isFailed }, n) =>
        isFailed ? (
          <path
            key={atMs}
            d={`M${plot.x(n) - 4} ${plot.y(slots) - 4}l8 8m0 -8l-8 8`}
            stroke="var(--mark-failed)"
            strokeWidth={2}
          />
        ) : null,
      )}
    </>
  )
}

function PointTooltip({ point }: { point: FreshnessPoint }) {
  return (
    <>
      <strong>{formatDateTime(new Date(point.atMs))}</strong>
      <div>{formatNumberOf(point.slots, 'slot')}</div>
      <div>
        {point.isFailed
          ? 'Failed, nothing changed'
          : point.isFirst
            ? 'First sync: all slots were added'
            : `${formatCount(point.added)} added, ${formatCount(point.changed)} changed, ${formatCount(-point.removed)} removed`}
      </div>
    </>
  )
}

/** The time of day, with the date if the syncs span more than a day. */
function tickFormatter(points: readonly FreshnessPoint[]): (atMs: number) => string {
  const spanMs = (points[points.length - 1]?.atMs ?? 0) - (points[0]?.atMs ?? 0)
  const isLong = spanMs > DAY_MS
  return (atMs) =>
    new Date(atMs).toLocaleString(
      LOCALE,
      isLong ? { month: 'short', day: 'numeric', hour: 'numeric' } : { hour: 'numeric', minute: '2-digit' },
    )
}
