import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { ask, KEY, port, SLOTS } from '../../test/support/http/sample-server.ts'

const DECODE = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
const LONG = `${SLOTS}?limit=50`

async function askCoded(path: string, acceptEncoding: string, headers = {}, method = 'GET') {
  const asked = request({
    port: port(),
    path,
    method,
    headers: { 'x-api-key': KEY, 'accept-encoding': acceptEncoding, ...headers },
    agent: false,
  }).end()
  const [response] = await once(asked, 'response')
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }
}

test('compresses a page as requested, uncached and cached', async () => {
  const plain = await ask(LONG)
  for (const coding of ['zstd', 'br', 'gzip'] as const) {
    for (let time = 0; time < 4; time++) {
      const { status, headers, body } = await askCoded(LONG, coding)
      assert.deepEqual([status, headers['content-encoding']], [200, coding])
      assert.equal(headers['content-length'], String(body.length))
      assert.ok(body.length < plain.text.length / 2)
      assert.equal(DECODE[coding](body).toString(), plain.text)
      assert.match(headers.vary, /Accept-Encoding/)
    }
  }
})

test('chooses the preferred coding and never a refused one', async () => {
  const codingOf = async (accepted: string) => (await askCoded(LONG, accepted)).headers['content-encoding']
  assert.equal(await codingOf('gzip, deflate, br, zstd'), 'zstd')
  assert.equal(await codingOf('gzip;q=1, zstd;q=0.5'), 'gzip')
  assert.equal(await codingOf('*'), 'zstd')
  assert.equal(await codingOf('zstd;q=0, br;q=0, *;q=0.1'), 'gzip')
  assert.equal(await codingOf('*;q=0, br;q=0.001'), 'br')
  assert.equal(await codingOf('br;q=nothing, gzip;q=0.9'), 'br')
  for (const none of ['identity', 'deflate', 'gzip;q=0', 'br;q=0.000', 'br;q=0., gzip; q=0', ''])
    assert.equal(await codingOf(none), undefined, none)
})

test('gives each coding its own ETag and returns 304 only for that ETag', async () => {
  const plain = await askCoded(LONG, 'identity')
  const coded = await askCoded(LONG, 'gzip')
  assert.notEqual(plain.headers.etag, coded.headers.etag)
  const held = async (tag: string, accepted: string) =>
    (await askCoded(LONG, accepted, { 'if-none-match': tag })).status
  assert.equal(await held(coded.headers.etag, 'gzip'), 304)
  assert.equal(await held(plain.headers.etag, 'identity'), 304)
  assert.equal(await held(plain.headers.etag, 'gzip'), 200)
})

test('sends small bodies uncompressed', async () => {
  const { headers } = await askCoded(`${SLOTS}?limit=1`, 'gzip')
  assert.equal(headers['content-encoding'], undefined)
})

test('compresses small bodies if identity is refused', async () => {
  const small = `${SLOTS}?limit=1`
  for (const refusing of ['gzip, identity;q=0', 'gzip;q=0.1, *; q=0.0', 'IDENTITY;Q=0,GZIP'])
    for (let time = 0; time < 3; time++)
      assert.equal((await askCoded(small, refusing)).headers['content-encoding'], 'gzip', refusing)
  for (const other of ['gzip, identity;q=0.001', 'gzip;q=0, identity', 'identity, gzip, *;q=0'])
    assert.equal((await askCoded(small, other)).headers['content-encoding'], undefined, other)
})

test('sends an uncompressed body if every coding is refused', async () => {
  for (const none of ['identity;q=0', '*;q=0', 'identity;q=0, deflate'])
    for (const path of [LONG, `${SLOTS}?limit=1`]) {
      const { status, headers } = await askCoded(path, none)
      assert.deepEqual([status, headers['content-encoding']], [200, undefined], none)
    }
})

test('returns the Content-Encoding of GET for HEAD', async () => {
  const get = await askCoded(LONG, 'gzip')
  const head = await askCoded(LONG, 'gzip', {}, 'HEAD')
  for (const name of ['etag', 'content-encoding', 'content-type', 'vary'])
    assert.equal(head.headers[name], get.headers[name], name)
  assert.deepEqual([head.status, head.body.length], [200, 0])
  const tag = { 'if-none-match': get.headers.etag }
  assert.equal((await askCoded(LONG, 'gzip', tag, 'HEAD')).status, 304)
})
