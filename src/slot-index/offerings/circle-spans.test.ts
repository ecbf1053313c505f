import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { GeoRadius } from '../../slot/geo-radius.ts'
import type { Point } from '../../slot/query-parameter.ts'
import { cellOf, NO_CELL, spansOf } from './circle-spans.ts'

const CELLS_PER_DEGREE = 32

/** Also at the edges of cells, on the date line and near the poles. */
const latitude = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.integer({ min: -90 * CELLS_PER_DEGREE, max: 90 * CELLS_PER_DEGREE }).map((edge) => edge / CELLS_PER_DEGREE),
  fc.constantFrom(-90, -89.99, 0, 89.9, 90),
)
const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.integer({ min: -180 * CELLS_PER_DEGREE, max: 180 * CELLS_PER_DEGREE }).map((edge) => edge / CELLS_PER_DEGREE),
  fc.constantFrom(-180, -179.999999, 0, 179.999999, 180),
)
const point: fc.Arbitrary<Point> = fc.record({ latitude, longitude })
const radiusKm = fc.oneof(fc.double({ min: 0.001, max: 500, noNaN: true }), fc.constantFrom(0.001, 1, 25, 111.2, 500))

test('has every cell of a circle, and only cells that are wholly inside count as such', () => {
  fc.assert(
    fc.property(
      point,
      radiusKm,
      fc.array(fc.tuple(fc.double({ min: 0, max: 1.1, noNaN: true }), fc.double({ min: 0, max: 360, noNaN: true })), {
        minLength: 20,
        maxLength: 20,
      }),
      fc.array(point, { maxLength: 5 }),
      (near, radiusKm, polar, anywhere) => {
        const circle = new GeoRadius({ ...near, radiusKm })
        const spans = spansOf(circle)
        for (const [n, { from, to }] of spans.entries()) {
          assert.ok(from <= to)
          assert.ok(n === 0 || spans[n - 1].to < from)
        }
        const around = polar.map(([share, bearing]) => positionAt(near, share * radiusKm, bearing))
        for (const each of [near, ...around, ...anywhere]) {
          for (const position of [each, ...neighborsOf(each)]) {
            const cell = cellOf(position)
            const span = spans.find(({ from, to }) => from <= cell && cell <= to)
            const isInside = span !== undefined && cell >= span.insideFrom && cell <= span.insideTo
            const covers = circle.covers(position.latitude, position.longitude)
            assert.ok(!covers || span !== undefined, `no cell for ${JSON.stringify(position)}`)
            assert.ok(covers || !isInside, `not inside: ${JSON.stringify(position)}`)
          }
        }
      },
    ),
    { numRuns: casesOf(500) },
  )
})

test('finds most cells of a circle of 25 km inside', () => {
  const spans = spansOf(new GeoRadius({ latitude: 40.71, longitude: -74.01, radiusKm: 25 }))
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
  const all = sum(spans.map(({ from, to }) => to - from + 1))
  const inside = sum(spans.map(({ insideFrom, insideTo }) => Math.max(0, insideTo - insideFrom + 1)))
  assert.equal(spans.length, 15)
  assert.ok(inside / all > 0.65 && inside / all < 0.9, `${inside} of ${all}`)
})

test('gives points without a position no cell', () => {
  assert.equal(cellOf({ latitude: Number.NaN, longitude: Number.NaN }), NO_CELL)
})

/** Where one arrives from a point, on a sphere. */
function positionAt({ latitude, longitude }: Point, km: number, bearing: number): Point {
  const [lat, lon, course, angle] = [latitude, longitude, bearing, (km / 6371) * (180 / Math.PI)].map(
    (degrees) => (degrees * Math.PI) / 180,
  )
  const sine = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(course)
  const north = Math.asin(Math.max(-1, Math.min(1, sine)))
  const east = Math.atan2(Math.sin(course) * Math.sin(angle) * Math.cos(lat), Math.cos(angle) - Math.sin(lat) * sine)
  const degrees = ((lon + east) * 180) / Math.PI
  return {
    latitude: (north * 180) / Math.PI,
    longitude: degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees,
  }
}

/** The corners of its cell, slightly inside. */
function neighborsOf({ latitude, longitude }: Point): Point[] {
  const cornersOf = (degrees: number) => {
    const edge = Math.floor(degrees * CELLS_PER_DEGREE) / CELLS_PER_DEGREE
    return [edge, edge + 1 / CELLS_PER_DEGREE - 1e-12]
  }
  return cornersOf(latitude)
    .flatMap((lat) => cornersOf(longitude).map((lon) => ({ latitude: lat, longitude: lon })))
    .filter(({ latitude: lat, longitude: lon }) => lat <= 90 && lon <= 180)
}
