import type { HealthView } from '../../../../src/shared/contract/operator.ts'
import { Chart } from '../../components/chart/Chart.tsx'
import { LineSample } from '../../components/chart/Legend.tsx'
import { type Line, Lines, TooltipRows } from '../../components/chart/marks.tsx'
import { formatLatency } from '../../components/format.ts'
import { formatTime } from '../../components/visitor-time.ts'

/** Event-loop delay, median and p99. The lines also differ in their dashes. */
export function HealthChart({ samples, height }: { samples: HealthView['eventLoop']['past']; height: number }) {
  const lines: readonly (Line & { label: string })[] = [
    {
      label: '99th percentile (p99)',
      color: 'var(--mark-removed)',
      dashes: '6 3',
      values: samples.map(({ p99Ms }) => p99Ms),
    },
    { label: 'Median (p50)', color: 'var(--mark-slots)', values: samples.map(({ p50Ms }) => p50Ms) },
  ]
  const timeOf = (point: number) => formatTime(new Date(samples[point].atMs))
  return (
    <Chart
      height={height}
      label="Event-loop delay, median and p99"
      count={samples.length}
      values={samples.map(({ p99Ms }) => p99Ms)}
      formatValue={(ms) => (ms === 0 ? '0' : formatLatency(ms))}
      axisWidth={62}
      pointLabel={timeOf}
      labelGap={60}
      tooltip={(point) => (
        <TooltipRows
          title={timeOf(point)}
          rows={lines.map(({ label, color, dashes, values }) => ({
            mark: <LineSample color={color} dashes={dashes} />,
            label,
            value: formatLatency(values[point] ?? 0),
          }))}
        />
      )}
    >
      {(plot) => <Lines lines={lines} plot={plot} />}
    </Chart>
  )
}
