import { GeoRadius } from '../slot/geo-radius.ts'
import type { Near } from '../slot/slot-filters.ts'

/** Grids of 2 to 2,048 columns around the Earth: cells of 180 degrees down to a sixth of a degree. */
const LEVELS = 11

/** A circle is covered by the finest grid of which it needs at most this many cells. */
const CELLS_MAX = 16

/** The numbers of the cells that together contain every point within the radius. */
export function cellsCovering(near: Near): readonly number[] {
  const { latitudeBand, longitudeBand } = new GeoRadius(near)
  for (let level = LEVELS; level > 1; level--) {
    const cells = coverAt(level, near, { latitudeBand, longitudeBand })
    if (cells !== undefined) return cells
  }
  return coverAt(1, near, { latitudeBand, longitudeBand }, Number.POSITIVE_INFINITY) ?? []
}

/** The numbers of the cells that contain a point: one per grid. None for NaN. */
export function cellsAt(latitude: number, longitude: number): readonly number[] {
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return []
  return Array.from({ length: LEVELS }, (_, index) => {
    const level = index + 1
    return cellNumber(level, rowOf(level, latitude), columnOf(level, longitude))
  })
}

/** Undefined if more than `cellsMax` are needed. */
function coverAt(
  level: number,
  { latitude, longitude }: Near,
  { latitudeBand, longitudeBand }: Pick<GeoRadius, 'latitudeBand' | 'longitudeBand'>,
  cellsMax = CELLS_MAX,
): number[] | undefined {
  const columns = 2 ** level
  const [south, north] = [rowOf(level, latitude - latitudeBand), rowOf(level, latitude + latitudeBand)]
  const west = columnOf(level, longitude - longitudeBand)
  const width = Math.min(columns, columnOf(level, longitude + longitudeBand) - west + 1)
  if ((north - south + 1) * width > cellsMax) return undefined
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
