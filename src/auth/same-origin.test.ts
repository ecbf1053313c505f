import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { requireSameOrigin } from './same-origin.ts'

const OURS = 'https://slots.example'
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

test('allows changes only from the same origin, and only as JSON or bytes', async () => {
  const app = new Hono()
  app.use(requireSameOrigin(`${OURS}/`))
  app.all('/change', (context) => context.text('changed'))
  for (const [method, headers, status] of [
    ['GET', {}, 200],
    ['GET', { origin: 'https://evil.example' }, 200],
    ['POST', { origin: OURS, ...JSON_TYPE }, 200],
    ['DELETE', { 'sec-fetch-site': 'same-origin', ...JSON_TYPE }, 200],
    ['POST', { origin: OURS, 'content-type': 'application/octet-stream' }, 200],
    ['POST', { origin: 'https://evil.example', 'content-type': 'application/octet-stream' }, 403],
    ['POST', JSON_TYPE, 403],
    ['POST', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin', ...JSON_TYPE }, 403],
    ['POST', { origin: 'null', ...JSON_TYPE }, 403],
    ['POST', { origin: `${OURS}.evil.example`, ...JSON_TYPE }, 403],
    ['POST', { origin: 'http://slots.example', ...JSON_TYPE }, 403],
    ['PATCH', { 'sec-fetch-site': 'same-site', ...JSON_TYPE }, 403],
    ['POST', { origin: OURS }, 403],
    ['POST', { origin: OURS, 'content-type': 'text/plain' }, 403],
    ['POST', { origin: OURS, 'content-type': 'application/x-www-form-urlencoded' }, 403],
  ] as const) {
    const response = await app.request('/change', { method, headers })
    assert.equal(response.status, status, `${method} ${JSON.stringify(headers)}`)
  }
})
