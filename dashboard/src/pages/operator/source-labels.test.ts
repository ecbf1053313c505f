import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import { SOURCE_ACTIONS, SOURCE_FIELDS, type SourceActionKind } from '../../../../src/shared/source-vocabulary.ts'
import {
  actionLabel,
  filterSources,
  flagReason,
  isDue,
  isSourceFilter,
  needsAttention,
  optionRows,
  shortUrl,
  sortSources,
  sourceFilterCounts,
  suggestSlug,
} from './source-labels.ts'

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
  hold: 'extreme',
  ...more,
})

test('sorts by severity, with paused sources last among equals', () => {
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

test('a new source needs no attention', () => {
  assert.equal(needsAttention(source('new', { flags: ['never-synced'] })), false)
  assert.equal(needsAttention(source('old', { flags: ['rejecting'] })), true)
})

test('takes the reason of a health flag from the server, and counts the others', () => {
  const failing = source('x', { flags: ['failing'], healthWhy: 'The last 3 syncs failed.' })
  assert.equal(flagReason('failing', failing), 'The last 3 syncs failed.')
  const lastSync = { outcome: 'partial', read: 200, rejected: 50 } as NonNullable<SourceView['lastSync']>
  assert.equal(flagReason('rejecting', source('x', { lastSync })), '50 of 200 lines were rejected (25%).')
})

test('filters sources by health or by need for attention', () => {
  const sources = [
    source('a'),
    source('b', { health: 'paused', paused: true }),
    source('c', { health: 'late', flags: ['late', 'rejecting'] }),
    source('d', { flags: ['rejecting'] }),
    source('e', { health: 'never-synced', flags: ['never-synced'] }),
  ]
  assert.deepEqual(
    sourceFilterCounts(sources).map(({ filter, count }) => `${filter} ${count}`),
    ['attention 2', 'paused 1', 'never-synced 1', 'late 1', 'healthy 2'],
  )
  const slugs = (to: Parameters<typeof filterSources>[1]) => filterSources(sources, to).map(({ slug }) => slug)
  assert.deepEqual(slugs('attention'), ['c', 'd'])
  assert.deepEqual(slugs('healthy'), ['a', 'd'])
  assert.deepEqual(slugs('stale'), [])
  assert.equal(slugs('').length, 5)
  assert.deepEqual(['attention', 'late', '', 'toString'].map(isSourceFilter), [true, true, false, false])
})

test('paused sources and sources of files are never due', () => {
  assert.equal(isDue(source('x'), 1000), true)
  assert.equal(isDue(source('x'), 999), false)
  assert.equal(isDue(source('x', { paused: true }), 1000), false)
  assert.equal(isDue(source('x', { format: 'files' }), 1000), false)
})

test('suggests a valid slug from the URL', () => {
  assert.equal(suggestSlug('https://www.northgate.example/fhir/$bulk-publish'), 'northgate')
  assert.equal(suggestSlug('https://feeds.North-Gate.example/'), 'north-gate')
  assert.equal(suggestSlug('http://localhost:4000/$bulk-publish'), 'localhost')
  assert.equal(suggestSlug('http://127.0.0.1:4000/$bulk-publish'), '')
  assert.equal(suggestSlug('not an address'), '')
})

test('shortens a URL', () => {
  assert.equal(shortUrl('https://a.example/%24bulk-publish?x=1'), 'a.example/$bulk-publish?x=1')
})

test('shows options by name and required variables, never by value', () => {
  const rows = optionRows({
    headers: { 'X-Api-Key': `\${SOURCE_HARBOR_KEY}`, Accept: 'a value' },
    query: { tenant: 'another value' },
    daysAhead: 14,
    authorization: {
      kind: 'client-credentials',
      tokenUrl: 'https://publisher.example/token',
      clientId: 'a client',
      clientSecret: `\${SOURCE_HARBOR_SECRET}`,
    },
  })
  assert.deepEqual(
    rows.map(({ name, names }) => `${name}: ${names.join(', ')}`),
    [
      'Headers: X-Api-Key, Accept',
      'Query parameters: tenant',
      'Days ahead: 14',
      'Authorization: Client credentials (OAuth 2.0)',
      'Required variables: SOURCE_HARBOR_KEY, SOURCE_HARBOR_SECRET',
    ],
  )
  assert.deepEqual(optionRows({}), [])
})

const of = { id: 1, atMs: 0, slug: 'harbor', actor: 'op@example.org' }

test('every action and every field has its own label', () => {
  const kinds = Object.keys(SOURCE_ACTIONS) as SourceActionKind[]
  const said = kinds.map((kind) => actionLabel({ ...of, kind }))
  assert.equal(new Set(said).size, kinds.length)
  const edited = actionLabel({ ...of, kind: 'edited', fields: SOURCE_FIELDS })
  assert.equal(
    edited,
    'Edited: name, URL, headers, query parameters, days ahead, authorization, strictness, interval, limit of slots',
  )
  assert.equal(
    actionLabel({ ...of, kind: 'review-policy-set', reviewPolicy: 'suspicious' }),
    'Hold for review: when suspicious',
  )
})
