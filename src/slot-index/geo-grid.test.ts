import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runAtOnce } from '../lib/steps.ts'
import { GeoRadius } from '../slot/geo-radius.ts'
import { GeoGrid } from './geo-grid.ts'
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
        const grid = new GeoGrid(positions)
        for (const [number, point] of points.entries()) {
          positions.push(point)
          grid.add(number)
        }
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
          assert.deepEqual([...runAtOnce(grid.within(circle)).sort()], scanned)
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('pauses among many points at one position', () => {
  const positions = new OfferingPositions()
  const grid = new GeoGrid(positions)
  const position = { latitude: 42.36, longitude: -71.06 }
  for (let number = 0; number < 100_000; number++) {
    positions.push(position)
    grid.add(number)
  }
  const steps = grid.within(new GeoRadius({ ...position, radiusKm: 1 }))
  let pauses = 0
  while (steps.next().done !== true) pauses++
  assert.ok(pauses >= 6, String(pauses))
})
