import { Fragment, type ReactNode } from 'react'
import type { Plot } from './Chart.tsx'
import classes from './chart.module.css'
import { linePath, stack } from './scale.ts'

/** A line with gaps where there is no value. */
export interface Line {
  readonly color: string
  readonly dashes?: string | undefined
  readonly values: readonly (number | null)[]
}

/** Lines, with a dot on each at the highlighted point, and at all points if these are too few for a line. */
export function Lines({ lines, plot }: { lines: readonly Line[]; plot: Plot }) {
  return lines.map(({ color, dashes, values }, n) => {
    const points = values.map((value, at) => (value === null ? undefined : ([plot.x(at), plot.y(value)] as const)))
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order of the lines is fixed
      <g key={n}>
        <path d={linePath(points)} className={classes.line} stroke={color} strokeDasharray={dashes} />
        {points.map((point, at) =>
          point !== undefined && (points.length < 3 || at === plot.active) ? (
            <circle key={point[0]} cx={point[0]} cy={point[1]} r={4} fill={color} />
          ) : null,
        )}
      </g>
    )
  })
}

/** Bars in a stack per point, the first series innermost. `gap` is the share of a band without a bar. */
export function StackedBars(props: {
  series: readonly { readonly fill: string; readonly values: readonly number[] }[]
  plot: Plot
  gap: number
  maxWidth?: number
}) {
  const { series, plot } = props
  const width = Math.min(plot.step * (1 - props.gap), props.maxWidth ?? Number.POSITIVE_INFINITY)
  const count = series[0]?.values.length ?? 0
  return Array.from({ length: count }, (_, point) =>
    stack(series.map(({ values }) => values[point])).map(({ from, to }, n) =>
      from === to ? null : (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the series is fixed
          key={`${point} ${n}`}
          x={plot.x(point) - width / 2}
          width={width}
          y={Math.min(plot.y(from), plot.y(to))}
          height={Math.abs(plot.y(from) - plot.y(to))}
          fill={series[n].fill}
        />
      ),
    ),
  )
}

/** The content of a tooltip: a title, and a row per series. */
export function TooltipRows(props: {
  title: string
  rows: readonly { readonly mark: ReactNode; readonly label: string; readonly value: string }[]
  /** In place of rows if there are none. */
  empty?: string
}) {
  return (
    <>
      <strong>{props.title}</strong>
      {props.rows.length === 0 ? (
        <div>{props.empty}</div>
      ) : (
        <dl>
          {props.rows.map(({ mark, label, value }) => (
            <Fragment key={label}>
              {mark}
              <dt>{label}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </>
  )
}
