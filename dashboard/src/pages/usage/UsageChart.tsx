import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { useId, useMemo } from 'react'
import chart from '../../components/chart.module.css'
import { formatCompact, formatCount } from '../../components/format.ts'
import palette from './palette.module.css'
import type { StyledSeries } from './series-style.ts'
import { ColorSample, TexturePattern } from './TexturePattern.tsx'
import type { UsagePeriod } from './usage-range.ts'
import { barLabel, tickLabel } from './usage-range.ts'

/** Requests as stacked bars, the first series at the bottom. Arrow keys move between bars. */
export function UsageChart(props: {
  span: UsagePeriod
  series: readonly StyledSeries[]
  label: string
  height: number
}) {
  const { span, series } = props
  const id = useId()
  const rows = useMemo(
    () =>
      span.starts.map((start, bar) => ({
        start,
        ...Object.fromEntries(series.map((one) => [one.id, one.counts[bar]])),
      })),
    [span, series],
  )
  return (
    <BarChart
      className={palette.palette}
      h={props.height}
      data={rows}
      dataKey="start"
      type="stacked"
      series={series.map((one) => ({ name: one.id, label: one.label, color: `url(#${id}${one.id})` }))}
      valueFormatter={formatCompact}
      gridAxis="x"
      tickLine="none"
      maxBarWidth={44}
      xAxisProps={{
        tickFormatter: (start: number) => tickLabel(span, start),
        minTickGap: 24,
        interval: 'equidistantPreserveStart',
      }}
      yAxisProps={{ width: 46, allowDecimals: false }}
      barChartProps={{ barCategoryGap: '16%', 'aria-label': props.label } as object}
      tooltipProps={{
        content: ({ label }) => <BarTooltip span={span} series={series} startMs={Number(label)} />,
      }}
    >
      <defs>
        {series.map((one) => (
          <TexturePattern key={one.id} id={`${id}${one.id}`} color={one.color} texture={one.texture} />
        ))}
      </defs>
    </BarChart>
  )
}

/** The numbers of a bar, the top of the stack first. */
function BarTooltip(props: { span: UsagePeriod; series: readonly StyledSeries[]; startMs: number }) {
  const bar = props.span.starts.indexOf(props.startMs)
  if (bar < 0) return null
  const present = props.series.filter((one) => one.counts[bar] > 0).reverse()
  return (
    <div className={chart.tooltip}>
      <strong>{barLabel(props.span, props.startMs)}</strong>
      {present.length === 0 && <div>No requests</div>}
      {present.length > 0 && (
        <dl>
          {present.map((one) => (
            <TooltipRow key={one.id} series={one} count={one.counts[bar]} />
          ))}
        </dl>
      )}
    </div>
  )
}

function TooltipRow({ series, count }: { series: StyledSeries; count: number }) {
  return (
    <>
      <ColorSample color={series.color} texture={series.texture} />
      <dt>{series.label}</dt>
      <dd>{formatCount(count)}</dd>
    </>
  )
}
