import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import {
  ask,
  exportPump,
  feedVersions,
  index,
  KEY,
  NOW_MS,
  sampleSlots,
  state,
} from '../../../../test/support/http/sample-server.ts'
import { FEED_VERSION_LIMITS } from './feed-versions.ts'

const MANIFEST = '/v1/fhir/$bulk-publish'
const AUTHORIZED = { 'x-api-key': KEY }

interface Listed {
  readonly type: string
  readonly url: string
  readonly extension?: { readonly state: readonly string[] }
}

test('the manifest lists files with referenced resources and one slot file per state, from one snapshot', async () => {
  const { status, headers, json } = await ask(MANIFEST, AUTHORIZED)
  assert.deepEqual([status, headers['content-type']], [200, 'application/json'])
  assert.equal(json.transactionTime, new Date(NOW_MS).toISOString())
  assert.equal(json.request, `https://slots.example${MANIFEST}`)
  assert.equal(json.outputFormat, 'application/fhir+ndjson')
  assert.deepEqual(
    json.output.map(({ type, extension }: Listed) => [type, extension?.state]),
    [
      ['Location', undefined],
      ['Schedule', ['CA', 'MA']],
      ['Slot', ['CA']],
      ['Slot', ['MA']],
    ],
  )
  assert.equal((await ask('/v1/fhir/%24bulk-publish', AUTHORIZED)).text, JSON.stringify(json))
  assert.equal((await ask(MANIFEST, { ...AUTHORIZED, 'if-none-match': String(headers.etag) })).status, 304)
})

test('files contain every stored slot once, including ended ones', async () => {
  const files = (await listed()).filter(({ type }) => type === 'Slot')
  const lines = (await Promise.all(files.map(({ url }) => ask(pathOf(url), AUTHORIZED)))).flatMap(({ text }) =>
    text.split('\n').slice(0, -1),
  )
  const slots = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    slots.map(({ id }) => id).sort(),
    sampleSlots(60)
      .map(({ id }) => id)
      .sort(),
  )
})

test('serves a file as FHIR NDJSON in full, or 304 for its ETag', async () => {
  const [{ url }] = await listed()
  const { status, headers, text } = await ask(pathOf(url), AUTHORIZED)
  assert.deepEqual([status, headers['content-type']], [200, 'application/fhir+ndjson'])
  assert.equal(JSON.parse(text.split('\n')[0]).resourceType, 'Location')
  const etag = String(headers.etag)
  for (const tag of [etag, etag.slice(2)])
    assert.equal((await ask(pathOf(url), { ...AUTHORIZED, 'if-none-match': tag })).status, 304)
  const head = await ask(pathOf(url), AUTHORIZED, 'HEAD')
  assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', etag])
  for (const accept of ['application/ndjson', 'application/x-ndjson', '*/*', 'application/fhir+ndjson']) {
    const usual = accept === '*/*' ? 'application/fhir+ndjson' : accept
    const { headers } = await ask(pathOf(url), { ...AUTHORIZED, accept })
    assert.deepEqual([headers['content-type'], headers.vary], [usual, 'Accept, Accept-Encoding'])
  }
  assert.equal((await ask(pathOf(url), { ...AUTHORIZED, accept: 'text/csv' })).status, 406)
  assert.equal(exportPump.size, 0)
})

test('rejects requests without a key, with unknown names or with unknown parameters', async () => {
  const [{ url }] = await listed()
  assert.equal((await ask(MANIFEST, {})).status, 401)
  assert.equal((await ask(pathOf(url), {})).status, 401)
  const name = pathOf(url).split('/').at(-1) ?? ''
  const others = [
    'Slot-MA.ndjson',
    name.replace('Location', 'Patient'),
    name.replace('~', '-MA~'),
    name.replace('1.1', '1.01'),
    name.replace(/~....\./, '.'),
  ]
  for (const other of [...others, '..', '%2e%2e', name.replace('~1.1', '~1.1.d5')]) {
    const { status } = await ask(`/v1/fhir/${other}`, AUTHORIZED)
    assert.equal(status, 404, other)
  }
  assert.deepEqual((await ask(`${MANIFEST}?_type=Slot`, AUTHORIZED)).json.issue[0].location, ['http._type'])
  assert.equal((await ask(pathOf(url), AUTHORIZED, 'POST')).status, 405)
})

