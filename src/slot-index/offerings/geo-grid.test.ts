import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runAtOnce } from '../../lib/steps.ts'
import { GeoRadius } from '../../slot/geo-radius.ts'
import { findInGrid, type GeoGrid, gridOf } from './geo-grid.ts'
import { OfferingPositions } from './offering-positions.ts'

/** Also at the edges of cells, on the date line and at the poles. */
const latitude = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.integer({ min: -90, max: 90 }),
  fc.constantFrom(-90, 89.999999, 90),
)
const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.integer({ min: -180, max: 180 }),
  fc.constantFrom(-180, -179.999999, 179.999999, 180),
)
const point = fc.record({ latitude, longitude })
const nowhere = fc.constant({ latitude: Number.NaN, longitude: Number.NaN })
const radiusKm = fc.constantFrom(0.001, 1, 25, 111.2, 500, 5000)

test('finds the points in a circle that a scan finds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ arbitrary: point, weight: 9 }, nowhere), { maxLength: 200, size: 'max' }),
      fc.array(fc.record({ point, radiusKm }), { minLength: 5, maxLength: 5 }),
      fc.array(fc.tuple(fc.nat(), radiusKm), { minLength: 5, maxLength: 5 }),
      (drawn, anywhere, centered) => {
        // Some follow others at the same position.
        const points = drawn.flatMap((point, n) => Array.from({ length: (n % 3) + 1 }, () => point))
        const positions = new OfferingPositions()
        for (const point of points) positions.push(point)
        const grid = gridOf(0, points.length, positions)
        const placed = points.filter(({ latitude }) => !Number.isNaN(latitude))
        const centers = placed.length === 0 ? [] : centered.map(([n, km]) => ({ point: placed[n % placed.length], km }))
        // Points at the edge, where rounding decides.
        const edges = centers.map(({ point: { latitude, longitude } }, n) => {
          const point = { latitude: latitude - Math.sign(latitude) * 10 ** -n, longitude }
          return { point, km: new GeoRadius({ ...point, radiusKm: 1 }).distanceKm(latitude, longitude) }
        })
        const circles = [...anywhere.map(({ point, radiusKm: km }) => ({ point, km })), ...centers, ...edges]
        for (const { point, km } of circles) {
          const circle = new GeoRadius({ ...point, radiusKm: km })
          const scanned = points.flatMap(({ latitude, longitude }, n) =>
            circle.covers(latitude, longitude) ? [n] : [],
          )
          assert.deepEqual(found(grid, circle, positions), scanned)
        }
      },
    ),
    { numRuns: 200 },
  )
})

function found(grid: GeoGrid, circle: GeoRadius, positions: OfferingPositions): number[] {
  const points: number[] = []
  runAtOnce(findInGrid(grid, circle, positions, points))
  return points.sort((a, b) => a - b)
}

test('pauses among many points at one position', () => {
  const positions = new OfferingPositions()
  const position = { latitude: 42.36, longitude: -71.06 }
  const length = 100_000
  for (let n = 0; n < length; n++) positions.push(position)
  const steps = findInGrid(gridOf(0, length, positions), new GeoRadius({ ...position, radiusKm: 1 }), positions, [])
  let pauses = 0
  while (steps.next().done !== true) pauses++
  assert.ok(pauses >= 6, String(pauses))
})
