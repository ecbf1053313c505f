import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceView } from '../../../../src/account/source-shapes.ts'
import { flagReason, isDue, needsAttention, shortAddress, sortSources, suggestSlug } from './source-words.ts'

const source = (slug: string, more: Partial<SourceView> = {}): SourceView => ({
  slug,
  format: 'smart-links',
  url: `https://${slug}.example/$bulk-publish`,
  strict: false,
  paused: false,
  createdAtMs: 0,
  nextSyncAtMs: 1000,
  failures: 0,
  slotCount: 1,
  flags: [],
  health: 'healthy',
  hold: 'emptied',
  ...more,
})

test('what needs a look stands first, gravest first, what is paused last of its kind', () => {
  const sources = [
    source('b'),
    source('paused', { paused: true }),
    source('new', { flags: ['never-synced'] }),
    source('stale', { flags: ['stale', 'rejecting'] }),
    source('a'),
    source('empty', { flags: ['empty'] }),
    source('failing', { flags: ['failing', 'stale'] }),
  ]
  const order = sortSources(sources).map(({ slug }) => slug)
  assert.deepEqual(order, ['failing', 'empty', 'stale', 'new', 'a', 'b', 'paused'])
})

test('a source that was just added needs no attention', () => {
  assert.equal(needsAttention(source('new', { flags: ['never-synced'] })), false)
  assert.equal(needsAttention(source('old', { flags: ['rejecting'] })), true)
})

test('the reason of a failing source is what the last sync said, and how often', () => {
  const lastSync = { outcome: 'failed', error: 'Cannot read manifest: got 404' } as SourceView['lastSync']
  const failing = (failures: number) => source('x', { failures, ...(lastSync && { lastSync }) })
  assert.equal(flagReason('failing', failing(1), 0), 'Cannot read manifest: got 404')
  assert.equal(flagReason('failing', failing(3), 0), 'Failed 3 times in a row: Cannot read manifest: got 404')
})

test('a paused source is never due, nor one of files', () => {
  assert.equal(isDue(source('x'), 1000), true)
  assert.equal(isDue(source('x'), 999), false)
  assert.equal(isDue(source('x', { paused: true }), 1000), false)
  assert.equal(isDue(source('x', { format: 'files' }), 1000), false)
})

test('a slug is taken from the address, in the letters that a slug may have', () => {
  assert.equal(suggestSlug('https://www.northgate.example/fhir/$bulk-publish'), 'northgate')
  assert.equal(suggestSlug('https://feeds.North-Gate.example/'), 'north-gate')
  assert.equal(suggestSlug('http://localhost:4000/$bulk-publish'), 'localhost')
  assert.equal(suggestSlug('http://127.0.0.1:4000/$bulk-publish'), '')
  assert.equal(suggestSlug('not an address'), '')
})

test('an address is shown as a person would write it', () => {
  assert.equal(shortAddress('https://a.example/%24bulk-publish?x=1'), 'a.example/$bulk-publish?x=1')
})