test('redirects from a released file to its current version, and answers 410 if there is none', async () => {
  const before = await listed()
  const ofMassachusetts = before.find(({ extension }) => extension?.state[0] === 'MA')?.url ?? ''
  fillIndex(index, sampleSlots(40), { revision: 2, nowMs: NOW_MS })
  assert.equal((await ask(pathOf(ofMassachusetts), AUTHORIZED)).text.split('\n').length, 31)
  fillIndex(index, sampleSlots(20), { revision: 3, nowMs: NOW_MS })
  feedVersions.close()
  state.nowMs += FEED_VERSION_LIMITS.intervalMs
  const gone = await ask(pathOf(ofMassachusetts), AUTHORIZED)
  assert.deepEqual([gone.status, gone.headers['cache-control']], [307, 'no-store'])
  const now = await ask(pathOf(String(gone.headers.location)), AUTHORIZED)
  assert.deepEqual([now.status, now.text.split('\n').length], [200, 11])
  const part = await ask(pathOf(ofMassachusetts), { ...AUTHORIZED, range: 'bytes=9-' })
  assert.deepEqual([part.status, part.json.issue[0].code], [410, 'deleted'])
  const resumed = { ...AUTHORIZED, range: 'bytes=9-', 'if-range': '"of-before"' }
  assert.equal((await ask(pathOf(ofMassachusetts), resumed)).status, 307)
  assert.equal((await ask(pathOf(String(gone.headers.location)), resumed)).text, now.text)
  const absent = await ask(pathOf(ofMassachusetts).replace('Slot-MA', 'Slot-TX'), AUTHORIZED)
  assert.deepEqual([absent.status, absent.json.issue[0].code], [410, 'deleted'])
})

test('a file that is newer than those of this thread is never replaced by an older one', async () => {
  const before = (await listed()).find(({ extension }) => extension?.state[0] === 'MA')?.url ?? ''
  const revision = Number(/~1\.([0-9])~/.exec(before)?.[1])
  // Another thread has shown the next commit already.
  const newer = pathOf(before).replace(/~1\.[0-9]~/, `~1.${revision + 1}~`)
  state.nowMs += FEED_VERSION_LIMITS.catchUpMs - 1
  for (const _ of [1, 2]) {
    const { status, headers } = await ask(newer, AUTHORIZED)
    assert.deepEqual([status, headers['retry-after']], [503, '5'])
    fillIndex(index, sampleSlots(30), { revision: revision + 1, nowMs: NOW_MS })
  }
  state.nowMs += 1
  assert.deepEqual([(await ask(newer, AUTHORIZED)).text.split('\n').length], [16])
})

test('the manifest has the elements of Bulk Publish, and counts what its files have', async () => {
  const { json, headers } = await ask(MANIFEST, AUTHORIZED)
  assert.equal(json.manifestType, 'http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest')
  assert.equal(json.updateCadence, 'PT1M')
  for (const { url, count, fileSize } of json.output) {
    const { text, headers } = await ask(pathOf(url), AUTHORIZED)
    assert.deepEqual([text.split('\n').length - 1, Buffer.byteLength(text)], [count, fileSize])
    assert.equal(headers['content-length'], String(fileSize))
    assert.equal(headers['cache-control'], 'private, max-age=31536000, immutable')
  }
  const again = await ask(MANIFEST, { ...AUTHORIZED, 'if-none-match': String(headers.etag) })
  assert.equal(again.status, 304)
})

test('accepts _since and the media type of FHIR for the manifest', async () => {
  const { text } = await ask(MANIFEST, AUTHORIZED)
  assert.equal((await ask(`${MANIFEST}?_since=2026-01-01T00:00:00Z`, AUTHORIZED)).text, text)
  assert.equal((await ask(`${MANIFEST}?_since=yesterday`, AUTHORIZED)).status, 400)
  for (const accept of ['application/fhir+json', 'application/fhir+json, application/json;q=0.9']) {
    const answer = await ask(MANIFEST, { ...AUTHORIZED, accept })
    assert.deepEqual([answer.status, answer.headers['content-type'], answer.text], [200, 'application/json', text])
  }
})

test('accepts the media type of FHIR for files, too', async () => {
  for (const { url } of await listed()) {
    const { status, headers } = await ask(pathOf(url), { ...AUTHORIZED, accept: 'application/fhir+json' })
    assert.deepEqual([status, headers['content-type']], [200, 'application/fhir+ndjson'])
  }
})

