import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partLevels, sourceCounts, worstLevel } from './health-parts.ts'

const FINE = {
  ready: true,
  store: { kind: 'sqlite', ok: true },
  memory: { rssBytes: 1, heapBytes: 1, externalBytes: 1, maxBytes: 1, missingSlots: 0 },
} as const

test('the service is as healthy as its worst part', () => {
  const level = (health: object, sources: object) =>
    worstLevel(partLevels({ ...FINE, ...health }, { attention: 0, byHealth: {}, ...sources }))
  assert.equal(level({}, { byHealth: { healthy: 5, 'never-synced': 1, paused: 2 } }), 'healthy')
  assert.equal(level({}, { attention: 1, byHealth: { healthy: 5, late: 1 } }), 'attention')
  assert.equal(level({}, { attention: 1, byHealth: { healthy: 5, failing: 1 } }), 'failing')
  assert.equal(level({ ready: false }, {}), 'starting')
  assert.equal(level({ ready: false, store: { kind: 'sqlite', ok: false } }, {}), 'failing')
  assert.equal(level({ store: { kind: 'sqlite', ok: false } }, {}), 'failing')
  assert.equal(level({ memory: { ...FINE.memory, missingSlots: 1 } }, {}), 'failing')
})

test('counts the sources by health, the worst first', () => {
  const byHealth = { healthy: 1, paused: 2, failing: 200, 'never-synced': 3 }
  const counts = [
    ['failing', 200],
    ['never-synced', 3],
    ['healthy', 1],
    ['paused', 2],
  ]
  assert.deepEqual(sourceCounts({ attention: 200, byHealth }), counts)
  assert.deepEqual(sourceCounts({ attention: 201, byHealth }), [['attention', 201], ...counts])
})
