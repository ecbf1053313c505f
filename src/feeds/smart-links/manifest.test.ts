import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BULK } from '../../../test/support/feeds/smart-links-reader.ts'
import { matchFiles } from './connector-state.ts'
import { durationMs, FILES_MAX, parseManifest } from './manifest.ts'

const BASE = new URL('https://user:secret@example.org/fhir/$bulk-publish?locale=en')
const parse = (manifest: unknown, strict = false) => parseManifest(JSON.stringify(manifest), BASE, strict)
const entry = (type: unknown, url: unknown, more: object = {}) => ({ type, url, ...more })

test('lists the files of known types, each once, with absolute URLs and no passwords', () => {
  const output = [
    entry('Slot', 'slots.ndjson?x=1#part'),
    entry('Slot', 'https://example.org/fhir/slots.ndjson?x=1'),
    entry('Location', '/l.ndjson'),
    entry('Schedule', '//cdn.example.org/s.ndjson'),
    entry('Location', '//cdn.example.org/s.ndjson'),
    entry('Organization', 'o.ndjson'),
  ]
  const { files, publishedAtMs } = parse({ output, transactionTime: '2021-01-01T00:00:00Z' })
  assert.deepEqual(
    { files, publishedAtMs },
    {
      files: [
        { url: 'https://example.org/fhir/slots.ndjson?x=1', types: ['Slot'] },
        { url: 'https://example.org/l.ndjson', types: ['Location'] },
        { url: 'https://cdn.example.org/s.ndjson', types: ['Location', 'Schedule'] },
      ],
      publishedAtMs: Date.parse('2021-01-01T00:00:00Z'),
    },
  )
})

test('accepts a manifest without a valid transactionTime', () => {
  for (const transactionTime of [undefined, null, '', 'yesterday', 5, { toString: 5 }]) {
    assert.equal(parse({ output: [], transactionTime }).publishedAtMs, undefined)
  }
})

const next = (url: unknown) => ({
  link: [
    { relation: 'self', url: 'x' },
    { relation: 'next', url },
  ],
})

test('understands the pages, deletions and cadence of Bulk Publish', () => {
  const page = parse({
    ...BULK,
    ...next('page-2.json'),
    updateCadence: 'P1DT2H',
    requiresAccessToken: false,
    output: [entry('Slot', 'x.ndjson', { count: 7 }), entry('Slot', 'y.ndjson', { count: 'seven' })],
    deleted: [{ url: 'gone.ndjson' }, { url: 'gone.ndjson' }],
    outcome: [{ type: 'OperationOutcome', url: '/notes.ndjson' }, { url: 5 }, { url: 'urn:uuid:1' }, null],
  })
  assert.deepEqual(page, {
    isBulkPublish: true,
    files: [
      { url: 'https://example.org/fhir/x.ndjson', types: ['Slot'], count: 7 },
      { url: 'https://example.org/fhir/y.ndjson', types: ['Slot'] },
    ],
    deleted: ['https://example.org/fhir/gone.ndjson'],
    outcomes: ['https://example.org/notes.ndjson'],
    next: 'https://example.org/fhir/page-2.json',
    updateCadenceMs: 26 * 3_600_000,
    filesArePublic: true,
  })
  assert.equal(parse({ ...BULK, ...next('#pending') }).next, '#pending')
  assert.equal(parse({ ...BULK, ...next('#closed'), output: [] }).next, '#closed')
})

test('tells the generations apart', () => {
  assert.equal(parse({ output: [], request: 'x', error: [] }).isBulkPublish, false)
  assert.equal(parse({ output: [], deleted: [] }).isBulkPublish, false)
  for (const newer of [BULK, { link: [] }, { deleted: [{ url: 'x' }] }])
    assert.equal(parse({ output: [], ...newer }).isBulkPublish, true)
})

