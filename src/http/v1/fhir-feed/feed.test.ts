import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import { ask, exportPump, index, KEY, NOW_MS, sampleSlots, state } from '../../../../test/support/http/sample-server.ts'
import { FEED_VERSION_LIMITS } from './feed-versions.ts'

const MANIFEST = '/v1/fhir/$bulk-publish'
const AUTHORIZED = { 'x-api-key': KEY }

interface Listed {
  readonly type: string
  readonly url: string
  readonly extension?: { readonly state: readonly string[] }
}

test('the manifest lists referenced resources and one slot file per state, from one snapshot', async () => {
  const { status, headers, json } = await ask(MANIFEST, AUTHORIZED)
  assert.deepEqual([status, headers['content-type']], [200, 'application/json'])
  assert.equal(json.transactionTime, new Date(NOW_MS).toISOString())
  assert.equal(json.request, `https://slots.example${MANIFEST}`)
  assert.equal(json.outputFormat, 'application/fhir+ndjson')
  assert.deepEqual(
    json.output.map(({ type, extension }: Listed) => [type, extension?.state]),
    [
      ['Location', undefined],
      ['Schedule', undefined],
      ['PractitionerRole', undefined],
      ['Practitioner', undefined],
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
  ]
  for (const other of [...others, name.replace('Location', 'Slot-TX'), '..', '%2e%2e', 'Slot-MA~1.1.d5.ndjson']) {
    const { status } = await ask(`/v1/fhir/${other}`, AUTHORIZED)
    assert.equal(status, 404, other)
  }
  assert.equal((await ask(`${MANIFEST}?_type=Slot`, AUTHORIZED)).json.parameter, '_type')
  assert.equal((await ask(pathOf(url), AUTHORIZED, 'POST')).status, 405)
})

test('redirects from a released file to its current version', async () => {
  const before = await listed()
  const ofMassachusetts = before.find(({ extension }) => extension?.state[0] === 'MA')?.url ?? ''
  fillIndex(index, sampleSlots(40), { revision: 2, nowMs: NOW_MS })
  assert.equal((await ask(pathOf(ofMassachusetts), AUTHORIZED)).text.split('\n').length, 31)
  fillIndex(index, sampleSlots(20), { revision: 3, nowMs: NOW_MS })
  state.nowMs += FEED_VERSION_LIMITS.intervalMs
  const gone = await ask(pathOf(ofMassachusetts), AUTHORIZED)
  assert.deepEqual([gone.status, gone.headers['cache-control']], [307, 'no-store'])
  const now = await ask(pathOf(String(gone.headers.location)), AUTHORIZED)
  assert.deepEqual([now.status, now.text.split('\n').length], [200, 11])
})

test('writes a resource that many slots reference only once', async () => {
  const ofOwnSchedules = sampleSlots(20).map((slot, n) => {
    return { ...slot, offering: { ...slot.offering, scheduleId: String(n) } }
  })
  fillIndex(index, ofOwnSchedules, { revision: 4, nowMs: NOW_MS })
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
