// Hot path
import { distance } from 'geokdbush'
import type { Near } from './slot-filters.ts'

const EARTH_RADIUS_KM = 6371
const DEGREES = 180 / Math.PI
/** More than rounding can take from a band: a ten-thousandth of a millimetre. */
const SLACK_DEGREES = 1e-9

/** The circle that `near` asks for, on a sphere of the Earth's mean radius. */
export class Circle {
  readonly #near: Near
  readonly #latitudeBand: number
  readonly #longitudeBand: number

  constructor(near: Near) {
    this.#near = near
    const angle = near.radiusKm / EARTH_RADIUS_KM
    this.#latitudeBand = angle * DEGREES + SLACK_DEGREES
    this.#longitudeBand = longitudeBand(near.latitude / DEGREES, angle) * DEGREES + SLACK_DEGREES
  }

  /** Kilometres from its centre. */
  distanceKm(latitude: number, longitude: number): number {
    return distance(this.#near.longitude, this.#near.latitude, longitude, latitude)
  }

  /** Whether a point lies within; one whose coordinates are NaN does not. Two comparisons turn nearly all others away. */
  covers(latitude: number, longitude: number): boolean {
    const north = latitude - this.#near.latitude
    if (!(north <= this.#latitudeBand && north >= -this.#latitudeBand)) return false
    const east = Math.abs(longitude - this.#near.longitude)
    // The date line is no border.
    if (!((east > 180 ? 360 - east : east) <= this.#longitudeBand)) return false
    return this.distanceKm(latitude, longitude) <= this.#near.radiusKm
  }
}

/** How far east and west a circle reaches, as an angle; all around, if a pole lies within it. */
function longitudeBand(latitude: number, angle: number): number {
  if (Math.abs(latitude) + angle >= Math.PI / 2) return Math.PI
  return Math.asin(Math.sin(angle) / Math.cos(latitude))
}
