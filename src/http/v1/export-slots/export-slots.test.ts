import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { eventually } from '../../../../test/support/eventually.ts'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import { parseCsv } from '../../../../test/support/http/parse-csv.ts'
import {
  type Answer,
  ask,
  connection,
  drained,
  exportPump,
  index,
  KEY,
  NOW_MS,
  OTHER_KEY,
  SLOTS,
  sampleSlots,
  snapshots,
} from '../../../../test/support/http/sample-server.ts'
import type { Slot } from '../../../slot/slot.ts'

const AUTHORIZED = { 'x-api-key': KEY }
const NDJSON = { ...AUTHORIZED, accept: 'application/x-ndjson' }
const CSV = { ...AUTHORIZED, accept: 'text/csv' }
const SEARCHES = ['', 'state=MA', 'isVirtual=true&startAfter=2026-06-02T00:00:00Z', 'city=Boston', 'status=busy']

test('exports the slots of the list pages as NDJSON in the same order', async () => {
  for (const search of SEARCHES) {
    const { status, headers, text } = await ask(`${SLOTS}?${search}`, NDJSON)
    const { slots, total } = await allPages(search)
    assert.deepEqual([status, headers['content-type']], [200, 'application/x-ndjson'])
    assert.deepEqual(linesOf(text), slots)
    assert.equal(headers['slots-total'], String(total))
    assert.equal(text, slots.map((slot) => `${JSON.stringify(slot)}\n`).join(''))
  }
})

test('exports one CSV line per slot below a header line', async () => {
  for (const search of SEARCHES) {
    const { status, headers, text } = await ask(`${SLOTS}?${search}`, CSV)
    const { slots } = await allPages(search)
    assert.deepEqual([status, headers['content-type']], [200, 'text/csv; charset=utf-8; header=present'])
    assert.equal(headers['content-disposition'], 'attachment; filename="slots.csv"')
    assert.deepEqual(
      parseCsv(text).map(({ id, start, 'location.city': city = '' }) => ({ id, start, city })),
      slots.map(({ id, start, location }) => ({ id, start, city: location?.city ?? '' })),
    )
  }
})

test('sends the revision, the request id and Cache-Control: no-store', async () => {
  const { headers } = await ask(SLOTS, { ...NDJSON, 'x-request-id': 'mine' })
  assert.deepEqual(
    [headers['slots-revision'], headers['x-request-id'], headers['cache-control'], headers.vary],
    ['1.1', 'mine', 'private, no-store', 'Accept, Accept-Encoding'],
  )
})

test('returns only the headers for HEAD', async () => {
  for (const asked of [NDJSON, CSV]) {
    const { status, headers, text } = await ask(`${SLOTS}?state=MA`, asked, 'HEAD')
    assert.deepEqual([status, headers['slots-total'], text], [200, '29', ''])
  }
  assert.equal(snapshots.size, 0)
})

test('rejects paging parameters and everything that the list rejects, by name', async () => {
  for (const name of ['limit', 'offset', 'cursor']) {
    const { status, json } = await ask(`${SLOTS}?${name}=5`, NDJSON)
    assert.deepEqual([status, json.parameter], [400, name])
    assert.match(json.message, /not allowed in an export.*got "5"/)
  }
  assert.equal((await ask(`${SLOTS}?state=Massachusets`, CSV)).json.parameter, 'state')
  assert.equal((await ask(SLOTS, { accept: 'text/csv' })).status, 401)
  assert.equal((await ask(SLOTS, { ...AUTHORIZED, accept: 'text/html' })).status, 406)
  assert.equal((await ask(SLOTS, { ...AUTHORIZED, accept: 'text/html, */*;q=0.1' })).status, 200)
  assert.equal(exportPump.size, 0)
})

test('negotiates compression', async () => {
  const plain = (await ask(SLOTS, NDJSON)).text
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
  for (const [coding, decode] of Object.entries(decoders)) {
    const { headers, body } = await askBytes({ ...NDJSON, 'accept-encoding': `identity;q=0.5, ${coding}` })
    assert.equal(headers['content-encoding'], coding)
    assert.equal(decode(body).toString(), plain)
  }
  const untouched = await askBytes({ ...NDJSON, 'accept-encoding': 'deflate, gzip;q=0' })
  assert.equal(untouched.headers['content-encoding'], undefined)
  assert.equal(untouched.body.toString(), plain)
})

test('counts each export once', async () => {
  const headers = { ...NDJSON, 'x-api-key': OTHER_KEY }
  await ask(SLOTS, headers)
  await ask(SLOTS, headers, 'HEAD')
  const { logged } = await drained(2, ['two'])
  assert.deepEqual(
    logged.filter(({ keyId }) => keyId === 'two').map(({ method, status }) => [method, status]),
    [
      ['GET', 200],
      ['HEAD', 200],
    ],
  )
})

test('releases its snapshot at the end', async () => {
  await eventually(() => exportPump.size === 0)
  assert.equal(snapshots.size, 0)
})

test('exports the snapshot of the time of the request', async () => {
  const before = (await allPages('')).slots
  const asked = ask(SLOTS, NDJSON)
  fillIndex(index, sampleSlots(20), { revision: 2, nowMs: NOW_MS })
  const { headers, text } = await asked
  assert.ok(['1.1', '1.2'].includes(String(headers['slots-revision'])))
  assert.equal(linesOf(text).length, headers['slots-revision'] === '1.1' ? before.length : 19)
})

async function allPages(search: string): Promise<{ slots: (Slot & Slot['offering'])[]; total: number }> {
  const slots: (Slot & Slot['offering'])[] = []
  for (;;) {
    const { json }: Answer = await ask(`${SLOTS}?${search}&limit=17&offset=${slots.length}`, AUTHORIZED)
    slots.push(...json.slots)
    if (json.slots.length === 0) return { slots, total: json.total }
  }
}

function linesOf(text: string): unknown[] {
  assert.ok(text === '' || text.endsWith('\n'))
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** `ask()` reads text. */
async function askBytes(headers: Record<string, string>) {
  const socket = connection()
  const lines = Object.entries({ host: 'x', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.write(`GET ${SLOTS} HTTP/1.0\r\n${lines.join('')}\r\n`)
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  await once(socket, 'close')
  const answer = Buffer.concat(pieces)
  const end = answer.indexOf('\r\n\r\n')
  const found = answer.toString('latin1', 0, end).split('\r\n').slice(1)
  const pairs = found.map((line) => line.split(': ') as [string, string])
  return {
    headers: Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])),
    body: answer.subarray(end + 4),
  }
}
