import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PastSync, SourceState, SyncOutcome } from '../store/source-store.ts'
import { sourceFlags } from './source-flags.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 5, 1)

const QUIET: SyncOutcome = {
  outcome: 'ok',
  startedAtMs: NOW,
  durationMs: 0,
  read: 0,
  added: 0,
  changed: 0,
  removed: 0,
  rejected: 0,
  withheld: 0,
  unchanged: true,
}

const SOURCE: SourceState = {
  id: 1,
  slug: 'clinic',
  format: 'smart-links',
  url: 'https://clinic.example/$bulk-publish',
  options: {},
  strict: false,
  createdAtMs: NOW - 100 * HOUR_MS,
  memory: undefined,
  nextSyncAtMs: NOW,
  failures: 0,
  slotCount: 10,
  changedAtMs: NOW,
  lastSync: QUIET,
  paused: false,
}

/** A sync that changed something, so many hours ago. */
function changeAgo(hours: number): PastSync {
  return {
    ...QUIET,
    startedAtMs: NOW - hours * HOUR_MS,
    read: 10,
    changed: 1,
    unchanged: false,
    slotCount: 10,
  }
}

test('a source that was never synced is not flagged for anything else', () => {
  const { lastSync: _, changedAtMs: __, ...fresh } = SOURCE
  assert.deepEqual(sourceFlags({ ...fresh, slotCount: 0 }, [], NOW), ['never-synced'])
})

test('a source in order has no flag', () => {
  assert.deepEqual(sourceFlags(SOURCE, [changeAgo(0), changeAgo(1), changeAgo(2)], NOW), [])
})

test('a source whose last sync failed is failing', () => {
  const failed = { ...QUIET, outcome: 'failed' as const, unchanged: false, error: 'away' }
  assert.deepEqual(sourceFlags({ ...SOURCE, lastSync: failed }, [], NOW), ['failing'])
})

test('a source without slots is empty if it had some, and not if it never had', () => {
  assert.deepEqual(sourceFlags({ ...SOURCE, slotCount: 0 }, [], NOW), ['empty'])
  const { changedAtMs: _, ...never } = SOURCE
  assert.deepEqual(sourceFlags({ ...never, slotCount: 0 }, [], NOW), [])
})

test('a source is stale after three times its usual time between changes', () => {
  const history = [changeAgo(13), { ...QUIET, slotCount: 10 }, changeAgo(15), changeAgo(17), changeAgo(30)]
  const quietFor = (hours: number) => ({ ...SOURCE, changedAtMs: NOW - hours * HOUR_MS })
  assert.deepEqual(sourceFlags(quietFor(6), history, NOW), [])
  assert.deepEqual(sourceFlags(quietFor(6.01), history, NOW), ['stale'])
  assert.deepEqual(sourceFlags({ ...quietFor(100), paused: true }, history, NOW), [])
})

test('a source that changes every minute is not stale before an hour', () => {
  const history = [0, 1, 2, 3].map((minutes) => changeAgo(minutes / 60))
  assert.deepEqual(sourceFlags({ ...SOURCE, changedAtMs: NOW - HOUR_MS }, history, NOW), [])
  assert.deepEqual(sourceFlags({ ...SOURCE, changedAtMs: NOW - HOUR_MS - 1 }, history, NOW), ['stale'])
})

test('a source whose usual time is not known is stale after a day', () => {
  assert.deepEqual(sourceFlags({ ...SOURCE, changedAtMs: NOW - 24 * HOUR_MS }, [changeAgo(24)], NOW), [])
  assert.deepEqual(sourceFlags({ ...SOURCE, changedAtMs: NOW - 25 * HOUR_MS }, [changeAgo(25)], NOW), [
    'stale',
  ])
})

test('a source is rejecting if more than one line in a hundred was, when it was last read', () => {
  const read = (rejected: number) => ({ ...QUIET, unchanged: false, read: 100, rejected, slotCount: 99 })
  assert.deepEqual(sourceFlags({ ...SOURCE, lastSync: read(1) }, [], NOW), [])
  assert.deepEqual(sourceFlags({ ...SOURCE, lastSync: read(2) }, [], NOW), ['rejecting'])
  assert.deepEqual(sourceFlags(SOURCE, [{ ...QUIET, slotCount: 99 }, read(2), read(0)], NOW), ['rejecting'])
})
