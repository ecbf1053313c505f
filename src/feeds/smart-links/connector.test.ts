import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { manifest, ndjson, Publisher } from '../../../test/support/feeds/publisher.ts'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import {
  BULK,
  Follower,
  feed,
  LISTED,
  place,
  placesOf,
  slot,
  sourceAt,
} from '../../../test/support/feeds/smart-links-reader.ts'
import { FeedFailure } from '../connector.ts'
import { LINE_BYTES_MAX } from '../http/lines.ts'
import { smartLinks } from './connector.ts'

test('passes on Retry-After of the publisher', async () => {
  await using publisher = await Publisher.open({
    ...feed(),
    '/$bulk-publish': (_, response) =>
      response.writeHead(200, { 'cache-control': 'public, max-age=300' }).end(manifest(LISTED)),
  })
  assert.equal((await new Follower(publisher).read()).maxAgeMs, 300_000)
})

test('fails as a whole if any file does', async () => {
  for (const path of ['/$bulk-publish', ...Object.keys(LISTED)]) {
    await using publisher = await Publisher.open(feed())
    publisher.files[path] = (_, response) => response.writeHead(503, { 'retry-after': '70' }).end()
    await assert.rejects(new Follower(publisher).read(), { name: 'FeedFailure', retryAfterMs: 70_000 })
  }
})

test('requests a file again after the Retry-After of a publisher that limits requests', async () => {
  for (const more of [{}, BULK]) {
    await using publisher = await Publisher.open({ ...feed(), '/$bulk-publish': manifest(LISTED, more) })
    const last = publisher.files['/x2'] ?? ''
    publisher.files['/x2'] = (_, response) => {
      publisher.files['/x2'] = last
      response.writeHead(429, { 'retry-after': '1' }).end()
    }
    const follower = await Follower.afterRead(publisher)
    assert.equal(follower.draft.slots.length, 3)
  }
})

test('fails as a whole if a Slot file is truncated', async () => {
  await using publisher = await Publisher.open(feed())
  publisher.files['/x2'] = (_, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write(ndjson(slot('c')))
    setTimeout(() => response.destroy(), 20)
  }
  await assert.rejects(new Follower(publisher).read(), FeedFailure)
})

