import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import classes from './chart.module.css'
import { roundTicks, spacedLabels, tooltipLeft } from './scale.ts'

const TOP = 8
const BOTTOM = 14
const AXIS_HEIGHT = 28
const RIGHT = 8
const TICK_HEIGHT = 42

/** The pixel coordinates of a chart's content. */
export interface Plot {
  /** Center of a point. */
  x(point: number): number
  y(value: number): number
  /** Horizontal distance of two points. */
  readonly step: number
  /** The highlighted point. */
  readonly active: number | undefined
}

/** The highlighted point and its setter, to be shared by charts of the same points. */
type ActivePoint = readonly [number | undefined, (point: number | undefined) => void]

interface ChartProps {
  readonly height: number
  /** The text alternative. */
  readonly label: string
  /** The number of points. They have equal distances. */
  readonly count: number
  /** Whether each point has a separate band, as in a bar chart. Otherwise, the first and the last point are on the edges. */
  readonly bands?: boolean
  /** The values that the axis covers. */
  readonly values: Iterable<number>
  readonly isWhole?: boolean
  readonly axisWidth: number
  readonly formatValue: (value: number) => string
  /** Labels below the chart; without, it has no horizontal axis. */
  readonly pointLabel?: (point: number) => string
  /** The points that may have a label: all by default. */
  readonly labeled?: readonly number[]
  readonly labelGap?: number
  readonly tooltip: (point: number) => ReactNode
  readonly activePoint?: ActivePoint
  readonly children: (plot: Plot) => ReactNode
}

/** The frame of a chart: axes, grid, and a tooltip that follows the pointer and the arrow keys. `children` draws the marks. */
export function Chart(props: ChartProps) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  return (
    <div ref={ref} className={classes.chart} style={{ height: props.height }}>
      {width > 0 && <Frame {...props} width={width} />}
    </div>
  )
}

function Frame(props: ChartProps & { width: number }) {
  const { count, height, width, axisWidth, children } = props
  const own = useState<number>()
  const [point, setActive] = props.activePoint ?? own
  const active = point !== undefined && point < count ? point : undefined
  const [isOwn, setIsOwn] = useState(false)
  const activate = (point: number | undefined) => {
    setActive(point)
    setIsOwn(point !== undefined)
  }
  const plotWidth = Math.max(1, width - axisWidth - RIGHT)
  const plotHeight = height - TOP - (props.pointLabel ? AXIS_HEIGHT : BOTTOM)
  const ticks = roundTicks(props.values, { count: plotHeight / TICK_HEIGHT, isWhole: props.isWhole ?? false })
  const [low, high] = [ticks[0], ticks[ticks.length - 1]]
  const step = plotWidth / Math.max(1, props.bands ? count : count - 1)
  const plot: Plot = {
    x: (point) => (props.bands ? (point + 0.5) * step : count === 1 ? plotWidth / 2 : point * step),
    y: (value) => ((high - value) / (high - low)) * plotHeight,
    step,
    active,
  }
  const pointAt = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - axisWidth
    const point = props.bands ? Math.floor(x / step) : Math.round(x / step)
    activate(Math.max(0, Math.min(point, count - 1)))
  }
  return (
    <>
      <svg
        width={width}
        height={height}
        role="application"
        aria-label={props.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move between points
        tabIndex={0}
        onPointerMove={pointAt}
        onPointerDown={pointAt}
        // After a touch, the tooltip stays until the chart loses the focus.
        onPointerLeave={(event) => event.pointerType !== 'touch' && activate(undefined)}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && activate(active ?? 0)}
        onBlur={() => activate(undefined)}
        onKeyDown={(event) => movedByKey(event, active ?? 0, count, activate)}
      >
        <g transform={`translate(${axisWidth} ${TOP})`}>
          <Grid ticks={ticks} plot={plot} width={plotWidth} formatValue={props.formatValue} />
          {active !== undefined && <Cursor plot={plot} point={active} height={plotHeight} bands={props.bands} />}
          {children(plot)}
          {props.pointLabel && <PointLabels {...props} plot={plot} plotWidth={plotWidth} top={plotHeight + 20} />}
        </g>
      </svg>
      <Tooltip x={isOwn && active !== undefined ? axisWidth + plot.x(active) : undefined} width={width}>
        {isOwn && active !== undefined && props.tooltip(active)}
      </Tooltip>
    </>
  )
}

function movedByKey(event: KeyboardEvent, point: number, count: number, activate: (point?: number) => void): void {
  const target = { ArrowLeft: point - 1, ArrowRight: point + 1, Home: 0, End: count - 1, Escape: undefined }
  if (!(event.key in target)) return
  event.preventDefault()
  const to = target[event.key as keyof typeof target]
  activate(to === undefined ? undefined : Math.max(0, Math.min(to, count - 1)))
}

function Grid(props: { ticks: readonly number[]; plot: Plot; width: number; formatValue: (value: number) => string }) {
  return props.ticks.map((tick) => (
    <g key={tick} transform={`translate(0 ${props.plot.y(tick)})`}>
      <line x2={props.width} className={classes.grid} />
      <text x={-10} dy="0.35em" textAnchor="end">
        {props.formatValue(tick)}
      </text>
    </g>
  ))
}

function Cursor(props: { plot: Plot; point: number; height: number; bands: boolean | undefined }) {
  const { plot, point, height } = props
  if (!props.bands) return <line x1={plot.x(point)} x2={plot.x(point)} y2={height} className={classes.grid} />
  return <rect x={plot.x(point) - plot.step / 2} width={plot.step} height={height} className={classes.band} />
}

function PointLabels(props: ChartProps & { plot: Plot; plotWidth: number; top: number }) {
  const { pointLabel, plot } = props
  if (pointLabel === undefined) return null
  const points = props.labeled ?? Array.from({ length: props.count }, (_, point) => point)
  const labels = points.map((point) => ({ x: plot.x(point), text: pointLabel(point) }))
  return spacedLabels(labels, { width: props.plotWidth, gap: props.labelGap ?? 24 }).map(({ x, text }) => (
    <text key={x} x={x} y={props.top} textAnchor="middle">
      {text}
    </text>
  ))
}

/** Stays in the document while it is empty, so that screen readers announce its content. */
function Tooltip({ x, width, children }: { x: number | undefined; width: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (box.current !== null && x !== undefined)
      box.current.style.left = `${tooltipLeft(x, box.current.offsetWidth, width)}px`
  })
  return (
    <div ref={box} role="status" className={classes.tooltip} hidden={x === undefined}>
      {children}
    </div>
  )
}
