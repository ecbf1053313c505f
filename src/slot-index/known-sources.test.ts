import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceFreshness } from '../slot/source-freshness.ts'
import { KnownSources } from './known-sources.ts'

const source = (slug: string, nextSyncAtMs: number, paused = false): SourceFreshness => ({
  slug,
  paused,
  health: 'healthy',
  nextSyncAtMs,
})

test('keeps the latest state of each source, in order of slug', () => {
  const known = new KnownSources()
  known.apply({ sources: [source('b', 2), source('a', 1)], gone: [], whole: true })
  known.apply({ sources: [source('b', 5), source('c', 3)], gone: ['a'], whole: false })
  assert.deepEqual(known.all, [source('b', 5), source('c', 3)])
  assert.deepEqual([known.find('b'), known.find('a')], [source('b', 5), undefined])
  known.apply({ sources: [source('d', 4)], gone: [], whole: true })
  assert.deepEqual(known.all, [source('d', 4)])
})

test('replaces a source that was removed and added again with the same slug', () => {
  const known = new KnownSources()
  known.apply({ sources: [source('a', 1)], gone: [], whole: true })
  known.apply({ sources: [source('a', 9)], gone: ['a'], whole: false })
  assert.deepEqual(known.all, [source('a', 9)])
})

test('returns the earliest next sync of the sources that are not paused', () => {
  const known = new KnownSources()
  assert.equal(known.nextSyncAtMs, undefined)
  known.apply({ sources: [source('a', 1, true), source('b', 7), source('c', 5)], gone: [], whole: true })
  assert.equal(known.nextSyncAtMs, 5)
  known.apply({ sources: [], gone: ['b', 'c'], whole: false })
  assert.equal(known.nextSyncAtMs, undefined)
})

test('counts changes, so that derived data can be invalidated', () => {
  const known = new KnownSources()
  known.apply({ sources: [source('a', 1)], gone: [], whole: true })
  const before = known.changes
  known.apply({ sources: [source('a', 2)], gone: [], whole: false })
  assert.notEqual(known.changes, before)
})
