import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, KEY } from '../../test/support/http/sample-server.ts'

test('serves a file in the smallest accepted coding', async () => {
  const encodings: [string | undefined, string | undefined, string][] = [
    [undefined, undefined, '<p>front'],
    ['identity', undefined, '<p>front'],
    ['gzip, deflate, br', 'br', 'smaller'],
    ['GZIP;q=0.5', 'gzip', 'zipped'],
    ['br;q=0, gzip', 'gzip', 'zipped'],
    ['br; q=0.0', undefined, '<p>front'],
    ['brotli', undefined, '<p>front'],
  ]
  for (const [accepted, encoding, text] of encodings) {
    const { status, headers, ...body } = await ask('/', accepted ? { 'accept-encoding': accepted } : {})
    assert.deepEqual(
      [status, headers['content-encoding'], body.text, headers.etag, headers['content-length']],
      [200, encoding, text, `"${text}"`, String(text.length)],
    )
    assert.equal(headers.vary, 'accept-encoding')
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.ok(headers['x-request-id'])
  }
})

test('returns 304 for a matching ETag, but never instead of an error page', async () => {
  const held = await ask('/', { 'if-none-match': '"<p>front"' })
  assert.deepEqual([held.status, held.text, held.headers.etag], [304, '', '"<p>front"'])
  const other = await ask('/', { 'if-none-match': '"<p>front"', 'accept-encoding': 'br' })
  assert.equal(other.status, 200)
  assert.equal((await ask('/docs', { 'if-none-match': '"not built"' })).status, 503)
})

test('supports HEAD and OPTIONS and rejects other methods', async () => {
  const head = await ask('/?utm=1', {}, 'HEAD')
  assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '8'])
  const options = await ask('/', {}, 'OPTIONS')
  assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'])
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, headers, json } = await ask('/', {}, method)
    assert.deepEqual([status, headers.allow, json.error], [405, 'GET, HEAD, OPTIONS', 'Method not allowed'])
  }
})

test('redirects a path with a trailing slash, and never to another host', async () => {
  const { status, headers } = await ask('/docs/?x=1', {})
  assert.deepEqual([status, headers.location], [308, '/docs?x=1'])
  assert.equal((await ask('//docs/', {})).status, 404)
  assert.equal((await ask('//evil.example/', {})).status, 404)
})

test('returns 404 as a page to browsers, as JSON to programs, and always as JSON under /v1', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const page = await ask('/nothing', browser)
  assert.deepEqual([page.status, page.text], [404, '<p>nothing here'])
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.equal((await ask('/nothing', {})).json.error, 'Not found')
  assert.equal((await ask('/v1/nothing', browser)).json.error, 'API key required')
  assert.equal((await ask('/v1/nothing', { ...browser, 'x-api-key': KEY })).json.error, 'Not found')
  assert.equal((await ask('/livez', browser)).json.status, 'live')
})
