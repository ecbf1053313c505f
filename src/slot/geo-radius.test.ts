import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { GeoRadius } from './geo-radius.ts'

const latitude = fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 0, 89.99))
const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(-180, 180, 0, 179.99, -179.99),
)
const point = fc.record({ latitude, longitude })
const radiusKm = fc.double({ min: 0.001, max: 500, noNaN: true })

test('contains exactly the points within its radius, including at the poles and the date line', () => {
  const step = fc.double({ min: -6, max: 6, noNaN: true })
  const property = fc.property(point, radiusKm, step, step, (centre, radius, north, east) => {
    const circle = new GeoRadius({ ...centre, radiusKm: radius })
    const at = Math.min(90, Math.max(-90, centre.latitude + north))
    const around = ((centre.longitude + east * 10 + 540) % 360) - 180
    assert.equal(circle.covers(at, around), circle.distanceKm(at, around) <= radius)
  })
  fc.assert(property, { numRuns: casesOf(5000) })
})

test('measures on a sphere of 6,371 km: a degree of latitude is 111.19 km, half the circumference 20,015 km', () => {
  const circle = new GeoRadius({ latitude: 0, longitude: 0, radiusKm: 1 })
  assert.ok(Math.abs(circle.distanceKm(1, 0) - 111.19) < 0.01)
  assert.ok(Math.abs(circle.distanceKm(0, 180) - 20_015.09) < 0.01)
  const boston = new GeoRadius({ latitude: 42.3601, longitude: -71.0589, radiusKm: 1 })
  assert.ok(Math.abs(boston.distanceKm(40.7128, -74.006) - 306.1) < 0.2, 'to New York')
})

test('does not contain an unknown point', () => {
  const circle = new GeoRadius({ latitude: 0, longitude: 0, radiusKm: 500 })
  assert.equal(circle.covers(Number.NaN, Number.NaN), false)
  assert.equal(circle.covers(0, Number.NaN), false)
})
