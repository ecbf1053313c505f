/** The value axis: round values that cover all values and zero, ascending. */
export function roundTicks(values: Iterable<number>, options: { count: number; isWhole: boolean }): number[] {
  let min = 0
  let max = 0
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  if (min === max) max = 1
  const step = roundStep((max - min) / options.count, options.isWhole)
  const first = Math.floor(min / step)
  const last = Math.ceil(max / step)
  // Removes the rounding error of steps such as 0.1.
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)))
}

/** At least `step`: 1, 2 or 5 times a power of ten. */
function roundStep(step: number, isWhole: boolean): number {
  if (isWhole && step <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 5].find((each) => each * power >= step) ?? 10
  return factor * power
}

/** A label of the horizontal axis; `x` is its center, moved inside the chart. */
interface AxisLabel {
  readonly x: number
  readonly text: string
}

/** Every n-th label, with the smallest n that leaves `gap` pixels between neighbors. */
export function spacedLabels(labels: readonly AxisLabel[], options: { width: number; gap: number }): AxisLabel[] {
  const inside = labels.map(({ x, text }) => {
    const half = textWidth(text) / 2
    return { x: Math.max(half, Math.min(x, options.width - half)), text }
  })
  for (let every = 1; every < inside.length; every++) {
    const kept = inside.filter((_, n) => n % every === 0)
    if (kept.every((label, n) => n === 0 || distance(kept[n - 1], label) >= options.gap)) return kept
  }
  return inside.slice(0, 1)
}

function distance(left: AxisLabel, right: AxisLabel): number {
  return right.x - left.x - (textWidth(left.text) + textWidth(right.text)) / 2
}

/** An upper estimate at a font size of 12 pixels. */
function textWidth(text: string): number {
  return text.length * 7
}

/** Part of a stack, in values: from the end nearer to zero to the other. */
interface Segment {
  readonly from: number
  readonly to: number
}

/** Stacks values from zero, the first innermost: positive values upward, negative values downward. */
export function stack(values: readonly number[]): Segment[] {
  let above = 0
  let below = 0
  return values.map((value) => {
    const from = value < 0 ? below : above
    const to = from + value
    if (value < 0) below = to
    else above = to
    return { from, to }
  })
}

/** An SVG path through the points, with a gap at each undefined point. */
export function linePath(points: readonly (readonly [x: number, y: number] | undefined)[]): string {
  return points
    .map((point, n) => {
      if (point === undefined) return ''
      // `h0` draws a dot where a point has no neighbor.
      return points[n - 1] === undefined ? `M${point[0]} ${point[1]}h0` : `L${point[0]} ${point[1]}`
    })
    .join('')
}

/** Where a tooltip of this size begins: right of `x` if there is space, else left of it, else as far inside as possible. */
export function tooltipLeft(x: number, size: number, width: number): number {
  const gap = 12
  if (x + gap + size <= width) return x + gap
  return x - gap - size >= 0 ? x - gap - size : Math.max(0, width - size)
}
