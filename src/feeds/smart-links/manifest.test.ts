import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchFiles } from './connector-state.ts'
import { FILES_MAX, parseManifest } from './manifest.ts'

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
    entry(undefined, 'x'),
    null,
    'x',
  ]
  assert.deepEqual(parse({ output, transactionTime: '2021-01-01T00:00:00Z' }), {
    files: [
      { url: 'https://example.org/fhir/slots.ndjson?x=1', types: ['Slot'] },
      { url: 'https://example.org/l.ndjson', types: ['Location'] },
      { url: 'https://cdn.example.org/s.ndjson', types: ['Location', 'Schedule'] },
    ],
    publishedAtMs: Date.parse('2021-01-01T00:00:00Z'),
  })
})

test('accepts a manifest without a valid transactionTime', () => {
  for (const transactionTime of [undefined, null, '', 'yesterday', 5, { toString: 5 }]) {
    assert.deepEqual(parse({ output: [], transactionTime }), { files: [] })
  }
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
  const memory = { reader: '', manifest: {}, files: first, digest: '', directoryRejected: 0, fullReadAtMs: 0 }
  assert.equal(numbers(matchFiles(listed('d', 'c', 'e', 'a', 'f'), memory)), 'd1 c2 e3 a0 f4')
})