for (const [name, content, must] of [
  [
    'a web page',
    Buffer.from('\n<!DOCTYPE html>\n<html><body>Back soon</body></html>'),
    'it must be NDJSON: got a web page',
  ],
  [
    'gzip data',
    gzipSync(ndjson(slot('c'))),
    'it must be NDJSON, compressed only with the header Content-Encoding: got gzip data',
  ],
  [
    'more gzip data than a line may have',
    gzipSync(Buffer.alloc(2 * LINE_BYTES_MAX, 'x'), { level: 0 }),
    'it must be NDJSON, compressed only with the header Content-Encoding: got gzip data',
  ],
  ['UTF-16', utf16(ndjson(slot('c'))), 'it must be NDJSON in UTF-8: got UTF-16 text'],
  ['big-endian UTF-16', utf16(ndjson(slot('c'))).swap16(), 'it must be NDJSON in UTF-8: got UTF-16 text'],
  [
    'UTF-16 without a byte order mark',
    Buffer.from(ndjson(slot('c')), 'utf16le'),
    'it must be NDJSON in UTF-8: got UTF-16 text',
  ],
  [
    'big-endian UTF-16 without a byte order mark',
    Buffer.from(ndjson(slot('c')), 'utf16le').swap16(),
    'it must be NDJSON in UTF-8: got UTF-16 text',
  ],
  [
    'an error message in JSON',
    Buffer.from('{"message":"Internal server error"}'),
    'it must be NDJSON of FHIR resources: got "{"message":"Internal server error"}"',
  ],
  [
    'an OperationOutcome',
    Buffer.from(ndjson({ resourceType: 'OperationOutcome', id: '1' })),
    'it must be NDJSON of FHIR resources: got "{"resourceType":"OperationOutcome","id":"1"}"',
  ],
  [
    'an error message in XML',
    Buffer.from('<?xml version="1.0"?>\n<Error id="1"/>'),
    'it must be NDJSON of FHIR resources: got "<?xml version="1.0"?>"',
  ],
  [
    'a JSON array',
    Buffer.from(JSON.stringify([{ id: 'a' }])),
    'it must be NDJSON of FHIR resources: got "[{"id":"a"}]"',
  ],
  [
    'an error message in plain text',
    Buffer.from('Service unavailable\nTry again later\n'),
    'it must be NDJSON of FHIR resources: got "Service unavailable Try again later "',
  ],
  ['a status in JSON', Buffer.from('{"ok":false}'), 'it must be NDJSON of FHIR resources: got "{"ok":false}"'],
  ['nothing but NULs', Buffer.alloc(4), 'it must be NDJSON of FHIR resources: got " "'],
  [
    'lines that end with a carriage return alone',
    Buffer.from(ndjson(slot('c'), slot('d'), slot('e')).replaceAll('\n', '\r')),
    'it must have a line feed after each resource',
  ],
  [
    'objects in single quotes',
    Buffer.from(`{'id':'a'}\n{'id':'b'}\n{'id':'c'}\n`),
    `it must be NDJSON of FHIR resources: got "{'id':'a'} {'id':'b'} {'id':'c'} "`,
  ],
  [
    'being written',
    Buffer.from(`${ndjson(slot('c'))}{"resourceType":"Slot","id":"d`),
    'it is truncated: its last line has neither a closing brace nor a line end: got "{"resourceType":"Slot","id":"d"',
  ],
  ['a ZIP archive', Buffer.from('PK\x03\x04\x14\n\0\0\n', 'latin1'), 'it must be NDJSON: got a ZIP archive'],
] as const)
  test(`fails as a whole if a file is ${name}`, async () => {
    for (const path of Object.keys(LISTED)) {
      for (const more of [{}, BULK]) {
        await using publisher = await Publisher.open({ ...feed(), '/$bulk-publish': manifest(LISTED, more) })
        publisher.files[path] = (_, response) => response.end(content)
        const message = `Cannot read ${publisher.origin}${path}: ${must}`
        await assert.rejects(new Follower(publisher).read(), { name: 'FeedFailure', message })
      }
    }
  })

for (const first of ['{"resourceType":"Slot","id":"c","comment":""x""}', '{"start":"soon"}', '{}', 'soon'])
  test(`rejects the first line ${first} alone`, async () => {
    await using publisher = await Publisher.open(feed())
    publisher.files['/x2'] = `${first}\n${ndjson(slot('d'))}`
    const follower = await Follower.afterRead(publisher)
    assert.equal(follower.draft.rejected.length, 1)
  })

test('rejects a single line that begins like gzip data or UTF-16', async () => {
  for (const start of [
    [0x1f, 0x8b],
    [0xff, 0xfe],
  ]) {
    await using publisher = await Publisher.open(feed())
    const lines = Buffer.concat([Buffer.from(ndjson(slot('c'))), Buffer.from(start), Buffer.from('{}\n')])
    publisher.files['/x2'] = (_, response) => response.end(lines)
    const follower = await Follower.afterRead(publisher)
    assert.equal(follower.draft.rejected.length, 1)
  }
})

function utf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le')
}

test('fails on an invalid manifest', async () => {
  for (const text of [
    '',
    '<html>',
    '[]',
    'null',
    '{}',
    '{"output":null}',
    '{"output":[{"type":"Slot","url":"ftp://x/"}]}',
  ]) {
    await using publisher = await Publisher.open({ '/$bulk-publish': text })
    await assert.rejects(new Follower(publisher).read(), /FeedFailure: Cannot read manifest: .* must be/)
  }
})

