import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import { openLines, openPoints, openSlotsSummary } from './open-slots-series.ts'

const past = {
  fromMs: 10 * HOUR_MS,
  stepMs: HOUR_MS,
  all: [null, 5, null, 9],
  states: [...'ABCDEFGH'].map((letter) => ({ state: `${letter}A`, counts: [null, 1, null, 2] })),
}

test('lists all slots before the top six states, or before one selected state', () => {
  const labels = (only: string) => openLines(past, only).map(({ label }) => label)
  assert.deepEqual(labels(''), ['All open slots', 'AA', 'BA', 'CA', 'DA', 'EA', 'FA'])
  assert.deepEqual(labels('HA'), ['All open slots', 'HA'])
  const strokes = openLines(past, '').map(({ dashes }) => dashes)
  assert.equal(new Set(strokes).size, strokes.length)
})

test('points start with the first count and have gaps for missing counts', () => {
  const points = openPoints(past, openLines(past, 'AA'))
  assert.deepEqual(points, [
    { atMs: 11 * HOUR_MS, counts: [5, 1] },
    { atMs: 12 * HOUR_MS, counts: [null, null] },
    { atMs: 13 * HOUR_MS, counts: [9, 2] },
  ])
  assert.equal(openSlotsSummary(points), 'Open slots: between 5 and 9, 9 at the end')
  assert.deepEqual(openPoints({ ...past, all: [null, null] }, []), [])
})
