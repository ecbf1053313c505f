import { useId } from 'react'
import { Chart } from '../../components/chart/Chart.tsx'
import { StackedBars, TooltipRows } from '../../components/chart/marks.tsx'
import { formatCompact, formatCount } from '../../components/format.ts'
import type { StyledSeries } from './series-style.ts'
import { ColorSample, TexturePattern } from './TexturePattern.tsx'
import type { UsagePeriod } from './usage-range.ts'
import { barLabel, tickLabel } from './usage-range.ts'

/** Requests as stacked bars, the first series at the bottom. */
export function UsageChart(props: {
  span: UsagePeriod
  series: readonly StyledSeries[]
  label: string
  height: number
}) {
  const { span, series } = props
  const id = useId()
  return (
    <Chart
      height={props.height}
      label={props.label}
      count={span.starts.length}
      bands
      values={span.starts.map((_, bar) => series.reduce((total, { counts }) => total + counts[bar], 0))}
      isWhole
      formatValue={formatCompact}
      axisWidth={46}
      pointLabel={(bar) => tickLabel(span, span.starts[bar])}
      tooltip={(bar) => <BarTooltip span={span} series={series} bar={bar} />}
    >
      {(plot) => (
        <>
          <defs>
            {series.map((one) => (
              <TexturePattern key={one.id} id={`${id}${one.id}`} color={one.color} texture={one.texture} />
            ))}
          </defs>
          <StackedBars
            series={series.map((one) => ({ fill: `url(#${id}${one.id})`, values: one.counts }))}
            plot={plot}
            gap={0.16}
            maxWidth={44}
          />
        </>
      )}
    </Chart>
  )
}

/** The numbers of a bar, the top of the stack first. */
function BarTooltip({ span, series, bar }: { span: UsagePeriod; series: readonly StyledSeries[]; bar: number }) {
  const present = series.filter((one) => one.counts[bar] > 0).reverse()
  const title = barLabel(span, span.starts[bar])
  if (present.length === 0)
    return (
      <>
        <strong>{title}</strong>
        <div>No requests</div>
      </>
    )
  const rows = present.map(({ color, texture, label, counts }) => ({
    mark: <ColorSample color={color} texture={texture} />,
    label,
    value: formatCount(counts[bar]),
  }))
  return <TooltipRows title={title} rows={rows} />
}
