import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_NOW_MS as NOW, sampleOutcome, sampleSource } from '../../test/support/sync/source-sample.ts'
import { DAY_MS } from '../lib/time.ts'
import type { Anomaly } from '../store/contracts/source-watch.ts'
import {
  describeAnomalies,
  detectAnomalies,
  matchesHeldSnapshot,
  type NewSnapshot,
  needsReview,
} from './anomaly-rules.ts'

/** What comes after a snapshot of 200 slots, in order but for what is given. */
function arrival(part: Partial<NewSnapshot> = {}, source = sampleSource()): NewSnapshot {
  return {
    before: source,
    slotCount: 200,
    lines: { read: 200, rejected: 0 },
    isChanged: true,
    publishedAtMs: NOW - 1000,
    lastEndMs: NOW + DAY_MS,
    nowMs: NOW,
    ...part,
  }
}

const detected = (part: Partial<NewSnapshot>, source = sampleSource()) =>
  detectAnomalies(arrival(part, source)).detected.map(({ kind: what }) => what)

const all = (part: Partial<NewSnapshot>, findings: readonly Anomaly[]) =>
  detectAnomalies(arrival(part, sampleSource({}, { anomalies: findings }))).all.map(({ kind: what }) => what)

test('detects no anomaly in a normal snapshot', () => {
  assert.deepEqual(detected({}), [])
})

test('detects a drop to zero from many slots, but not from few', () => {
  const none = { slotCount: 0, lastEndMs: undefined }
  assert.deepEqual(detected(none, sampleSource({ slotCount: 10 })), ['emptied'])
  assert.deepEqual(detected(none, sampleSource({ slotCount: 9 })), [])
})

test('detects a drop of more than half and at least three times the square root, also of a small clinic', () => {
  const drop = (from: number, to: number) => detected({ slotCount: to }, sampleSource({ slotCount: from }))
  for (const [from, to] of [
    [200, 99],
    [199, 99],
    [150, 51],
    [101, 20],
    [100, 10],
    [37, 18],
    [25, 10],
    [16, 4],
  ])
    assert.deepEqual(drop(from, to), ['dropped'], `${from} to ${to}`)
  for (const [from, to] of [
    [200, 100],
    [36, 19],
    [25, 11],
    [16, 5],
    [10, 1],
    [10, 1000],
  ])
    assert.deepEqual(drop(from, to), [], `${from} to ${to}`)
})

test('slots that had ended are no drop', () => {
  const source = sampleSource({ slotCount: 200 })
  assert.deepEqual(detected({ slotCount: 60, endedCount: 81 }, source), [])
  assert.deepEqual(detectAnomalies(arrival({ slotCount: 60, endedCount: 79 }, source)).detected, [
    { kind: 'dropped', atMs: NOW, before: 121, after: 60 },
  ])
})

/** A source of which `rejected` of 100 lines are rejected now. */
const rejecting = (rejected: number, part: Partial<NewSnapshot> = {}) => ({ lines: { read: 100, rejected }, ...part })

/** A source of which `rejected` of 100 lines were rejected. */
const rejectedBefore = (rejected: number, ...kinds: Anomaly['kind'][]) =>
  sampleSource(
    {},
    {
      lastRead: sampleOutcome({ read: 100, rejected }),
      anomalies: kinds.map((kind) => ({
        kind,
        atMs: NOW - 1,
        before: 200,
        after: 200,
        lines: { read: 100, rejected },
      })),
    },
  )

test('detects that more than a tenth of the lines are rejected, a larger share than before', () => {
  assert.deepEqual(detected(rejecting(10)), [])
  assert.deepEqual(detected(rejecting(11)), ['rejected'])
  assert.deepEqual(detected(rejecting(11), rejectedBefore(10)), ['rejected'])
  assert.deepEqual(detected(rejecting(11), rejectedBefore(11)), [])
  assert.deepEqual(detected({ lines: { read: 1000, rejected: 110 } }, rejectedBefore(12)), [])
})

test('detects a larger share of rejected lines than the source allows', () => {
  const before = (rejectedPercentMax: number) => sampleSource({ slotCount: 200, options: { rejectedPercentMax } })
  assert.deepEqual(detected(rejecting(25), before(25)), [])
  assert.deepEqual(detected(rejecting(26), before(25)), ['rejected'])
  assert.deepEqual(detected(rejecting(1), before(0.5)), ['rejected'])
  assert.deepEqual(detected(rejecting(0), before(0)), [])
  const [lasting] = detectAnomalies(arrival(rejecting(26), before(25))).all
  assert.ok(lasting)
  const anomalous = (rejectedPercentMax: number) => {
    const source = before(rejectedPercentMax)
    return {
      ...source,
      watch: { ...source.watch, anomalies: [lasting], lastRead: sampleOutcome({ read: 100, rejected: 26 }) },
    }
  }
  assert.deepEqual(detectAnomalies(arrival(rejecting(26), anomalous(25))).all.length, 1)
  assert.deepEqual(detectAnomalies(arrival(rejecting(26), anomalous(30))).all, [])
})

