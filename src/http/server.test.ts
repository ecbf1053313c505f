import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import packageJson from '../../package.json' with { type: 'json' }
import { ask, connection, KEY, SLOTS, state } from '../../test/support/http/sample-server.ts'

test('gives every response a request id and reuses a well-formed one of the caller', async () => {
  const key = { 'x-api-key': KEY }
  assert.equal((await ask(SLOTS, { ...key, 'x-request-id': 'abc-1' })).headers['x-request-id'], 'abc-1')
  assert.notEqual((await ask(SLOTS, { ...key, 'x-request-id': 'a b' })).headers['x-request-id'], 'a b')
  for (const path of [SLOTS, '/v1/nothing', '/livez', '/nothing', `${SLOTS}?limit=0`]) {
    assert.match(String((await ask(path, key)).headers['x-request-id']), /^[0-9a-f]{12}-\d+$/)
  }
})

test('answers HEAD like GET without a body, OPTIONS with Allow, and other methods with 405', async () => {
  const key = { 'x-api-key': KEY }
  for (const path of [SLOTS, '/livez', '/readyz']) {
    const get = await ask(path, key)
    const head = await ask(path, key, 'HEAD')
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers['content-type'], get.headers['content-type'])
    const options = await ask(path, key, 'OPTIONS')
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const refused = await ask(path, key, method)
      assert.equal(refused.status, 405)
      assert.equal(refused.headers.allow, 'GET, HEAD, OPTIONS')
      const log = path === SLOTS ? ['requestLogUrl'] : []
      assert.deepEqual(Object.keys(refused.json), ['error', 'message', 'documentation', ...log])
    }
  }
})

test('names the path template in the error for a wrong method', async () => {
  const { json } = await ask(`${SLOTS}/x`, { 'x-api-key': KEY }, 'PUT')
  assert.equal(json.message, `${SLOTS}/{id} answers GET, HEAD, OPTIONS: got PUT.`)
})

test('returns 404 for unknown paths, 406 if no type is accepted, and sends no CORS headers', async () => {
  const key = { 'x-api-key': KEY }
  for (const path of [
    '/v1',
    '/v1/',
    '/v1/scheduling/slots/',
    '/v1/scheduling/slotsx',
    '/nothing',
    '/V1/scheduling/slots',
  ]) {
    const { status, json } = await ask(path, key)
    assert.equal(status, 404, path)
    assert.equal(json.error, 'Not found')
  }
  for (const accept of ['text/html', 'application/json;q=0', 'image/*, text/html;q=0.5']) {
    assert.equal((await ask(SLOTS, { ...key, accept })).status, 406, accept)
  }
  for (const accept of ['*/*', 'text/html, */*;q=0.1', 'application/*', 'application/json; charset=utf-8']) {
    assert.equal((await ask(SLOTS, { ...key, accept })).status, 200, accept)
  }
  const { headers } = await ask(SLOTS, { ...key, origin: 'https://evil.example' })
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith('access-control')),
    [],
  )
})

test('names the path of a target with repeated slashes, and the one that was probably meant', async () => {
  for (const path of [`/${SLOTS}`, '/v1//scheduling/slots', '///v1///scheduling//slots']) {
    const { status, json } = await ask(`${path}?state=MA`, { 'x-api-key': KEY })
    assert.equal(status, 404)
    const message = `There is nothing at ${path}. Use single slashes: ${SLOTS}. Documentation: https://slots.example/docs`
    assert.equal(json.message, message)
  }
  assert.match(
    (await ask('//elsewhere.example/x', {})).json.message,
    /^There is nothing at \/\/elsewhere\.example\/x\./,
  )
  assert.equal((await ask('//v1/v1/scheduling/./slots', { 'x-api-key': KEY })).status, 404)
  assert.match((await ask('/x', {})).json.message, /^There is nothing at \/x\. Documentation:/)
})

test('returns 414 for a long target and 431 for large headers', async () => {
  const key = { 'x-api-key': KEY }
  assert.equal((await ask(`${SLOTS}?city=${'x'.repeat(9000)}`, {})).status, 401)
  for (const length of [9000, 60_000]) {
    const { status, json } = await ask(`${SLOTS}?city=${'x'.repeat(length)}`, key)
    assert.deepEqual([status, json.error], [414, 'URI too long'], String(length))
  }
  const { status, json } = await ask(SLOTS, { ...key, 'x-large': 'x'.repeat(40_000) })
  assert.deepEqual([status, json.error], [431, 'Request headers too large'])
})

