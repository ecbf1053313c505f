import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SAMPLE_NOW_MS as NOW, sampleOutcome, sampleSource } from '../../test/support/sync/source-sample.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import { ANOMALY_KINDS } from '../shared/source-vocabulary.ts'
import { SOURCE_HEALTHS } from '../slot/source-freshness.ts'
import type { SourceOverview } from '../store/contracts/sources.ts'
import { ANOMALY_RULES } from './anomaly-rules.ts'
import { HEALTH_RULES, healthOf, LATE_AFTER_MS, usualPauseMs } from './source-health.ts'

const TODAY = Math.floor(NOW / DAY_MS)

const health = (source: SourceOverview) => healthOf(source, NOW).health

test('assesses a normal source as healthy, without a reason', () => {
  assert.deepEqual(healthOf(sampleSource(), NOW), { health: 'healthy', why: '' })
})

test('a source is failing after three consecutive failures, or if every sync failed', () => {
  assert.equal(health(sampleSource({ failures: 2 })), 'healthy')
  const lastSync = sampleOutcome({ outcome: 'failed', error: 'It is gone.' })
  assert.deepEqual(healthOf(sampleSource({ failures: 3, lastSync }), NOW), {
    health: 'failing',
    why: 'The last 3 syncs failed: It is gone.',
  })
  const { lastCheckedAtMs: _, ...never } = sampleSource({ failures: 1, lastSync })
  assert.equal(healthOf(never, NOW).why, 'The last sync failed: It is gone.')
})

test('a source is late when two minutes overdue, unless it is being read or imported from files', () => {
  const due = (lateMs: number) => ({ nextSyncAtMs: NOW - lateMs })
  assert.equal(health(sampleSource(due(LATE_AFTER_MS))), 'healthy')
  const late = healthOf(sampleSource(due(LATE_AFTER_MS + 1)), NOW)
  assert.deepEqual(late, { health: 'late', why: 'Its sync is 2 minutes overdue.' })
  assert.equal(health(sampleSource(due(DAY_MS), { readUntilMs: NOW + 1 })), 'healthy')
  assert.equal(health(sampleSource(due(DAY_MS), { readUntilMs: NOW })), 'late')
  assert.equal(health(sampleSource({ ...due(DAY_MS), format: 'files' })), 'healthy')
})

test('a source that was just added is not late, but becomes late if it is never synced', () => {
  const { lastSync: _, lastCheckedAtMs: __, ...fresh } = sampleSource({ nextSyncAtMs: 0, createdAtMs: NOW - 60_000 })
  assert.equal(health(fresh), 'never-synced')
  assert.equal(health({ ...fresh, createdAtMs: NOW - LATE_AFTER_MS - 1 }), 'late')
})

test('a source with an unknown usual pause is stale after a day', () => {
  const quiet = (ms: number, pauses = [{ day: TODAY, longestMs: 1000 }]) =>
    sampleSource({ changedAtMs: NOW - ms }, { changeGaps: pauses })
  assert.equal(health(quiet(DAY_MS)), 'healthy')
  assert.equal(health(quiet(DAY_MS + 1)), 'stale')
  const { changedAtMs: _, ...never } = quiet(0)
  assert.equal(health(never), 'healthy')
})

test('a source is stale after one and a half times its usual pause, and after an hour at least', () => {
  const quiet = (ms: number, ...longest: number[]) =>
    sampleSource(
      { changedAtMs: NOW - ms },
      { changeGaps: longest.map((longestMs, at) => ({ day: TODAY - at, longestMs })) },
    )
  assert.equal(health(quiet(12 * HOUR_MS, 8 * HOUR_MS, 8 * HOUR_MS)), 'healthy')
  const stale = healthOf(quiet(12 * HOUR_MS + 1, 8 * HOUR_MS, 8 * HOUR_MS), NOW)
  assert.deepEqual(stale, {
    health: 'stale',
    why: 'It has not changed for 12 hours; its usual pause is at most 8 hours.',
  })
  assert.equal(health(quiet(HOUR_MS, 1000, 1000)), 'healthy')
  const busy = healthOf(quiet(HOUR_MS + 1, 1000, 1000), NOW)
  assert.deepEqual(busy, {
    health: 'stale',
    why: 'It has not changed for 60 minutes; its usual pause is at most 1 minute.',
  })
})

