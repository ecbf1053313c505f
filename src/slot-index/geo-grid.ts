// Hot path
import { STEP_MASK, type Steps } from '../lib/steps.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'
import { CircleTest, type OfferingPositions } from './offering-positions.ts'

/** Cells per degree. A circle of 25 km reads a third of the points that it would with whole degrees. */
const CELLS = 4
const COLUMNS = 360 * CELLS
const ROWS = 180 * CELLS

/** Of a position in a cell: its unit vector from the center of the Earth, and how many points have it, whose numbers follow. */
const POSITION_FIELDS = 4
const COUNT = 3
/** As `STEP_MASK`, for points that are only copied: some 50 microseconds. */
const FOUND_MASK = 16_383

/** Points of a quarter of a degree: their positions, and behind each its points. */
interface Cell {
  readonly fields: number[]
  /** Where the last position begins. */
  last: number
}

/**
 * Points by cells of a quarter of a degree. A cell is one array of numbers, so that a search reads consecutive memory. Points that
 * follow each other at one position, as those of a clinic do, share its entry.
 */
export class GeoGrid {
  readonly #positions: OfferingPositions
  readonly #cells = new Map<number, Cell>()

  constructor(positions: OfferingPositions) {
    this.#positions = positions
  }

  /** Points without a position are left out. */
  add(point: number): void {
    const { latitude, longitude } = this.#positions.of(point)
    if (Number.isNaN(latitude)) return
    const number = rowOf(latitude) * COLUMNS + columnOf(longitude)
    const cell = this.#cells.get(number) ?? { fields: [], last: 0 }
    const { fields, last } = cell
    if (fields.length === 0) this.#cells.set(number, cell)
    const [x, y, z] = this.#positions.vectors.values.subarray(point * 3, point * 3 + 3)
    if (fields[last] === x && fields[last + 1] === y && fields[last + 2] === z) {
      fields[last + COUNT]++
      fields.push(point)
    } else cell.last = fields.push(x, y, z, 1, point) - POSITION_FIELDS - 1
  }

  /** The points in a circle, in any order. */
  *within(circle: GeoRadius): Steps<Uint32Array> {
    const test = new CircleTest(circle, this.#positions)
    const found: number[] = []
    let tested = 0
    const { south, north, west, columns } = cellsOf(circle)
    for (let row = south; row <= north; row++) {
      for (let n = 0; n < columns; n++) {
        if ((++tested & STEP_MASK) === 0) yield
        const fields = this.#cells.get(row * COLUMNS + ((west + n + COLUMNS) % COLUMNS))?.fields ?? NO_FIELDS
        for (let at = 0; at < fields.length; ) {
          if ((++tested & STEP_MASK) === 0) yield
          const first = at + POSITION_FIELDS
          const isInside = test.hasAt(fields, at, fields[first])
          at = first + fields[at + COUNT]
          for (let n = first; n < at && isInside === 1; n++) {
            found.push(fields[n])
            if ((found.length & FOUND_MASK) === 0) yield
          }
        }
      }
    }
    return new Uint32Array(found)
  }
}

const NO_FIELDS: readonly number[] = []

/** The cells that a circle may touch: rows [south, north], and so many columns from `west`, around the globe. */
function cellsOf({ near: { latitude, longitude }, latitudeBand, longitudeBand }: GeoRadius) {
  const west = Math.floor((longitude - longitudeBand + 180) * CELLS)
  return {
    south: rowOf(latitude - latitudeBand),
    north: rowOf(latitude + latitudeBand),
    west,
    columns: Math.min(COLUMNS, Math.floor((longitude + longitudeBand + 180) * CELLS) - west + 1),
  }
}

function rowOf(latitude: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) * CELLS)))
}

function columnOf(longitude: number): number {
  return (Math.floor((longitude + 180) * CELLS) + COLUMNS) % COLUMNS
}