test('tells a long target from large headers when they arrive in parts', async () => {
  const long = 'x'.repeat(20_000)
  const cases = [
    { parts: [`GET ${SLOTS}?city=${long}`, `${long} HTTP/1.1\r\nHost: x\r\n\r\n`], status: 414 },
    {
      parts: [`GET ${SLOTS}?city=${long}${'x'.repeat(12_000)}`, 'x'.repeat(800), ' HTTP/1.1\r\nHost: x\r\n\r\n'],
      status: 414,
    },
    { parts: [`GET ${SLOTS} HTTP/1.1\r\nHost: x\r\nX-Large: ${long}`, `${long}\r\n\r\n`], status: 431 },
  ]
  for (const { parts, status } of cases) {
    const socket = connection()
    const answer = text(socket)
    for (const part of parts) {
      if (socket.destroyed || !socket.writable) break
      socket.write(part)
      await sleep(50)
    }
    assert.match(await answer, new RegExp(`^HTTP/1\\.1 ${status} `), `${parts[0].slice(0, 40)} ${status}`)
  }
})

test('returns 400 for malformed HTTP', async () => {
  const socket = connection()
  socket.end('HELLO\r\n\r\n')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 400 Bad Request\r\n/)
  assert.match(String(answer), /\r\n\r\n\{"error":"Malformed request"/)
})

test('sends the date with errors of bytes that are no request', async () => {
  for (const bytes of ['HELLO', `GET /${'x'.repeat(60_000)} HTTP/1.1\r\nHost: x`]) {
    const socket = connection()
    socket.end(`${bytes}\r\n\r\n`)
    const [head = ''] = (await text(socket)).split('\r\n\r\n')
    const [, date = ''] = /\r\nDate: (\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT)/.exec(head) ?? []
    assert.ok(Math.abs(Date.parse(date) - Date.now()) < 60_000, head)
  }
})

test('ignores expectations that it does not know', async () => {
  const { status, json } = await ask(SLOTS, { 'x-api-key': KEY, expect: '200-ok' })
  assert.deepEqual([status, json.slots.length], [200, 25])
})

test('says that a URL must be percent-encoded, as curl does not do by itself', async () => {
  const socket = connection()
  socket.write(`GET ${SLOTS}?city=Mayagüez HTTP/1.1\r\nHost: x\r\n\r\n`)
  const response = await text(socket)
  assert.match(response, /^HTTP\/1\.1 400 .*"Malformed request".*percent-encoded/s)
})

test('returns 400 with a body for a request without Host and closes the connection', async () => {
  for (const target of [SLOTS, '/', '/api/x', '/nothing']) {
    const socket = connection()
    socket.write(`GET ${target} HTTP/1.1\r\n\r\n`)
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /\r\nconnection: close\r\n/i)
    assert.match(answer, /"error":"Malformed request","message":"[^"]*Host/)
  }
  const old = connection()
  old.write(`GET ${SLOTS} HTTP/1.0\r\nx-api-key: ${KEY}\r\n\r\n`)
  assert.match(await text(old), /^HTTP\/1\.1 200 /)
})

test('returns 503 with Retry-After on /v1 and /readyz, but not on /livez, until the slots are loaded', async () => {
  state.ready = false
  for (const path of [SLOTS, '/v1/nothing', '/readyz']) {
    const { status, headers, json } = await ask(path, {})
    assert.deepEqual([status, headers['retry-after'], json.error], [503, '1', 'Not ready'])
  }
  assert.equal((await ask('/livez', {})).status, 200)
  state.ready = true
  assert.equal((await ask('/readyz', {})).status, 200)
})

test('reports the state of the node on /readyz?verbose and stays ready while the store is unavailable', async () => {
  const { condition } = state
  const ready = { status: 'ready', version: packageJson.version, slots: 60, revision: 1, ...condition }
  assert.deepEqual((await ask('/readyz?verbose', {})).json, ready)
  assert.deepEqual((await ask('/readyz', {})).json, { status: 'ready', slots: 60 })
  const store = { kind: 'postgres', status: 'unavailable', sinceMs: 7 } as const
  state.condition = { ...condition, store }
  const { status, json } = await ask('/readyz?verbose', {})
  assert.deepEqual([status, json], [200, { ...ready, store }])
  state.condition = condition
})

test('is not ready while the node drains or loads, and still serves /v1', async () => {
  const { condition } = state
  state.condition = { ...condition, draining: true }
  for (const path of ['/readyz', '/readyz?verbose']) {
    const { status, headers, json } = await ask(path, {})
    assert.deepEqual([status, headers['retry-after'], json.error], [503, '1', 'Not ready'])
    assert.match(json.message, /shutting down/)
  }
  assert.equal((await ask('/readyz?verbose', {})).json.status, 'draining')
  assert.equal((await ask(SLOTS, { 'x-api-key': KEY })).status, 200)
  state.condition = condition
  state.ready = false
  const { status, json } = await ask('/readyz?verbose', {})
  assert.deepEqual([status, json.status, json.error, json.store], [503, 'loading', 'Not ready', condition.store])
  state.ready = true
})

test('relays /api/ to the dashboard without an API key', async () => {
  for (const path of ['/api/', '/api/me', '/api/auth/sign-in?x=1']) {
    const { status, text } = await ask(path, {}, 'POST')
    assert.deepEqual([status, text], [299, 'dashboard'])
  }
  assert.equal((await ask('/api', {})).status, 404)
})
