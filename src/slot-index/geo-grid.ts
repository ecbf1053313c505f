// Hot path
import { STEP_MASK, type Steps } from '../lib/steps.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'

/** Cells per degree. A circle of 25 km reads a third of the points that it would with whole degrees. */
const CELLS = 4
const COLUMNS = 360 * CELLS
const ROWS = 180 * CELLS

/** Points at one place, since a site has many: its distance is computed once. */
interface Site {
  readonly latitude: number
  readonly longitude: number
  readonly points: number[]
}

/** Points by cells of a quarter of a degree. */
export class GeoGrid {
  readonly #cells = new Map<number, Site[]>()

  /** Points without a position (NaN) are left out. */
  add(point: number, latitude: number, longitude: number): void {
    if (Number.isNaN(latitude)) return
    const cell = rowOf(latitude) * COLUMNS + columnOf(longitude)
    const sites = this.#cells.get(cell) ?? []
    if (sites.length === 0) this.#cells.set(cell, sites)
    // A site's offerings are mostly added together; a search for each would be quadratic.
    const last = sites.at(-1)
    if (last?.latitude === latitude && last.longitude === longitude) last.points.push(point)
    else sites.push({ latitude, longitude, points: [point] })
  }

  /** The points in a circle, ascending. */
  *within(circle: GeoRadius): Steps<Uint32Array> {
    const found: number[] = []
    let tested = 0
    for (const cell of cellsOf(circle)) {
      if ((++tested & STEP_MASK) === 0) yield
      for (const { latitude, longitude, points } of this.#cells.get(cell) ?? NO_SITES) {
        if ((++tested & STEP_MASK) === 0) yield
        if (!circle.covers(latitude, longitude)) continue
        for (const point of points) {
          if ((++tested & STEP_MASK) === 0) yield
          found.push(point)
        }
      }
    }
    return Uint32Array.from(found).sort()
  }
}

const NO_SITES: readonly Site[] = []

function* cellsOf({ near: { latitude, longitude }, latitudeBand, longitudeBand }: GeoRadius): Generator<number> {
  const [south, north] = [rowOf(latitude - latitudeBand), rowOf(latitude + latitudeBand)]
  const west = Math.floor((longitude - longitudeBand + 180) * CELLS)
  const columns = Math.min(COLUMNS, Math.floor((longitude + longitudeBand + 180) * CELLS) - west + 1)
  for (let row = south; row <= north; row++)
    for (let n = 0; n < columns; n++) yield row * COLUMNS + ((west + n + COLUMNS) % COLUMNS)
}

function rowOf(latitude: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) * CELLS)))
}

function columnOf(longitude: number): number {
  return (Math.floor((longitude + 180) * CELLS) + COLUMNS) % COLUMNS
}
