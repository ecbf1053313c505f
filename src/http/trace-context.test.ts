import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTraceparent } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

test('reads the trace and whether the caller records it', () => {
  assert.deepEqual(parseTraceparent(`00-${TRACE}-${PARENT}-01`), { traceId: TRACE, isSampled: true })
  assert.deepEqual(parseTraceparent(`00-${TRACE}-${PARENT}-02`), { traceId: TRACE, isSampled: false })
  assert.deepEqual(parseTraceparent(`cc-${TRACE}-${PARENT}-03-what-the-future-will-be`), {
    traceId: TRACE,
    isSampled: true,
  })
})

test('ignores what is not a trace context', () => {
  const zeros = '0'.repeat(32)
  for (const header of [
    undefined,
    '',
    [`00-${TRACE}-${PARENT}-01`],
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${zeros}-${PARENT}-01`,
    `00-${TRACE}-${zeros.slice(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `cc-${TRACE}-${PARENT}-01.more`,
  ])
    assert.equal(parseTraceparent(header), undefined, String(header))
})