test('detects that more than half of the lines are rejected, if there were slots', () => {
  assert.deepEqual(detected(rejecting(50)), ['rejected'])
  assert.deepEqual(detected(rejecting(51)), ['unreadable', 'rejected'])
  assert.deepEqual(detected(rejecting(51), rejectedBefore(60)), [])
  assert.deepEqual(detected(rejecting(100, { lastEndMs: undefined }), sampleSource({ slotCount: 0 })), ['rejected'])
})

test('detects a source without slots of which any line is rejected', () => {
  const none = { slotCount: 0, lastEndMs: undefined }
  assert.deepEqual(detected(rejecting(1, none), sampleSource({ slotCount: 0 })), ['rejected'])
  assert.deepEqual(detected(rejecting(0, none), sampleSource({ slotCount: 0 })), [])
  assert.deepEqual(detected(rejecting(3)), [])
})

test('reports rejections while they stand, with their number by now and a reason', () => {
  const first = detectAnomalies(arrival({ lines: { read: 200, rejected: 50, example: 'status must be one' } })).detected
  assert.equal(describeAnomalies(first), '50 of 200 lines were rejected, one because: status must be one.')
  const source = sampleSource({}, { lastRead: sampleOutcome({ read: 200, rejected: 50 }), anomalies: first })
  const later = (rejected: number) => describeAnomalies(detectAnomalies(arrival(rejecting(rejected), source)).all)
  assert.equal(later(20), '20 of 100 lines were rejected, one because: status must be one.')
  assert.equal(later(10), '')
  const worse = rejectedBefore(60, 'unreadable', 'rejected')
  assert.deepEqual(
    detectAnomalies(arrival(rejecting(30), worse)).all.map(({ kind }) => kind),
    ['rejected'],
  )
})

test('detects ten times as many slots as before if they are at least 10,000 more', () => {
  const rise = (before: number, after: number) => detected({ slotCount: after }, sampleSource({ slotCount: before }))
  assert.deepEqual(rise(1112, 11_120), ['grown'])
  assert.deepEqual(rise(1112, 11_119), [])
  assert.deepEqual(rise(1, 10_001), ['grown'])
  assert.deepEqual(rise(1, 10_000), [])
  assert.deepEqual(rise(0, 7_000_000), [])
})

test('reports a rise until it has gone or a day has passed', () => {
  const found = (agoMs = 0) => [{ kind: 'grown' as const, atMs: NOW - agoMs, before: 100, after: 20_000 }]
  const after = (slotCount: number) => ({ slotCount, isChanged: false })
  const source = sampleSource({ slotCount: 20_000 })
  const ongoing = (slotCount: number, agoMs = 0) =>
    detectAnomalies(arrival(after(slotCount), { ...source, watch: { ...source.watch, anomalies: found(agoMs) } })).all
  assert.deepEqual(
    ongoing(10_100).map(({ kind }) => kind),
    ['grown'],
  )
  assert.deepEqual(ongoing(10_099), [])
  assert.deepEqual(ongoing(20_000, DAY_MS), [])
})

test('a held rise that went on rising needs another review', () => {
  const held = { anomalies: [{ kind: 'grown' as const, atMs: NOW, before: 100, after: 20_000 }], after: 20_000 }
  const matches = (slotCount: number) =>
    matchesHeldSnapshot({ ...held, before: 100, sinceMs: NOW, atMs: NOW }, { detected: held.anomalies, slotCount })
  assert.equal(matches(199_999), true)
  assert.equal(matches(200_000), false)
})

test('a held snapshot that is suspicious for another reason, or has no slots left, needs another review', () => {
  const unreadable = { kind: 'unreadable' as const, atMs: NOW, before: 5, after: 12 }
  const held = { anomalies: [unreadable], before: 5, after: 12, sinceMs: NOW, atMs: NOW }
  const matches = (detected: readonly Anomaly[], slotCount: number) =>
    matchesHeldSnapshot(held, { detected, slotCount })
  assert.equal(matches([unreadable], 12), true)
  assert.equal(matches([], 12), true)
  assert.equal(matches([unreadable, { ...unreadable, kind: 'rejected' }], 12), false)
  assert.equal(matches([unreadable], 0), false)
})

