import { distance } from 'geokdbush'
import type { Near } from './slot-filters.ts'

const EARTH_RADIUS_KM = 6371
const DEGREES = 180 / Math.PI
/** Exceeds any rounding error of a band: 0.1 µm. */
const SLACK_DEGREES = 1e-9

/** The area within `radiusKm` of `near`, on a sphere with the Earth's mean radius. */
export class GeoRadius {
  readonly near: Near
  /** The radius in radians. */
  readonly angle: number
  /** Its extent to north and south, and to east and west, in degrees. */
  readonly latitudeBand: number
  readonly longitudeBand: number

  constructor(near: Near) {
    this.near = near
    const angle = near.radiusKm / EARTH_RADIUS_KM
    this.angle = angle
    this.latitudeBand = angle * DEGREES + SLACK_DEGREES
    this.longitudeBand = longitudeBand(near.latitude / DEGREES, angle) * DEGREES + SLACK_DEGREES
  }

  /** Kilometers from the center. */
  distanceKm(latitude: number, longitude: number): number {
    return distance(this.near.longitude, this.near.latitude, longitude, latitude)
  }

  /** Whether a point is inside; false for NaN. Two comparisons exclude most points before the distance is computed. */
  covers(latitude: number, longitude: number): boolean {
    const north = latitude - this.near.latitude
    if (!(north <= this.latitudeBand && north >= -this.latitudeBand)) return false
    const east = Math.abs(longitude - this.near.longitude)
    // Longitudes wrap around at 180°.
    if (!((east > 180 ? 360 - east : east) <= this.longitudeBand)) return false
    return this.distanceKm(latitude, longitude) <= this.near.radiusKm
  }
}

/** The extent to east and west, as an angle; the whole circle of latitude if a pole is inside. */
function longitudeBand(latitude: number, angle: number): number {
  if (Math.abs(latitude) + angle >= Math.PI / 2) return Math.PI
  return Math.asin(Math.sin(angle) / Math.cos(latitude))
}