test('reads durations of ISO 8601', () => {
  const minute = 60_000
  for (const [text, ms] of [
    ['PT5M', 5 * minute],
    ['PT0.5H', 30 * minute],
    ['P1W', 7 * 24 * 60 * minute],
    ['P1M', 30 * 24 * 60 * minute],
    ['PT90S', 1.5 * minute],
    ['PT0S', undefined],
    ['P', undefined],
    ['PT', undefined],
    ['5 minutes', undefined],
    ['-PT5M', undefined],
    [`P${'9'.repeat(40)}Y`, undefined],
    [5, undefined],
  ] as const)
    assert.equal(durationMs(text), ms, String(text))
})

test('fails on invalid members of a manifest that may change which slots it has', () => {
  for (const [wrong, why] of [
    [{ output: [entry(undefined, 'x')] }, /each entry of "output" must have a "type"/],
    [{ output: [null] }, /each entry of "output" must have a "type"/],
    [{ ...BULK }, /"output" must be an array/],
    [
      { output: [], outputFormat: 'application/vnd.apache.parquet' },
      /"outputFormat" must be application\/fhir\+ndjson/,
    ],
    [{ output: [], outputOrganizedBy: 'Schedule' }, /"outputOrganizedBy" must be absent/],
    [{ output: [], deleted: {} }, /"deleted" must be an array/],
    [{ output: [], deleted: ['x'] }, /"url" must be an http or https URL/],
    [{ output: [], link: {} }, /"link" must be an array/],
    [{ output: [], link: ['x'] }, /each "link" must have a "relation"/],
    [{ output: [], ...next('#later') }, /"next" must be a URL, "#pending" or "#closed": got "#later"/],
    [{ output: [], ...next(undefined) }, /"next" must be a URL/],
    [{ output: [], ...next('ftp://x/') }, /"url" must be an http or https URL/],
    [{ output: [], link: [...next('a').link, ...next('b').link] }, /"link" must have one "next"/],
  ] as const)
    assert.throws(() => parse(wrong), { name: 'FeedFailure', message: why })
})

test('fails on invalid URLs of known types and on too many files', () => {
  for (const url of [undefined, null, 5, 'file:///etc/passwd', 'http://', 'data:,x']) {
    assert.throws(() => parse({ output: [entry('Slot', url)] }), /"url" must be an http or https URL/)
  }
  const output = Array.from({ length: FILES_MAX + 1 }, (_, at) => entry('Slot', `${at}.ndjson`))
  assert.throws(() => parse({ output }), /must list at most 10000 files/)
  assert.equal(parse({ output: output.slice(1) }).files.length, FILES_MAX)
})

test('fails on tolerated deviations when strict', () => {
  const right = {
    transactionTime: '2021-01-01T00:00:00Z',
    output: [entry('Slot', 'https://example.org/x')],
    error: [],
  }
  assert.equal(parse(right, true).files.length, 1)
  for (const wrong of [
    { error: 0 },
    { transactionTime: undefined },
    { transactionTime: '2021-01-01' },
    { output: [entry('Slot', 'x.ndjson')] },
    { output: [entry('Slot', 'https://example.org/x', { extension: null })] },
    { output: [entry('Slot', 'https://example.org/x', { extension: { state: 'MA' } })] },
  ]) {
    assert.throws(() => parse({ ...right, ...wrong }, true), /Cannot read manifest: .* must be/, JSON.stringify(wrong))
  }
})

test('numbers files by URL, new ones with the lowest free number', () => {
  const listed = (...urls: string[]) => urls.map((url) => ({ url, types: ['Slot'] }))
  const numbers = (files: readonly { url: string; part: number }[]) =>
    files.map(({ url, part }) => `${url}${part}`).join(' ')
  const first = matchFiles(listed('a', 'b', 'c'), undefined)
  assert.equal(numbers(first), 'a0 b1 c2')
  const memory = {
    reader: '',
    manifest: {},
    files: first,
    digest: '',
    lineKey: 'key',
    directoryRejected: 0,
    fullReadAtMs: 0,
  }
  assert.equal(numbers(matchFiles(listed('d', 'c', 'e', 'a', 'f'), memory)), 'd1 c2 e3 a0 f4')
})
