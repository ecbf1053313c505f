import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_NOW_MS, sampleOutcome, sampleSource } from '../../../../test/support/sync/source-sample.ts'
import type { SourceOverview } from '../../../store/contracts/sources.ts'
import { healthOf } from '../../../sync/source-health.ts'
import { sourceFlags } from './source-view.ts'

const flagsOf = (source: SourceOverview) => sourceFlags(source, healthOf(source, SAMPLE_NOW_MS).health)

test('a healthy source has no flag', () => {
  assert.deepEqual(flagsOf(sampleSource()), [])
})

test('a source that was never synced has no other flag', () => {
  const { lastSync: _, ...fresh } = sampleSource({ slotCount: 0 })
  assert.deepEqual(flagsOf(fresh), ['never-synced'])
})

test('the health of a source is its first flag', () => {
  assert.deepEqual(flagsOf(sampleSource({ failures: 3, slotCount: 0 })), ['failing', 'empty'])
})

test('a source is flagged as empty only if it had slots before', () => {
  assert.deepEqual(flagsOf(sampleSource({ slotCount: 0 })), ['empty'])
  const { changedAtMs: _, ...never } = sampleSource({ slotCount: 0 })
  assert.deepEqual(flagsOf(never), [])
})

test('a source is flagged as rejecting while more than 1% of the lines of its snapshot are rejected', () => {
  const read = (rejected: number) => sampleOutcome({ read: 100, rejected })
  const quiet = sampleOutcome({ unchanged: true })
  assert.deepEqual(flagsOf(sampleSource({}, { lastRead: read(1) })), [])
  assert.deepEqual(flagsOf(sampleSource({}, { lastRead: read(2) })), ['rejecting'])
  assert.deepEqual(flagsOf(sampleSource({ lastSync: quiet }, { lastRead: read(2) })), ['rejecting'])
  assert.deepEqual(flagsOf(sampleSource({ lastSync: read(2) }, { lastRead: read(0) })), [])
})

test('a paused source never has a flag', () => {
  assert.deepEqual(flagsOf(sampleSource({ paused: true, failures: 5, slotCount: 0 })), [])
})
