import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_NOW_MS, sampleOutcome, sampleSource } from '../../../../test/support/sync/source-sample.ts'
import type { SourceOverview } from '../../../store/contracts/sources.ts'
import { healthOf } from '../../../sync/source-health.ts'
import { sourceFlags } from './source-view.ts'

const flagsOf = (source: SourceOverview) => sourceFlags(source, healthOf(source, SAMPLE_NOW_MS).health)

test('a source in order has no flag', () => {
  assert.deepEqual(flagsOf(sampleSource()), [])
})

test('a source that was never synced is not flagged for anything else', () => {
  const { lastSync: _, ...fresh } = sampleSource({ slotCount: 0 })
  assert.deepEqual(flagsOf(fresh), ['never-synced'])
})

test('how a source does is its first flag', () => {
  assert.deepEqual(flagsOf(sampleSource({ failures: 3, slotCount: 0 })), ['failing', 'empty'])
})

test('a source without slots is empty if it had some, and not if it never had', () => {
  assert.deepEqual(flagsOf(sampleSource({ slotCount: 0 })), ['empty'])
  const { changedAtMs: _, ...never } = sampleSource({ slotCount: 0 })
  assert.deepEqual(flagsOf(never), [])
})

test('a source is rejecting if more than one line in a hundred was, when it was last read', () => {
  const read = (rejected: number) => sampleOutcome({ read: 100, rejected })
  const quiet = sampleOutcome({ unchanged: true })
  assert.deepEqual(flagsOf(sampleSource({ lastSync: read(1) })), [])
  assert.deepEqual(flagsOf(sampleSource({ lastSync: read(2) })), ['rejecting'])
  assert.deepEqual(flagsOf(sampleSource({ lastSync: quiet }, { lastRead: read(2) })), ['rejecting'])
  assert.deepEqual(flagsOf(sampleSource({ lastSync: read(2) }, { lastRead: read(0) })), [])
})

test('a paused source has no flag, whatever it is like', () => {
  assert.deepEqual(flagsOf(sampleSource({ paused: true, failures: 5, slotCount: 0 })), [])
})
