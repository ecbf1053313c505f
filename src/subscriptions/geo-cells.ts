import { GeoRadius } from '../slot/geo-radius.ts'
import type { Near } from '../slot/slot-filters.ts'

/** Grids of 4 to 2,048 columns around the Earth: cells of 90 degrees down to a sixth of a degree. */
const [COARSEST, FINEST] = [2, 11]

/** A circle is covered by the finest grid of which it needs at most this many cells: the coarsest has 12. */
const CELLS_MAX = 16

/** The numbers of the cells that together contain every point within the radius. */
export function cellsCovering(near: Near): readonly number[] {
  const circle = new GeoRadius(near)
  for (let level = FINEST; ; level--) {
    const cells = coverAt(level, circle)
    if (cells !== undefined) return cells
  }
}

/** The numbers of the cells that contain a point: one per grid. None for NaN. */
export function cellsAt(latitude: number, longitude: number): readonly number[] {
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return []
  return Array.from({ length: FINEST - COARSEST + 1 }, (_, index) => {
    const level = COARSEST + index
    return cellNumber(level, rowOf(level, latitude), columnOf(level, longitude))
  })
}

/** Undefined if too many are needed. */
function coverAt(level: number, { near, latitudeBand, longitudeBand }: GeoRadius): number[] | undefined {
  const columns = 2 ** level
  const [south, north] = [rowOf(level, near.latitude - latitudeBand), rowOf(level, near.latitude + latitudeBand)]
  const west = columnOf(level, near.longitude - longitudeBand)
  const width = Math.min(columns, columnOf(level, near.longitude + longitudeBand) - west + 1)
  if ((north - south + 1) * width > CELLS_MAX) return undefined
  const cells: number[] = []
  for (let row = south; row <= north; row++)
    for (let column = west; column < west + width; column++) cells.push(cellNumber(level, row, column))
  return cells
}

function rowOf(level: number, latitude: number): number {
  return Math.floor(((Math.max(-90, Math.min(90, latitude)) + 90) / 360) * 2 ** level)
}

/** Not limited to the columns of the grid: longitudes wrap around. */
function columnOf(level: number, longitude: number): number {
  return Math.floor(((longitude + 180) / 360) * 2 ** level)
}

function cellNumber(level: number, row: number, column: number): number {
  const columns = 2 ** level
  return (level * 4096 + row) * 4096 + (((column % columns) + columns) % columns)
}
