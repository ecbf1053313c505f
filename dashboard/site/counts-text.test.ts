import assert from 'node:assert/strict'
import { test } from 'node:test'
import { captionOf, summaryOf } from './counts-text.ts'

const at = '2026-11-25T12:00:40Z'
const COUNTS = { slots: 45_155, states: { CA: 2420, HI: 345 }, publishers: 3, at, checkedAt: '2026-11-25T12:00:00Z' }

test('summarizes what the service has', () => {
  assert.equal(summaryOf(COUNTS), '45,155 open slots in 2 states, from 3 publishers, updated 40 seconds ago')
  const one = { slots: 1, states: { CA: 1 }, publishers: 1, at }
  assert.equal(summaryOf(one), '1 open slot in 1 state, from 1 publisher')
  assert.equal(summaryOf({ ...one, states: {} }), '1 open slot, from 1 publisher')
  assert.equal(summaryOf({ ...one, states: { CA: 1, DC: 1 } }), '1 open slot in 1 state and DC, from 1 publisher')
})

test('says how long ago a publisher was checked', () => {
  const ago = (checkedAt: string) => summaryOf({ ...COUNTS, checkedAt }).split(', updated ')[1]
  assert.equal(ago(at), 'just now')
  assert.equal(ago('2026-11-25T12:00:41Z'), 'just now')
  assert.equal(ago('2026-11-25T11:59:00Z'), '1 minute ago')
  assert.equal(ago('2026-11-25T09:00:00Z'), '3 hours ago')
  assert.equal(ago('2026-11-20T09:00:00Z'), '5 days ago')
})

test('describes the map in words', () => {
  assert.equal(captionOf(COUNTS), 'Open slots by state: CA 2,420, HI 345')
})
