import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handleMessage } from './mcp-server.ts'

test('returns deeply nested arguments as an error of the caller, not of the service', async () => {
  const levels = 30_000
  const nested: unknown = JSON.parse('['.repeat(levels) + ']'.repeat(levels))
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  for (const [name, args] of [
    ['search_slots', { city: nested }],
    ['create_subscription', { url: 'https://app.example/hook', filters: { state: nested } }],
  ] as const) {
    const errors: unknown[] = []
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const response = await handleMessage(new Request('http://localhost/mcp', { method: 'POST', headers }), message, {
      ask: async (_path, _search, body) => ({ body: JSON.parse(JSON.stringify(body)), header: () => undefined }),
      version: '1.2.3',
      onError: (error) => errors.push(error),
    })
    const { result } = (await response.json()) as { result: object }
    assert.deepEqual(result, {
      content: [{ type: 'text', text: 'The arguments are nested too deeply.' }],
      isError: true,
    })
    assert.deepEqual(errors, [], name)
  }
})
