import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import { SOURCE_ACTIONS, SOURCE_FIELDS, type SourceActionKind } from '../../../../src/shared/source-vocabulary.ts'
import {
  actionLabel,
  flagReason,
  isDue,
  lineNotes,
  manifestUrl,
  optionRows,
  shortUrl,
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

test('takes the reason of a health flag from the server, and counts the others', () => {
  const failing = source('x', { flags: ['failing'], healthWhy: 'The last 3 syncs failed.' })
  assert.equal(flagReason('failing', failing), 'The last 3 syncs failed.')
  const lastRead = { outcome: 'partial', read: 200, rejected: 50 } as NonNullable<SourceView['lastRead']>
  assert.equal(flagReason('rejecting', source('x', { lastRead })), '50 of 200 lines were rejected (25%).')
})

test('paused sources and sources of files are never due', () => {
  assert.equal(isDue(source('x'), 1000), true)
  assert.equal(isDue(source('x'), 999), false)
  assert.equal(isDue(source('x', { paused: true }), 1000), false)
  assert.equal(isDue(source('x', { format: 'files' }), 1000), false)
})

test('suggests the usual URL of a manifest', () => {
  assert.equal(manifestUrl('https://a.example'), 'https://a.example/$bulk-publish')
  assert.equal(manifestUrl('https://a.example/smart/?x=1#y'), 'https://a.example/smart/$bulk-publish')
  assert.equal(manifestUrl('https://a.example/$bulk-publish'), undefined)
  assert.equal(manifestUrl('nowhere'), undefined)
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
    server: 'oracle',
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
      'Server: Oracle Health Millennium',
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
    'Edited: name, URL, headers, query parameters, days ahead, server, test data, limit of rejected lines, authorization, strictness, interval, limit of slots',
  )
  assert.equal(
    actionLabel({ ...of, kind: 'review-policy-set', reviewPolicy: 'suspicious' }),
    'Hold for review: when suspicious',
  )
})

test('counts rejected and withheld lines as lines', () => {
  const read = { outcome: 'ok', startedAtMs: 0, durationMs: 1, read: 9, added: 0, changed: 0, removed: 0 } as const
  const notes = (rejected: number, testSlots?: number) =>
    lineNotes({
      lastRead: { ...read, rejected, withheld: 0, unchanged: false, ...(testSlots !== undefined && { testSlots }) },
    })
  assert.equal(notes(3), '3 lines rejected')
  assert.equal(notes(1, 2000), '1 line rejected, 2,000 lines of test data')
  assert.equal(notes(0), '')
  assert.equal(lineNotes({}), '')
})
