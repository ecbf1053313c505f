import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { chooseType } from './accept.ts'
import { Problem } from './problem.ts'

const OFFERED = ['application/json', 'application/x-ndjson', 'text/csv']

const choose = (accept: string | undefined) =>
  chooseType({ headers: { ...(accept !== undefined && { accept }) } } as IncomingMessage, OFFERED)

test('answers in JSON unless something else is preferred', () => {
  for (const accept of [
    undefined,
    '*/*',
    'application/*',
    'application/json',
    'text/csv;q=0.5, */*',
    'x/y, */*;q=0.1',
  ])
    assert.equal(choose(accept), 'application/json', accept)
  assert.equal(choose('application/x-ndjson'), 'application/x-ndjson')
  assert.equal(choose('Text/CSV'), 'text/csv')
  assert.equal(choose('text/*'), 'text/csv')
  assert.equal(choose('application/json;q=0.5, text/csv'), 'text/csv')
})

test('takes what is named exactly over what is merely allowed', () => {
  assert.equal(choose('*/*, application/x-ndjson'), 'application/x-ndjson')
  assert.equal(choose('application/json;q=0, */*'), 'application/x-ndjson')
})

test('refuses whoever allows none of it, naming what there is', () => {
  for (const accept of ['text/html', 'application/json;q=0', '*/*;q=0', '']) {
    assert.throws(
      () => choose(accept),
      (thrown) =>
        thrown instanceof Problem &&
        thrown.kind === 'not-acceptable' &&
        /x-ndjson or text\/csv/.test(thrown.message),
      accept,
    )
  }
})
