import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_NOW_MS as NOW, sampleSource } from '../../test/support/sync/source-sample.ts'
import { DAY_MS } from '../lib/time.ts'
import type { Anomaly } from '../store/contracts/source-watch.ts'
import { type Arrival, findingsOf, isHeldBack, wordsOf } from './anomaly-rules.ts'

/** What comes after a snapshot of 200 slots, in order but for what is given. */
function arrival(part: Partial<Arrival> = {}, source = sampleSource()): Arrival {
  return {
    before: source,
    slotCount: 200,
    isChanged: true,
    publishedAtMs: NOW - 1000,
    lastEndMs: NOW + DAY_MS,
    nowMs: NOW,
    ...part,
  }
}

const fresh = (part: Partial<Arrival>, source = sampleSource()) =>
  findingsOf(arrival(part, source)).fresh.map(({ kind: what }) => what)

const all = (part: Partial<Arrival>, findings: readonly Anomaly[]) =>
  findingsOf(arrival(part, sampleSource({}, { anomalies: findings }))).all.map(({ kind: what }) => what)

test('nothing is suspicious about a snapshot in order', () => {
  assert.deepEqual(fresh({}), [])
})

test('many to none is suspicious, few to none is not', () => {
  const none = { slotCount: 0, lastEndMs: undefined }
  assert.deepEqual(fresh(none, sampleSource({ slotCount: 10 })), ['emptied'])
  assert.deepEqual(fresh(none, sampleSource({ slotCount: 9 })), [])
})

test('a drop is sharp if it takes more than half, and a hundred at least', () => {
  const drop = (from: number, to: number) => fresh({ slotCount: to }, sampleSource({ slotCount: from }))
  assert.deepEqual(drop(200, 99), ['dropped'])
  assert.deepEqual(drop(200, 100), [])
  assert.deepEqual(drop(199, 99), ['dropped'])
  assert.deepEqual(drop(150, 51), [])
  assert.deepEqual(drop(10, 1000), [])
})

test('a snapshot whose slots have all ended is suspicious', () => {
  assert.deepEqual(fresh({ lastEndMs: NOW }), ['ended'])
  assert.deepEqual(fresh({ lastEndMs: NOW + 1 }), [])
  assert.deepEqual(fresh({ lastEndMs: undefined }), [])
  assert.deepEqual(fresh({ slotCount: 9, lastEndMs: NOW }, sampleSource({ slotCount: 9 })), [])
})

test('a clock is suspicious that goes back, stands still while slots change, or is a day behind', () => {
  const before = NOW - 120_000
  assert.deepEqual(fresh({ publishedAtMs: before - 1 }), ['clock-back'])
  assert.deepEqual(fresh({ publishedAtMs: before }), ['clock-stuck'])
  assert.deepEqual(fresh({ publishedAtMs: before, isChanged: false }), [])
  const { publishedAtMs: _, ...silent } = sampleSource()
  assert.deepEqual(fresh({ publishedAtMs: undefined }, silent), [])
  assert.deepEqual(fresh({ publishedAtMs: NOW - DAY_MS }, silent), [])
  assert.deepEqual(fresh({ publishedAtMs: NOW - DAY_MS - 1 }, silent), ['clock-old'])
})

test('a drop stands until half of the slots are back, or a day is over; a clock is wrong until it moves', () => {
  const found = (kind: Anomaly['kind'], agoMs = 0) => [{ kind, atMs: NOW - agoMs, before: 420, after: 200 }]
  assert.deepEqual(all({ slotCount: 209 }, found('dropped')), ['dropped'])
  assert.deepEqual(all({ slotCount: 210 }, found('dropped')), [])
  assert.deepEqual(all({ slotCount: 209 }, found('dropped', DAY_MS)), [])
  assert.deepEqual(all({ slotCount: 5 }, found('emptied')), ['dropped'])
  const still = { isChanged: false, publishedAtMs: NOW - 120_000 }
  assert.deepEqual(all(still, found('clock-stuck')), ['clock-stuck'])
  assert.deepEqual(all(still, found('clock-back')), ['clock-back'])
  assert.deepEqual(all(still, found('clock-old')), [])
  assert.deepEqual(all({}, found('clock-stuck')), [])
})

test('what is found anew takes the place of what was found before', () => {
  const { all } = findingsOf(
    arrival(
      { slotCount: 90 },
      sampleSource({}, { anomalies: [{ kind: 'dropped', atMs: 1, before: 500, after: 200 }] }),
    ),
  )
  assert.deepEqual(all, [{ kind: 'dropped', atMs: NOW, before: 200, after: 90 }])
})

test('what is held depends on what the operator chose and has said yes to', () => {
  const of = (...kinds: Anomaly['kind'][]) =>
    kinds.map((kind) => ({ kind, atMs: NOW, before: 200, after: 0 }))
  const { watch } = sampleSource()
  const held = (hold: typeof watch.reviewPolicy, findings: Anomaly[], accepted: typeof watch.approved = []) =>
    isHeldBack({ ...watch, reviewPolicy: hold, approved: accepted }, findings)
  assert.equal(held('nothing', of('emptied')), false)
  assert.equal(held('emptied', of('emptied')), true)
  assert.equal(held('emptied', of('dropped', 'clock-old')), false)
  assert.equal(held('suspicious', of('dropped')), true)
  assert.equal(held('suspicious', of()), false)
  assert.equal(held('suspicious', of('clock-stuck'), ['clock-stuck']), false)
  assert.equal(held('suspicious', of('clock-stuck', 'dropped'), ['clock-stuck']), true)
})

test('findings are put into words, gravest first', () => {
  const findings: Anomaly[] = [
    { kind: 'clock-back', atMs: NOW, before: 400, after: 3 },
    { kind: 'dropped', atMs: NOW, before: 400, after: 3 },
  ]
  assert.equal(
    wordsOf(findings),
    'It had 400 slots and publishes 3. It says that it is from an earlier time than before.',
  )
})
