// Hot path
import { STEP_MASK, type Steps } from '../../lib/steps.ts'
import type { GeoRadius } from '../../slot/geo-radius.ts'
import { beginOf, placeFrom } from '../sorted-lists.ts'
import { sharedCopy } from './column.ts'
import { CircleTest, type OfferingPositions } from './offering-positions.ts'

/** Cells per degree. A circle of 25 km reads a third of the points that it would with whole degrees. */
const CELLS = 4
const COLUMNS = 360 * CELLS
const ROWS = 180 * CELLS
const POINTS_MAX = 2 ** 32

/** As `STEP_MASK`, for points that are only copied: some 50 microseconds. */
const FOUND_MASK = 16_383

/**
 * Points by cells of a quarter of a degree, in shared memory: a search reads the sites of a row of cells one behind the other. Points
 * that follow each other at one position, as those of a clinic do, share a site.
 *
 *     cells   [ 618210  618211 … ]    those with points, from south to north and from west to east
 *     sites   [ x y z │ x y z … ]     unit vectors from the center of the Earth
 *     points  [ 3 4 5 │ 17 … ]
 */
export interface GeoGrid {
  readonly cells: Uint32Array
  /** Where the sites of each cell end. */
  readonly siteEnds: Uint32Array
  readonly sites: Float64Array
  /** Where the points of each site end. */
  readonly pointEnds: Uint32Array
  readonly points: Uint32Array
}

/** The grid of the points [from, to). Those without a position are left out. */
export function gridOf(from: number, to: number, positions: OfferingPositions): GeoGrid {
  const sorted = byCell(from, to, positions)
  const { values: vectors } = positions.vectors
  const { length } = sorted
  const grid = {
    cells: new Uint32Array(length),
    siteEnds: new Uint32Array(length),
    sites: new Float64Array(length * 3),
    pointEnds: new Uint32Array(length),
    points: new Uint32Array(length),
  }
  let [cell, site] = [-1, -1]
  for (let n = 0; n < length; n++) {
    const number = Math.floor(sorted[n] / POINTS_MAX)
    const point = sorted[n] - number * POINTS_MAX
    const isNext = cell === -1 || grid.cells[cell] !== number
    if (isNext) grid.cells[++cell] = number
    if (isNext || !isSame(vectors, point * 3, grid.sites, site * 3)) {
      site++
      for (let part = 0; part < 3; part++) grid.sites[site * 3 + part] = vectors[point * 3 + part]
    }
    grid.points[n] = point
    grid.siteEnds[cell] = site + 1
    grid.pointEnds[site] = n + 1
  }
  return {
    cells: sharedCopy(grid.cells.subarray(0, cell + 1)),
    siteEnds: sharedCopy(grid.siteEnds.subarray(0, cell + 1)),
    sites: sharedCopy(grid.sites.subarray(0, (site + 1) * 3)),
    pointEnds: sharedCopy(grid.pointEnds.subarray(0, site + 1)),
    points: sharedCopy(grid.points),
  }
}

/** Each point with the number of its cell: ascending. */
function byCell(from: number, to: number, { latitudes, longitudes }: OfferingPositions): Float64Array {
  const entries = new Float64Array(to - from)
  let length = 0
  for (let point = from; point < to; point++) {
    const [latitude, longitude] = [latitudes.values[point], longitudes.values[point]]
    if (Number.isNaN(latitude)) continue
    entries[length++] = (rowOf(latitude) * COLUMNS + columnOf(longitude)) * POINTS_MAX + point
  }
  return entries.subarray(0, length).sort()
}

function isSame(a: Float64Array, from: number, b: Float64Array, at: number): boolean {
  return a[from] === b[at] && a[from + 1] === b[at + 1] && a[from + 2] === b[at + 2]
}

/** Appends the points in a circle to `found`, in any order. */
export function* findInGrid(
  { cells, siteEnds, sites, pointEnds, points }: GeoGrid,
  circle: GeoRadius,
  positions: OfferingPositions,
  found: number[],
): Steps<void> {
  const test = new CircleTest(circle, positions)
  let tested = 0
  for (const [first, end] of cellRangesOf(circle)) {
    if ((++tested & STEP_MASK) === 0) yield
    const to = beginOf(siteEnds, placeFrom(cells, end))
    for (let site = beginOf(siteEnds, placeFrom(cells, first)); site < to; site++) {
      if ((++tested & STEP_MASK) === 0) yield
      const from = beginOf(pointEnds, site)
      if (test.hasAt(sites, site * 3, points[from]) === 0) continue
      for (let n = from; n < pointEnds[site]; n++) {
        found.push(points[n])
        if ((found.length & FOUND_MASK) === 0) yield
      }
    }
  }
}

/** The cells that a circle may touch, as ranges [first, end) of each row: two if they are on both sides of the date line. */
function* cellRangesOf({ near: { latitude, longitude }, latitudeBand, longitudeBand }: GeoRadius) {
  const west = Math.floor((longitude - longitudeBand + 180) * CELLS)
  const columns = Math.min(COLUMNS, Math.floor((longitude + longitudeBand + 180) * CELLS) - west + 1)
  const first = (west + COLUMNS) % COLUMNS
  const north = rowOf(latitude + latitudeBand)
  for (let row = rowOf(latitude - latitudeBand); row <= north; row++) {
    const begin = row * COLUMNS
    yield [begin + first, begin + Math.min(COLUMNS, first + columns)]
    if (first + columns > COLUMNS) yield [begin, begin + first + columns - COLUMNS]
  }
}

function rowOf(latitude: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) * CELLS)))
}

function columnOf(longitude: number): number {
  return (Math.floor((longitude + 180) * CELLS) + COLUMNS) % COLUMNS
}
