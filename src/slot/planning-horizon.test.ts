import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyHorizons,
  changedHorizons,
  decodeHorizons,
  encodeHorizons,
  type PlanningHorizon,
} from './planning-horizon.ts'

const YEAR: PlanningHorizon = { start: '2030-01-01', end: '2030-12-31' }
const OPEN: PlanningHorizon = { start: '2030-01-01T08:00:00-05:00' }

test('restores planning horizons from their text, which does not depend on their order', () => {
  const horizons = new Map([
    ['b', YEAR],
    ['a', OPEN],
    ['c', { end: '2031' }],
    ['__proto__', YEAR],
  ])
  const text = encodeHorizons(horizons)
  assert.deepEqual(new Map([...decodeHorizons(text)].sort()), new Map([...horizons].sort()))
  assert.equal(encodeHorizons(new Map([...horizons].reverse())), text)
  assert.deepEqual([encodeHorizons(new Map()), decodeHorizons('')], ['', new Map()])
})

test('finds the Schedules whose planning horizons differ', () => {
  const before = new Map([
    ['same', YEAR],
    ['gone', YEAR],
    ['moved', YEAR],
  ])
  const after = new Map([
    ['same', { ...YEAR }],
    ['moved', OPEN],
    ['new', OPEN],
  ])
  assert.deepEqual([...changedHorizons(before, after)].sort(), ['gone', 'moved', 'new'])
})

test('replaces planning horizons, but not one that moved within a day', () => {
  const before = new Map([
    ['kept', YEAR],
    ['moved', OPEN],
  ])
  const moving = { start: '2030-01-01T09:00:00-05:00' }
  const bySchedule = new Map<string, PlanningHorizon | undefined>([
    ['moved', moving],
    ['new', moving],
  ])
  assert.deepEqual(
    [...applyHorizons(before, { isWhole: true, bySchedule })],
    [
      ['moved', OPEN],
      ['new', moving],
    ],
  )
  bySchedule.set('moved', { ...moving, end: '2031' }).set('new', undefined)
  assert.deepEqual(
    [...applyHorizons(before, { isWhole: false, bySchedule })],
    [
      ['kept', YEAR],
      ['moved', { ...moving, end: '2031' }],
    ],
  )
})