test('detects that many slots have lost their states, but not few', () => {
  const lost = (before: number, slotCount: number) =>
    detected({ slotCount, states: 'lost' }, sampleSource({ slotCount: before }))
  assert.deepEqual(lost(10, 10), ['no-states'])
  assert.deepEqual(lost(9, 10), [])
  assert.deepEqual(lost(10, 9), [])
})

test('detects a snapshot whose slots have all ended', () => {
  assert.deepEqual(detected({ lastEndMs: NOW }), ['ended'])
  assert.deepEqual(detected({ lastEndMs: NOW + 1 }), [])
  assert.deepEqual(detected({ lastEndMs: undefined }), [])
  assert.deepEqual(detected({ slotCount: 9, lastEndMs: NOW }, sampleSource({ slotCount: 9 })), [])
})

test('detects a timestamp that goes back, stays the same while slots change, or is a day old', () => {
  const before = NOW - 120_000
  assert.deepEqual(detected({ publishedAtMs: before - 1 }), ['clock-back'])
  assert.deepEqual(detected({ publishedAtMs: before }), ['clock-stuck'])
  assert.deepEqual(detected({ publishedAtMs: before, isChanged: false }), [])
  const { publishedAtMs: _, ...silent } = sampleSource()
  assert.deepEqual(detected({ publishedAtMs: undefined }, silent), [])
  assert.deepEqual(detected({ publishedAtMs: NOW - DAY_MS }, silent), [])
  assert.deepEqual(detected({ publishedAtMs: NOW - DAY_MS - 1 }, silent), ['clock-old'])
})

test('reports a drop until half of the slots are back or a day has passed, no slots until there are some, and a timestamp until it changes', () => {
  const found = (kind: Anomaly['kind'], agoMs = 0) => [{ kind, atMs: NOW - agoMs, before: 420, after: 200 }]
  assert.deepEqual(all({ slotCount: 209 }, found('dropped')), ['dropped'])
  assert.deepEqual(all({ slotCount: 210 }, found('dropped')), [])
  assert.deepEqual(all({ slotCount: 209 }, found('dropped', DAY_MS)), [])
  assert.deepEqual(all({ slotCount: 5 }, found('emptied')), ['dropped'])
  assert.deepEqual(all({ slotCount: 0, lastEndMs: undefined }, found('emptied', 100 * DAY_MS)), ['emptied'])
  const still = { isChanged: false, publishedAtMs: NOW - 120_000 }
  assert.deepEqual(all(still, found('clock-stuck')), ['clock-stuck'])
  assert.deepEqual(all(still, found('clock-back')), ['clock-back'])
  assert.deepEqual(all(still, found('clock-old')), [])
  assert.deepEqual(all({}, found('clock-stuck')), [])
})

test('replaces an earlier anomaly of the same kind', () => {
  const { all } = detectAnomalies(
    arrival(
      { slotCount: 90 },
      sampleSource({}, { anomalies: [{ kind: 'dropped', atMs: 1, before: 500, after: 200 }] }),
    ),
  )
  assert.deepEqual(all, [{ kind: 'dropped', atMs: NOW, before: 200, after: 90 }])
})

test('holds for review according to the review policy and the approved kinds', () => {
  const of = (...kinds: Anomaly['kind'][]) => kinds.map((kind) => ({ kind, atMs: NOW, before: 200, after: 0 }))
  const { watch } = sampleSource()
  const held = (hold: typeof watch.reviewPolicy, findings: Anomaly[], accepted: typeof watch.approved = []) =>
    needsReview({ ...watch, reviewPolicy: hold, approved: accepted }, findings)
  assert.equal(held('nothing', of('emptied')), false)
  assert.equal(held('extreme', of('emptied')), true)
  assert.equal(held('extreme', of('dropped', 'clock-old')), false)
  assert.equal(held('extreme', of('grown')), true)
  assert.equal(held('extreme', of('grown'), ['grown']), false)
  assert.equal(held('nothing', of('grown')), false)
  assert.equal(held('extreme', of('unreadable', 'rejected')), true)
  assert.equal(held('extreme', of('rejected')), false)
  assert.equal(held('suspicious', of('dropped')), true)
  assert.equal(held('suspicious', of()), false)
  assert.equal(held('suspicious', of('clock-stuck'), ['clock-stuck']), false)
  assert.equal(held('suspicious', of('clock-stuck', 'dropped'), ['clock-stuck']), true)
})

test('describes anomalies in order of severity', () => {
  const findings: Anomaly[] = [
    { kind: 'clock-back', atMs: NOW, before: 400, after: 3 },
    { kind: 'dropped', atMs: NOW, before: 400, after: 3 },
  ]
  assert.equal(
    describeAnomalies(findings),
    "It had 400 slots and now has 3. The publisher's timestamp is earlier than before.",
  )
})
