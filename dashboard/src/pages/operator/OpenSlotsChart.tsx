import { DAY_MS } from '../../../../src/lib/time.ts'
import { Chart } from '../../components/chart/Chart.tsx'
import { LineSample } from '../../components/chart/Legend.tsx'
import { Lines, TooltipRows } from '../../components/chart/marks.tsx'
import { formatCompact, formatCount } from '../../components/format.ts'
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
  const lengthMs = points[points.length - 1].atMs - points[0].atMs
  const formatTick = tickFormat(span, lengthMs)
  return (
    <Chart
      height={props.height}
      label={props.label}
      count={points.length}
      values={points.flatMap(({ counts }) => counts.filter((count) => count !== null))}
      isWhole
      formatValue={formatCompact}
      axisWidth={52}
      pointLabel={(point) => formatTick(points[point].atMs)}
      labelGap={40}
      {...(span === '14d' && lengthMs > 2 * DAY_MS && { labeled: dayStarts(points) })}
      tooltip={(point) => (
        <TooltipRows
          title={pointLabel(points[point].atMs, span)}
          rows={lines.map(({ label, color, dashes }, n) => ({
            mark: <LineSample color={color} dashes={dashes} />,
            label,
            value: countLabel(points[point].counts[n]),
          }))}
        />
      )}
    >
      {(plot) => (
        <Lines
          lines={lines.map((line, n) => ({ ...line, values: points.map(({ counts }) => counts[n]) }))}
          plot={plot}
        />
      )}
    </Chart>
  )
}

/** The first hour of each day in the visitor's zone, so that each day has one label. */
function dayStarts(points: readonly OpenPoint[]): number[] {
  const days = points.map(({ atMs }) => new Date(atMs).toDateString())
  return points.map((_, n) => n).filter((n) => n > 0 && days[n] !== days[n - 1])
}

function countLabel(count: number | null): string {
  return count === null ? 'no count' : formatCount(count)
}
