// Hot path
import type { GeoRadius } from '../../slot/geo-radius.ts'
import type { Point } from '../../slot/query-parameter.ts'
import { cellOf } from './circle-spans.ts'
import { Column } from './column.ts'

const RADIANS = Math.PI / 180
/** Exceeds the rounding errors of a dot product of unit vectors and of a distance: 16 µm at 25 km, 4 mm at 100 m. */
const ROUNDING = 1e-14

/** The positions of offerings, by number. */
export class OfferingPositions {
  /** Decimal degrees; NaN without a position. */
  readonly latitudes = new Column<Float64Array>(Float64Array)
  readonly longitudes = new Column<Float64Array>(Float64Array)
  /** See `cellOf()`. */
  readonly cells = new Column<Uint32Array>(Uint32Array)
  /** The unit vectors from the center of the Earth: x, y and z of each. */
  readonly vectors = new Column<Float64Array>(Float64Array)

  /** Those with one number by offering. */
  get columns(): readonly Column[] {
    return [this.latitudes, this.longitudes, this.cells]
  }

  push(position: Point): void {
    this.latitudes.push(position.latitude)
    this.longitudes.push(position.longitude)
    this.cells.push(cellOf(position))
    for (const part of unitVector(position)) this.vectors.push(part)
  }

  of(offering: number): Point {
    return { latitude: this.latitudes.values[offering], longitude: this.longitudes.values[offering] }
  }
}

function unitVector({ latitude, longitude }: Point): [number, number, number] {
  const radius = Math.cos(latitude * RADIANS)
  return [radius * Math.cos(longitude * RADIANS), radius * Math.sin(longitude * RADIANS), Math.sin(latitude * RADIANS)]
}

/**
 * Which offerings are in a circle. A dot product of two unit vectors, the cosine of their angle, decides; the distance is only computed
 * for positions so close to the edge that rounding could decide.
 */
export class CircleTest {
  readonly #circle: GeoRadius
  readonly #positions: OfferingPositions
  readonly #center: readonly [number, number, number]
  readonly #edge: number

  constructor(circle: GeoRadius, positions: OfferingPositions) {
    this.#circle = circle
    this.#positions = positions
    this.#center = unitVector(circle.near)
    this.#edge = Math.cos(circle.angle)
  }

  /** 1 if an offering is in the circle, else 0; 0 without a position. */
  has(offering: number): number {
    return this.hasAt(this.#positions.vectors.values, offering * 3, offering)
  }

  /** As `has()`, of an offering whose unit vector is `vectors` [at, at + 3). */
  hasAt(vectors: ArrayLike<number>, at: number, offering: number): number {
    const [x, y, z] = this.#center
    const over = x * vectors[at] + y * vectors[at + 1] + z * vectors[at + 2] - this.#edge
    if (Math.abs(over) <= ROUNDING) {
      const { latitude, longitude } = this.#positions.of(offering)
      return Number(this.#circle.covers(latitude, longitude))
    }
    return Number(over > 0)
  }
}
