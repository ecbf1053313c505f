import { useId } from 'react'
import type { StyledSeries, Texture } from './series-style.ts'

type Fill = Pick<StyledSeries, 'color' | 'texture'>

/** A square in the style of a series, for legends. */
export function ColorSample({ color, texture }: Fill) {
  const id = useId()
  return (
    <svg width={12} height={12} aria-hidden focusable="false">
      <defs>
        <TexturePattern id={id} color={color} texture={texture} />
      </defs>
      <rect width={12} height={12} rx={3} fill={`url(#${id})`} />
    </svg>
  )
}

/** The fill of a series, to be placed in `<defs>` and referenced as `url(#id)`. */
export function TexturePattern({ id, color, texture }: Fill & { id: string }) {
  return (
    <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform={ROTATIONS[texture]}>
      <rect width={6} height={6} fill={color} fillOpacity={texture === 'solid' ? 1 : 0.4} />
      {MARKS[texture].map(([x, y, width, height]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={width} height={height} fill={color} />
      ))}
    </pattern>
  )
}

const ROTATIONS: Readonly<Record<Texture, string | undefined>> = {
  solid: undefined,
  dots: 'rotate(45)',
  stripes: 'rotate(45)',
  'counter-stripes': 'rotate(-45)',
  checks: undefined,
}

const MARKS: Readonly<Record<Texture, readonly (readonly [x: number, y: number, w: number, h: number])[]>> = {
  solid: [],
  dots: [[1, 1, 3, 3]],
  stripes: [[0, 0, 3.5, 6]],
  'counter-stripes': [[0, 0, 2, 6]],
  checks: [
    [0, 0, 3, 3],
    [3, 3, 3, 3],
  ],
}
