import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patroniObstacle, runIsolated } from './isolated.ts'

test('keeps its guarantees on a Patroni cluster through every fault', {
  skip: patroniObstacle() ?? false,
}, async () => {
  assert.ok(await runIsolated([]))
})
