import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { formatLatency, formatTime } from '../../components/format.ts'
import type { HealthSample } from './HealthPage.tsx'

/** Event-loop delay, median and p99. The lines also differ in their dashes. */
export function HealthChart({ samples, height }: { samples: readonly HealthSample[]; height: number }) {
  return (
    <LineChart
      h={height}
      data={samples.map(({ atMs, p50Ms, p99Ms }) => ({ at: formatTime(new Date(atMs)), p50Ms, p99Ms }))}
      dataKey="at"
      series={[
        {
          name: 'p99Ms',
          label: '99th percentile (p99)',
          color: 'var(--mark-removed)',
          strokeDasharray: '6 3',
        },
        { name: 'p50Ms', label: 'Median (p50)', color: 'var(--mark-slots)' },
      ]}
      gridAxis="x"
      tickLine="none"
      withDots={samples.length < 3}
      valueFormatter={(ms) => (ms === 0 ? '0' : formatLatency(ms))}
      xAxisProps={{ minTickGap: 60 }}
      yAxisProps={{ width: 62, domain: [0, 'auto'] }}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={{ 'aria-label': 'Event-loop delay, median and p99' } as object}
    />
  )
}