test('names a web page that is read as a manifest', async () => {
  for (const text of ['<!doctype html> <html lang="en">', '\n<HTML><head>']) {
    await using publisher = await Publisher.open({ '/$bulk-publish': text })
    await assert.rejects(new Follower(publisher).read(), /Cannot read manifest: it must be JSON: got a web page$/)
  }
})

test('refuses private addresses unless allowed, also in the manifest', async () => {
  await using publisher = await Publisher.open(feed())
  const reading = smartLinks({ allowPrivate: false }).read(
    sourceAt(publisher),
    new RecordedDraft(),
    new AbortController().signal,
  )
  await assert.rejects(reading, /address must be public/)
  assert.deepEqual(publisher.asked(), [])
})

test('stops when aborted', async () => {
  await using publisher = await Publisher.open(feed())
  const abort = new AbortController()
  publisher.files['/x2'] = (_, response) => {
    response.write(ndjson(slot('c')))
    abort.abort(new Error('enough'))
  }
  await assert.rejects(new Follower(publisher).read(abort.signal), { message: 'enough' })
})

test('rejects single invalid lines with file, line and reason', async () => {
  const lines = [
    JSON.stringify(slot('a')),
    '',
    '{"resourceType":"Slot",',
    '[]',
    JSON.stringify({ resourceType: 'Location', id: 'l9' }),
    `{"a":"${'x'.repeat(2 ** 20)}"}`,
    `${'['.repeat(500_000)}`,
    `{"resourceType":"Slot","id":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    JSON.stringify(slot('b')),
  ]
  await using publisher = await Publisher.open({ ...feed(), '/x1': lines.join('\n') })
  const follower = await Follower.afterRead(publisher)
  const { rejected, slots } = follower.draft
  assert.equal(slots.length, 3)
  assert.deepEqual(
    rejected.map(({ line }) => line),
    [3, 4, 5, 6, 7, 8],
  )
  for (const { file, reason, sample } of rejected) {
    assert.equal(file, `${publisher.origin}/x1`)
    assert.match(reason, /^Cannot read the line: .* must be/)
    assert.ok(reason.length <= 300 && sample.length > 0 && sample.length <= 500)
  }
})

test('takes the type of a line from the manifest, but rejects the line if the source is strict', async () => {
  for (const more of [{}, BULK]) {
    const typeless = [place('l1'), slot('a')].map((resource) => ndjson({ ...resource, resourceType: undefined }))
    await using publisher = await Publisher.open({ ...feed(), '/l': typeless[0], '/x1': typeless[1] })
    const listed = Object.entries(LISTED).map(([path, type]) => [publisher.origin + path, type])
    publisher.files['/$bulk-publish'] = manifest(Object.fromEntries(listed), more)
    const lenient = await Follower.afterRead(publisher)
    assert.deepEqual([lenient.draft.rejected, placesOf(lenient)], [[], ['Clinic']])
    const strict = new Follower(publisher)
    strict.strict = true
    await strict.read()
    const reasons = strict.draft.rejected.map(({ reason }) => reason)
    for (const type of ['Location', 'Slot'])
      assert.ok(reasons.includes(`Cannot read the line: resourceType must be ${type}: not provided`), reasons.join())
  }
})

test('rejects the second of two directory resources with one id, unless they are equal', async () => {
  await using publisher = await Publisher.open({
    ...feed(),
    '/l': ndjson(place('l1'), place('l1'), place('l1', 'Other')),
  })
  const follower = await Follower.afterRead(publisher)
  assert.deepEqual(
    follower.draft.rejected.map(({ line }) => line),
    [3],
  )
  assert.deepEqual(placesOf(follower), ['Clinic'])
})

test('flushes about every 2,000 lines', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => slot(`many-${at}`))
  await using publisher = await Publisher.open({ ...feed(), '/x1': ndjson(...many) })
  const follower = await Follower.afterRead(publisher)
  const { put, flushed } = follower.draft.counts
  assert.equal(put, 10_001)
  assert.ok(flushed >= 4 && flushed <= 7, String(flushed))
})
