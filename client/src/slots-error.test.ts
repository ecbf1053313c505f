import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROBLEMS, Problem, type ProblemKind } from '../../src/http/problem.ts'
import { errorOf } from './slots-error.ts'

test('recognizes every problem kind of the service', () => {
  for (const kind of Object.keys(PROBLEMS) as ProblemKind[]) {
    const problem = new Problem(kind, 'What was wrong.', { parameter: 'limit' })
    const headers = { 'x-request-id': 'r1' }
    const response = new Response(null, { status: problem.status, headers })
    const error = errorOf(response, problem.body, 0)
    assert.deepEqual(
      [error.kind, error.status, error.message, error.parameter, error.requestId, error.retryAfterMs],
      [kind, problem.status, 'What was wrong.', 'limit', 'r1', undefined],
    )
  }
})

test('rejects responses that do not come from the service', () => {
  for (const text of ['', '<p>', 'null', '[]', '"Gone"', '{"error":{}}', '{"error":"constructor"}']) {
    const error = errorOf(new Response(null, { status: 502 }), text, 0)
    assert.deepEqual([error.kind, error.status, error.parameter], ['unexpected-answer', 502, undefined], text)
  }
})

test('parses both forms of Retry-After and rejects others', () => {
  const afterMs = (value: string) =>
    errorOf(new Response(null, { status: 503, headers: { 'retry-after': value } }), '', 1000).retryAfterMs
  assert.equal(afterMs('7'), 7000)
  assert.equal(afterMs('Thu, 01 Jan 1970 00:00:03 GMT'), 2000)
  assert.equal(afterMs('Thu, 01 Jan 1970 00:00:00 GMT'), 0)
  assert.equal(afterMs('soon'), undefined)
})
