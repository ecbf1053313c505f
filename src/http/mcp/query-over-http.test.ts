import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { listenOnLoopback } from '../../../test/support/listen-on-loopback.ts'
import { QueryError, queryOverHttp } from './query-service.ts'

const apiKey = 'svc_sk_secret'

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const { origin } = await listenOnLoopback(t, createServer(listener))
  return origin
}

test('sends the key in a header and returns body and headers', async (t) => {
  const url = await serve(t, ({ url, headers }, response) => {
    response.setHeader('link', '<x>; rel="next"')
    response.end(JSON.stringify({ url, authorization: headers.authorization }))
  })
  const { body, header } = await queryOverHttp({ url: `${url}/base`, apiKey })('/v1/x', 'a=1')
  assert.deepEqual(body, { url: '/base/v1/x?a=1', authorization: `Bearer ${apiKey}` })
  assert.deepEqual([header('link'), header('etag')], ['<x>; rel="next"', undefined])
})

test('sends a body as JSON by POST', async (t) => {
  const url = await serve(t, async (request, response) => {
    const [body] = await request.setEncoding('utf8').toArray()
    response.writeHead(201).end(JSON.stringify([request.method, request.headers['content-type'], body]))
  })
  const { body } = await queryOverHttp({ url, apiKey })('/v1/x', '', { a: 1 })
  assert.deepEqual(body, ['POST', 'application/json', '{"a":1}'])
})

test('follows no redirect, so that no other host receives the key', async (t) => {
  let asked = 0
  const other = await serve(t, (_, response) => {
    asked++
    response.end('{}')
  })
  const url = await serve(t, (_, response) => response.writeHead(307, { location: other }).end())
  await assert.rejects(queryOverHttp({ url, apiKey })('/v1/x', ''), /returned 307/)
  assert.equal(asked, 0)
})

test('reports errors and connection failures without the key', async (t) => {
  const url = await serve(t, ({ url }, response) =>
    response.writeHead(url === '/v1/page' ? 200 : 400).end(url === '/v1/x' ? '{"message":"limit must be 1."}' : '<p>'),
  )
  const gone = 'http://127.0.0.1:1'
  for (const [at, path, message] of [
    [url, '/v1/x', 'The service returned 400. limit must be 1.'],
    [url, '/v1/y', 'The service returned 400. No reason was given.'],
    [url, '/v1/page', 'The service returned 200. No reason was given.'],
    [gone, '/v1/x', `The service at ${gone} cannot be reached: `],
  ]) {
    await assert.rejects(
      queryOverHttp({ url: at, apiKey })(path, ''),
      (thrown: unknown) =>
        thrown instanceof QueryError && thrown.message.startsWith(message) && !thrown.message.includes(apiKey),
    )
  }
})