test('the usual pause is the second longest of two weeks: includes nights and weekends, but not one outage', () => {
  const pausesOf = (...longest: number[]) => ({
    watch: sampleSource({}, { changeGaps: longest.map((longestMs, at) => ({ day: TODAY - at, longestMs })) }).watch,
  })
  const night = 9 * HOUR_MS
  const weekend = 60 * HOUR_MS
  assert.equal(usualPauseMs(pausesOf(night, night, 5 * DAY_MS, night), NOW), night)
  assert.equal(usualPauseMs(pausesOf(weekend, night, night, night, night, night, night, weekend), NOW), weekend)
  assert.equal(usualPauseMs(pausesOf(night), NOW), undefined)
  const { changeGaps: pauses } = pausesOf(night, night, night).watch
  const old = pauses.map((pause) => ({ ...pause, day: pause.day - 14 }))
  assert.equal(usualPauseMs(sampleSource({}, { changeGaps: old }), NOW), undefined)
})

test('a source is suspicious while a snapshot is held, whatever was approved', () => {
  const anomalies = [{ kind: 'emptied', atMs: NOW, before: 200, after: 0 }] as const
  const held = { anomalies, sinceMs: NOW, atMs: NOW, before: 200, after: 0 }
  const judged = healthOf(sampleSource({}, { held, approved: ['emptied'] }), NOW)
  assert.deepEqual(judged, {
    health: 'suspicious',
    why: 'It had 200 slots and now has none. The snapshot is held until an operator approves it.',
  })
})

test('a source is suspicious for a day after a sharp drop, unless the slots return or it is approved', () => {
  const dropped = (slotCount: number, agoMs: number, accepted: readonly 'dropped'[] = []) =>
    sampleSource(
      { slotCount },
      { anomalies: [{ kind: 'dropped', atMs: NOW - agoMs, before: 400, after: 100 }], approved: accepted },
    )
  assert.equal(health(dropped(100, 0)), 'suspicious')
  assert.equal(health(dropped(199, DAY_MS - 1)), 'suspicious')
  assert.equal(health(dropped(200, 0)), 'healthy')
  assert.equal(health(dropped(100, DAY_MS)), 'healthy')
  assert.equal(health(dropped(100, 0, ['dropped'])), 'healthy')
})

test('a source is suspicious once all of its slots have ended, without another sync', () => {
  assert.equal(health(sampleSource({}, { lastEndMs: NOW + 1 })), 'healthy')
  const ended = healthOf(sampleSource({}, { lastEndMs: NOW }), NOW)
  assert.deepEqual(ended, { health: 'suspicious', why: 'All of its 200 slots have ended.' })
  assert.equal(health(sampleSource({ slotCount: 9 }, { lastEndMs: NOW })), 'healthy')
  const found = { kind: 'ended', atMs: NOW - 1, before: 200, after: 200 } as const
  assert.deepEqual(healthOf(sampleSource({}, { lastEndMs: NOW, anomalies: [found] }), NOW), ended)
  assert.equal(health(sampleSource({}, { lastEndMs: NOW, approved: ['ended'] })), 'healthy')
})

test('a paused source is paused, whatever other rule matches', () => {
  const worst = sampleSource({ paused: true, failures: 9, nextSyncAtMs: 0, changedAtMs: 0 })
  assert.equal(health(worst), 'paused')
})

test('every health has a rule, and the last rule matches every source', () => {
  assert.deepEqual(HEALTH_RULES.map((rule) => rule.health).toSorted(), SOURCE_HEALTHS.toSorted())
  assert.equal(health(sampleSource({ failures: 3, nextSyncAtMs: 0 }, { lastEndMs: 0 })), 'failing')
  assert.equal(health(sampleSource({ nextSyncAtMs: 0 }, { lastEndMs: 0 })), 'suspicious')
  assert.equal(health(sampleSource({ nextSyncAtMs: 0, changedAtMs: 0 })), 'late')
})

test('docs/operating-sources.md has the rules word for word, in their order', () => {
  const page = readFileSync(new URL('../../docs/operating-sources.md', import.meta.url), 'utf8')
  const rowsAfter = (heading: string) => {
    const table =
      page
        .slice(page.indexOf(heading))
        .split('\n\n')
        .find((part) => part.startsWith('|')) ?? ''
    return [...table.matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm)].map(([, name, means]) => [name, means])
  }
  assert.deepEqual(
    rowsAfter('| health |'),
    HEALTH_RULES.map(({ health, means }) => [health, means]),
  )
  assert.deepEqual(
    rowsAfter('| anomaly |'),
    ANOMALY_RULES.map(({ kind, means }) => [kind, means]),
  )
  assert.deepEqual(ANOMALY_RULES.map(({ kind }) => kind).toSorted(), ANOMALY_KINDS.toSorted())
})
