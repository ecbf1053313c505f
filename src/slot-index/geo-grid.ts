// Hot path
import { STEP_MASK, type Steps } from '../lib/steps.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'

const COLUMNS = 360
const ROWS = 180

/** Points by cells of one degree. */
export class GeoGrid {
  readonly #cells = new Map<number, number[]>()

  /** Points without a position (NaN) are left out. */
  add(point: number, latitude: number, longitude: number): void {
    if (Number.isNaN(latitude)) return
    const cell = rowOf(latitude) * COLUMNS + columnOf(longitude)
    const points = this.#cells.get(cell)
    if (points === undefined) this.#cells.set(cell, [point])
    else points.push(point)
  }

  /** The points in a circle, ascending. */
  *within(circle: GeoRadius, latitudes: Float64Array, longitudes: Float64Array): Steps<Uint32Array> {
    const found: number[] = []
    let tested = 0
    for (const cell of cellsOf(circle)) {
      for (const point of this.#cells.get(cell) ?? []) {
        if (circle.covers(latitudes[point], longitudes[point])) found.push(point)
        if ((++tested & STEP_MASK) === 0) yield
      }
    }
    return Uint32Array.from(found).sort()
  }
}

function* cellsOf({ near: { latitude, longitude }, latitudeBand, longitudeBand }: GeoRadius): Generator<number> {
  const [south, north] = [rowOf(latitude - latitudeBand), rowOf(latitude + latitudeBand)]
  const west = Math.floor(longitude - longitudeBand + 180)
  const columns = Math.min(COLUMNS, Math.floor(longitude + longitudeBand + 180) - west + 1)
  for (let row = south; row <= north; row++)
    for (let n = 0; n < columns; n++) yield row * COLUMNS + ((west + n + COLUMNS) % COLUMNS)
}

function rowOf(latitude: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor(latitude + 90)))
}

function columnOf(longitude: number): number {
  return (Math.floor(longitude + 180) + COLUMNS) % COLUMNS
}