test('accepts _format of FHIR for all parts of the feed', async () => {
  const { text, json } = await ask(MANIFEST, AUTHORIZED)
  for (const format of ['json', 'application/json', 'application/fhir+json', 'application/fhir%2Bjson', 'text/json'])
    assert.equal((await ask(`${MANIFEST}?_format=${format}`, AUTHORIZED)).text, text, format)
  const file = pathOf(json.output[0].url)
  const page = pathOf(json.link[0].url)
  for (const format of ['json', 'application/fhir+ndjson'])
    assert.equal((await ask(`${file}?_format=${format}`, AUTHORIZED)).status, 200, format)
  assert.equal((await ask(`${page}?_format=json`, AUTHORIZED)).status, 200)
  for (const [path, format] of [
    [MANIFEST, 'xml'],
    [MANIFEST, 'application/fhir+ndjson'],
    [page, ''],
    [file, 'html'],
  ]) {
    const answer = await ask(`${path}?_format=${format}`, AUTHORIZED)
    assert.deepEqual([answer.status, answer.json.issue[0].location], [400, ['http._format']])
    assert.match(answer.json.issue[0].diagnostics, /^_format must be one of json, application\/json/)
  }
})

test('sends one range of a file', async () => {
  const { url } = (await listed()).find(({ type }) => type === 'Slot') ?? { url: '' }
  const whole = await ask(pathOf(url), AUTHORIZED)
  const length = whole.text.length
  const ranges = { '10-19': [10, 20], '700-': [700, length], '-5': [length - 5, length], '0-99999999': [0, length] }
  for (const [range, [from, to]] of Object.entries(ranges)) {
    const { status, headers, text } = await ask(pathOf(url), { ...AUTHORIZED, range: `bytes=${range}` })
    assert.deepEqual([status, text], [206, whole.text.slice(from, to)], range)
    assert.equal(headers['content-range'], `bytes ${from}-${to - 1}/${length}`)
  }
  for (const range of ['bytes=0-1,5-6', 'lines=0-1', 'bytes=9-1'])
    assert.equal((await ask(pathOf(url), { ...AUTHORIZED, range })).text, whole.text, range)
  const ifRange = (tag: string) => ask(pathOf(url), { ...AUTHORIZED, range: 'bytes=0-0', 'if-range': tag })
  assert.deepEqual([(await ifRange(String(whole.headers.etag))).status, (await ifRange('"x"')).status], [206, 200])
  const beyond = await ask(pathOf(url), { ...AUTHORIZED, range: `bytes=${length}-` })
  assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${length}`])
})

test('sends a file whole if other nodes may write its lines in another order', async () => {
  const { url } = (await listed()).find(({ type }) => type === 'Location') ?? { url: '' }
  const whole = await ask(pathOf(url), AUTHORIZED)
  assert.deepEqual([whole.headers['accept-ranges'], String(whole.headers.etag).slice(0, 2)], ['none', 'W/'])
  for (const range of ['bytes=10-19', 'bytes=99999999-']) {
    const { status, headers, text } = await ask(pathOf(url), { ...AUTHORIZED, range })
    assert.deepEqual([status, text, headers['content-range']], [200, whole.text, undefined], range)
  }
})

test('errors are OperationOutcomes', async () => {
  const problems = [
    [await ask(MANIFEST, {}), 401, 'login'],
    [await ask('/v1/fhir/nothing', AUTHORIZED), 404, 'not-found'],
    [await ask('/v1/fhir', AUTHORIZED), 404, 'not-found'],
    [await ask(MANIFEST, AUTHORIZED, 'POST'), 405, 'not-supported'],
    [await ask(MANIFEST, { ...AUTHORIZED, accept: 'text/html' }), 406, 'not-supported'],
  ] as const
  for (const [{ status, headers, json }, expected, code] of problems) {
    assert.deepEqual([status, headers['content-type']], [expected, 'application/fhir+json'])
    assert.deepEqual(
      [json.resourceType, json.issue[0].severity, json.issue[0].code],
      ['OperationOutcome', 'error', code],
    )
  }
})

test('writes a resource that many slots reference only once', async () => {
  const ofOwnSchedules = sampleSlots(20).map((slot, n) => {
    return { ...slot, offering: { ...slot.offering, scheduleId: String(n) } }
  })
  fillIndex(index, ofOwnSchedules, { revision: 5, nowMs: NOW_MS })
  state.nowMs += FEED_VERSION_LIMITS.intervalMs
  const counts = new Map<string, number>()
  for (const { type, url } of await listed()) {
    const lines = (await ask(pathOf(url), AUTHORIZED)).text.split('\n').slice(0, -1)
    const ids = lines.map((line) => JSON.parse(line).id)
    assert.equal(new Set(ids).size, ids.length, type)
    counts.set(type, ids.length)
  }
  assert.deepEqual([counts.get('Location'), counts.get('Schedule')], [2, 20])
})

async function listed(): Promise<Listed[]> {
  return (await ask(MANIFEST, AUTHORIZED)).json.output
}

function pathOf(url: string): string {
  return new URL(url).pathname
}
