import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipArea } from './zip-areas.ts'

test('knows the areas of ZIP codes in states and territories', async () => {
  // US Census Gazetteer of 2021.
  const areas: [string, number, number][] = [
    ['00601', 18.18, -66.75],
    ['02139', 42.36, -71.1],
    ['54301', 44.48, -88.02],
    ['90210', 34.1, -118.41],
  ]
  for (const [zip, latitude, longitude] of areas) {
    const point = await zipArea(zip)
    assert.ok(point !== undefined, zip)
    assert.ok(Math.abs(point.latitude - latitude) < 0.02 && Math.abs(point.longitude - longitude) < 0.02, zip)
  }
})

test('has no area for post office boxes, unknown codes and other texts', async () => {
  for (const text of ['20505', '00000', '2139', '', 'M5V 2T6', 'Boston', '__proto__'])
    assert.equal(await zipArea(text), undefined, text)
})
