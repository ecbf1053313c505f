import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openUsage } from '../../../../test/support/dashboard-api/usage-rows.ts'
import { USAGE_ROWS_MAX } from './usage.ts'

test('lists as many counts of usage as one response may have', async (t) => {
  const { ask } = await openUsage(t, USAGE_ROWS_MAX)
  assert.equal((await ask('')).body.hours.length, USAGE_ROWS_MAX)
})
