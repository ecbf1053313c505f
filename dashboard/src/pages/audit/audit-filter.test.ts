import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditFilter, isFiltered } from './audit-filter.ts'

const NOW = new Date(2026, 2, 20, 15, 40).getTime()
const ask = (address: Parameters<typeof auditFilter>[0]) => JSON.parse(JSON.stringify(auditFilter(address, NOW)))

test('an empty query has no filters', () => {
  assert.deepEqual(ask({}), {})
  assert.deepEqual(ask({ time: 'any' }), {})
  assert.equal(isFiltered({}), false)
})

test("days are whole and inclusive in the visitor's time zone", () => {
  assert.deepEqual(ask({ time: 'days', from: '2026-03-01', to: '2026-03-02' }), {
    fromMs: new Date(2026, 2, 1).getTime(),
    toMs: new Date(2026, 2, 3).getTime(),
  })
  assert.deepEqual(ask({ time: 'days', to: '2026-03-02' }), { toMs: new Date(2026, 2, 3).getTime() })
})

test('counts the last days from now', () => {
  assert.deepEqual(ask({ time: '7' }), { fromMs: NOW - 7 * 86_400_000 })
})

test('ignores invalid query parameters', () => {
  assert.deepEqual(ask({ kind: 'key.eaten', time: 'soon', actor: '  ' }), {})
  assert.deepEqual(ask({ time: 'days', from: 'x', to: '' }), {})
})

test('leaves out sign-ins unless an event is chosen', () => {
  assert.deepEqual(ask({ signIns: 'false' }), { signIns: 'false' })
  assert.deepEqual(ask({ signIns: 'false', kind: 'key.created' }), { kind: 'key.created' })
  assert.deepEqual(ask({ signIns: 'no' }), {})
  assert.equal(isFiltered({ signIns: 'false' }), true)
})
