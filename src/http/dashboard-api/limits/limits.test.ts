import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardApiHarness, TEST_LIMITS } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { readConfig } from '../../../config/config.ts'
import { DAY_MS } from '../../../lib/time.ts'

test('shows the limits of this installation to everybody who is signed in', async (t) => {
  const { rateLimits, audit, requestLog } = readConfig({
    RATE_LIMIT_KEY_REQUESTS: '600',
    RATE_LIMIT_ORGANIZATION_MS: '250',
    AUDIT_DAYS: '365',
    AUDIT_ENTRIES_MAX: '1000000',
    AUDIT_LOG: 'stdout',
  })
  const configured = {
    changesPerHourMax: 120,
    rateLimits,
    slotsMax: 8_000_000,
    uploadBytesMax: 2 ** 28,
    retentionMs: 400 * DAY_MS,
    requestLog,
    auditRetentionMs: Number(audit.retentionMs),
    auditEntriesMax: Number(audit.entriesMax),
  }
  const harness = await DashboardApiHarness.open(t, { configured })
  const as = await harness.addPerson('ann')
  assert.equal((await harness.ask('GET', '/api/limits')).status, 401)
  assert.deepEqual(await harness.get('GET', '/api/limits', { as }), {
    rates: { keyRequests: 600, organizationMs: 250 },
    requests: {
      slotsPerPage: 100,
      changesPerPage: 1000,
      targetCharacters: 8192,
      waitingPerKey: 100,
      waitingPerOrganization: 200,
    },
    organization: { activeKeys: 100, openInvitations: 100 },
    account: { ownedOrganizations: 20, organizations: 200, changesPerHour: 120 },
    slots: { all: 8_000_000, perSource: 2_000_000, uploadBytes: 268_435_456 },
    retention: { usageDays: 400, logDays: 7, logEntries: 100_000, auditDays: 365, auditEntries: 1_000_000 },
  })
})

test('a limit that is not configured is absent', async (t) => {
  const harness = await DashboardApiHarness.open(t, { configured: TEST_LIMITS })
  const { rates, retention } = await harness.get('GET', '/api/limits', { as: await harness.addPerson('ann') })
  assert.deepEqual([rates, retention], [{}, { usageDays: 400, logDays: 7, logEntries: 100_000 }])
})
