import { type StatusClass, statusClass, statusLabel } from './status-labels.ts'
import { OTHERS, type Series } from './usage-series.ts'

/** Fill textures, so that series differ without color. */
export type Texture = 'solid' | 'dots' | 'stripes' | 'counter-stripes' | 'checks'

/** A series with its label and style. `color` is a variable of `palette.module.css`. */
export interface StyledSeries extends Series {
  readonly label: string
  readonly color: string
  readonly texture: Texture
}

/** Per class: textures of its first status, its second, and all others. */
const TEXTURES: Readonly<Record<StatusClass, readonly [Texture, Texture, Texture]>> = {
  success: ['solid', 'counter-stripes', 'checks'],
  unchanged: ['dots', 'checks', 'stripes'],
  refused: ['stripes', 'counter-stripes', 'dots'],
  failed: ['checks', 'dots', 'stripes'],
}
const SHADES = 3
const KEY_COLORS = 6

/** Maximum number of series by key: one per color, and one for all others. */
export const KEY_SERIES_MAX = KEY_COLORS + 1

/** Success is solid, errors are textured; statuses of one class share a family of colors. */
export function styleByStatus(series: readonly Series[]): StyledSeries[] {
  const seen: Partial<Record<StatusClass, number>> = {}
  return series.map((one) => {
    const kind = statusClass(Number(one.id))
    const shade = Math.min(seen[kind] ?? 0, SHADES - 1)
    seen[kind] = shade + 1
    return {
      ...one,
      label: statusLabel(Number(one.id)),
      color: `var(--bar-${kind}-${shade + 1})`,
      texture: TEXTURES[kind][shade],
    }
  })
}

/** Every second key is striped, so that neighbors differ. */
export function styleByKey(series: readonly Series[], nameOf: (keyId: string) => string): StyledSeries[] {
  return series.map((one, n) => ({
    ...one,
    label: one.id === OTHERS ? 'All other keys' : nameOf(one.id),
    color: `var(--bar-${one.id === OTHERS ? KEY_SERIES_MAX : n + 1})`,
    texture: n % 2 ? 'stripes' : 'solid',
  }))
}
