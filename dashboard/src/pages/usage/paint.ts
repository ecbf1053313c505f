import { statusClass, statusLabel } from './status-words.ts'
import { OTHERS, type Series } from './usage-series.ts'

/** How bars are filled, so that they differ without colour too. */
export type Texture = 'solid' | 'dots' | 'stripes' | 'checks'

/** A series as it is drawn and called. `color` is one of the variables of `palette.module.css`. */
export interface PaintedSeries extends Series {
  readonly label: string
  readonly color: string
  readonly texture: Texture
}

const TEXTURES = { success: 'solid', unchanged: 'dots', refused: 'stripes', failed: 'checks' } as const
const KEY_COLORS = 6

/** How many series a chart by key may have: its colours, and one for all others. */
export const KEY_SERIES_MAX = KEY_COLORS + 1

/** Successes are solid, errors are not. */
export function paintStatuses(series: readonly Series[]): PaintedSeries[] {
  return series.map((one) => {
    const kind = statusClass(Number(one.id))
    return {
      ...one,
      label: statusLabel(Number(one.id)),
      color: `var(--bar-${kind})`,
      texture: TEXTURES[kind],
    }
  })
}

/** Every second key is striped, so that neighbours differ. */
export function paintKeys(series: readonly Series[], nameOf: (keyId: string) => string): PaintedSeries[] {
  return series.map((one, n) => ({
    ...one,
    label: one.id === OTHERS ? 'All other keys' : nameOf(one.id),
    color: `var(--bar-${one.id === OTHERS ? KEY_SERIES_MAX : n + 1})`,
    texture: n % 2 ? 'stripes' : 'solid',
  }))
}
