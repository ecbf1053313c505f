// Hot path
import type { GeoRadius } from '../../slot/geo-radius.ts'
import type { Point } from '../../slot/query-parameter.ts'

/** Cells per degree: of some 3.5 km from south to north. Most cells of a circle of 25 km are inside. */
const CELLS = 32
const COLUMNS = 360 * CELLS
const ROWS = 180 * CELLS
const RADIANS = Math.PI / 180
/** Radians on the equator, 60 cm: exceeds the rounding errors of an extent. */
const SLACK = 1e-7

/** Of points without a position. */
export const NO_CELL = 0xffff_ffff

/** The number of the cell of a position: rows of cells from south to north, each from west to east. */
export function cellOf({ latitude, longitude }: Point): number {
  if (Number.isNaN(latitude)) return NO_CELL
  return rowOf(latitude) * COLUMNS + (Math.floor((longitude + 180) * CELLS) % COLUMNS)
}

function rowOf(latitude: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) * CELLS)))
}

/** Consecutive cells [from, to] of a row that a circle may touch; those of [insideFrom, insideTo] are wholly inside. */
export interface CellSpan {
  readonly from: number
  readonly to: number
  readonly insideFrom: number
  readonly insideTo: number
}

/** The cells of a circle, ascending: one span per row of cells, or two at the date line. */
export function spansOf(circle: GeoRadius): CellSpan[] {
  const { near, latitudeBand } = circle
  const spans: CellSpan[] = []
  for (let row = rowOf(near.latitude - latitudeBand); row <= rowOf(near.latitude + latitudeBand); row++) {
    const { outer, inner } = extentsOf(circle, row)
    const columnAt = (east: number) => (near.longitude + east + 180) * CELLS
    const from = Math.floor(columnAt(-outer))
    const to = Math.min(from + COLUMNS - 1, Math.floor(columnAt(outer)))
    const insideFrom = inner === 180 ? from : Math.ceil(columnAt(-inner))
    const insideTo = inner === 180 ? to : Math.floor(columnAt(inner)) - 1
    pushRow(spans, row, { from, to, insideFrom, insideTo })
  }
  return spans
}

/** Adds columns of a row, which may continue beyond the date line. */
function pushRow(spans: CellSpan[], row: number, columns: CellSpan): void {
  for (const shift of [-COLUMNS, 0, COLUMNS]) {
    const first = row * COLUMNS + shift
    const from = Math.max(row * COLUMNS, first + columns.from)
    const to = Math.min(row * COLUMNS + COLUMNS - 1, first + columns.to)
    if (from <= to) spans.push({ from, to, insideFrom: first + columns.insideFrom, insideTo: first + columns.insideTo })
  }
}

/** How far a circle extends to east and west within a row of cells: at most, and everywhere; in degrees, below 0 if nowhere. */
function extentsOf({ near, angle }: GeoRadius, row: number): { outer: number; inner: number } {
  // At a pole, longitudes mean nothing.
  if (row === 0 || row === ROWS - 1) return { outer: 180, inner: -1 }
  const center = near.latitude * RADIANS
  const [south, north] = [row, row + 1].map((edge) => (edge / CELLS - 90) * RADIANS)
  const hasPole = Math.abs(center) + angle >= Math.PI / 2
  const widest = hasPole ? (Math.sign(center) * Math.PI) / 2 : Math.asin(Math.sin(center) / Math.cos(angle))
  const outer = extentAt(Math.min(north, Math.max(south, widest)), center, angle)
  const inner = Math.min(extentAt(south, center, angle), extentAt(north, center, angle))
  const slack = SLACK / Math.min(Math.cos(south), Math.cos(north))
  return {
    outer: Math.min(180, (Math.max(0, outer) + slack) / RADIANS),
    inner: inner === Math.PI ? 180 : (inner - slack) / RADIANS,
  }
}

/** The difference in longitude of the points of a parallel that are on the circle; π if all of it is inside, -1 if none. */
function extentAt(latitude: number, center: number, angle: number): number {
  const cosine = (Math.cos(angle) - Math.sin(latitude) * Math.sin(center)) / (Math.cos(latitude) * Math.cos(center))
  if (cosine >= 1) return -1
  return cosine <= -1 ? Math.PI : Math.acos(cosine)
}
