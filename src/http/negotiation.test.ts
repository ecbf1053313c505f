import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { KEY, port, SLOTS } from '../../test/support/http/sample-server.ts'
import { chooseType } from './negotiation.ts'
import { Problem } from './problem.ts'

const OFFERED = ['application/json', 'application/x-ndjson', 'text/csv']

const choose = (accept: string | undefined) =>
  chooseType({ headers: { ...(accept !== undefined && { accept }) } } as IncomingMessage, OFFERED)

test('chooses JSON unless another type is preferred', () => {
  for (const accept of [undefined, '*/*', 'application/*', 'application/json', 'text/csv;q=0.5, */*', 'x/y, */*;q=0.1'])
    assert.equal(choose(accept), 'application/json', accept)
  assert.equal(choose('application/x-ndjson'), 'application/x-ndjson')
  assert.equal(choose('Text/CSV'), 'text/csv')
  assert.equal(choose('text/*'), 'text/csv')
  assert.equal(choose('application/json;q=0.5, text/csv'), 'text/csv')
})

test('prefers an exactly named type to a wildcard', () => {
  assert.equal(choose('*/*, application/x-ndjson'), 'application/x-ndjson')
  assert.equal(choose('application/json;q=0, */*'), 'application/x-ndjson')
})

test('rejects a header that accepts no type, naming the available types', () => {
  for (const accept of ['text/html', 'application/json;q=0', '*/*;q=0', '*/*; Q=0.000', 'json', 'text/html, , ;']) {
    assert.throws(
      () => choose(accept),
      (error) =>
        error instanceof Problem && error.kind === 'not-acceptable' && /x-ndjson or text\/csv/.test(error.message),
      accept,
    )
  }
})

test('treats an empty list as absent', () => {
  for (const accept of ['', ' ', ',', ' , ,']) assert.equal(choose(accept), 'application/json', `"${accept}"`)
})

test('tolerates malformed lists and weights', () => {
  assert.equal(choose(',text/csv,,'), 'text/csv')
  for (const weight of ['', 'x', '-1', '2', '1e-9', '0x0', '.'])
    assert.equal(choose(`text/csv;q=${weight}`), 'text/csv', weight)
  assert.equal(choose('text/csv ; header=present ; q=0.1 , application/x-ndjson;q=0.2'), 'application/x-ndjson')
  // A comma and a semicolon within quotes part nothing (RFC 9110, 5.6.4).
  assert.equal(choose('text/csv;x="a\\", */*;q=0";q=0, application/x-ndjson'), 'application/x-ndjson')
  assert.equal(choose('text/csv;x="never closed'), 'text/csv')
})

test('joins several Accept headers into one list', async () => {
  const types = async (...accept: string[]) => {
    const asked = request({ port: port(), path: SLOTS, agent: false })
    asked.setHeader('x-api-key', KEY).setHeader('accept', accept)
    asked.end()
    const [response] = await once(asked, 'response')
    response.resume()
    await once(response, 'end')
    return [response.statusCode, response.headers['content-type']]
  }
  assert.deepEqual(await types('application/json;q=0.5', 'text/csv'), [200, 'text/csv; charset=utf-8; header=present'])
  assert.deepEqual(await types('text/html', ''), [406, 'application/json'])
  assert.deepEqual(await types('', 'application/json'), [200, 'application/json'])
  assert.deepEqual(await types(''), [200, 'application/json'])
})
