import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, KEY, meter, state } from '../../test/support/http/sample-server.ts'
import { MCP_PATH } from './relay.ts'

const key = { 'x-api-key': KEY }

test('relays every method with a valid key', async () => {
  for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await ask(MCP_PATH, key, method)
    assert.deepEqual([status, headers.operation], [299, MCP_PATH], method)
  }
  for (const path of ['/mcp?x=1', '/mcp/']) assert.equal((await ask(path, key, 'POST')).status, 299, path)
})

test('requires an API key like /v1', async () => {
  const wanted = await ask('/v1/scheduling/slots', {})
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { 'x-api-key': `${KEY}x` }, { operation: MCP_PATH }]) {
    const { status, text, headers: received } = await ask(MCP_PATH, headers, 'POST')
    assert.deepEqual([status, text, received['www-authenticate']], [401, wanted.text, 'Bearer'])
  }
})

test('counts each request for its key', async () => {
  meter.drain()
  await ask(MCP_PATH, key, 'POST')
  const recent = meter.drain()?.logged.flatMap((each) => Object.values(each)) ?? []
  assert.ok(recent.includes('POST') && recent.includes(MCP_PATH), JSON.stringify(recent))
})

test('is not ready before the slots are loaded', async () => {
  state.ready = false
  try {
    assert.equal((await ask(MCP_PATH, key, 'POST')).status, 503)
  } finally {
    state.ready = true
  }
})

test('does not relay similar paths', async () => {
  for (const path of ['/mcpx', '/mcp/x', '/mcp#a', '/mcp/../v1x', '/%6dcp', '//mcp', '/MCP', 'http://x/mcpx']) {
    const { status, headers } = await ask(path, key, 'POST')
    assert.deepEqual([status, headers.operation], [404, undefined], path)
  }
})

test('relays a target in absolute-form', async () => {
  const { status, headers } = await ask(`http://x${MCP_PATH}`, key, 'POST')
  assert.deepEqual([status, headers.operation], [299, MCP_PATH])
})
