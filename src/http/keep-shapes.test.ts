import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { keepShapes } from './keep-shapes.ts'

test('returns the request and response objects of requests to the given listener', async () => {
  const asked: (string | undefined)[] = []
  const shapes = await keepShapes((request, response) => {
    asked.push(request.url)
    response.end()
  }, '')
  assert.deepEqual(asked, ['/livez', '/v1/scheduling/slots'])
  assert.ok(shapes.some((shape) => shape instanceof ServerResponse && shape.writableFinished))
  assert.ok(shapes.some((shape) => shape instanceof IncomingMessage && shape.complete))
  assert.ok(shapes.some((shape) => 'callback' in shape))
})

test('stops listening if a request fails', async () => {
  await assert.rejects(
    keepShapes((request) => request.destroy(), ''),
    { code: 'ECONNRESET' },
  )
  await eventually(() => !process.getActiveResourcesInfo().includes('TCPServerWrap'))
})
