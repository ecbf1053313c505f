import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Limits } from '../../../../src/shared/contract/limits.ts'
import { limitSections, rateRows } from './limit-rows.ts'

/** Every number is different, so that none is shown in place of another. */
const LIMITS: Limits = {
  rates: {},
  requests: {
    slotsPerPage: 101,
    changesPerPage: 102,
    targetCharacters: 103,
    waitingPerKey: 104,
    waitingPerOrganization: 105,
  },
  organization: { activeKeys: 106, openInvitations: 107 },
  account: { ownedOrganizations: 108, organizations: 109, changesPerHour: 110 },
  slots: { all: 20_000_000, perSource: 5_000_000, uploadBytes: 2 ** 28 },
  retention: { usageDays: 111, logDays: 112, logEntries: 113 },
}

test('shows every limit of the installation once', () => {
  const shown = limitSections(LIMITS).flatMap(({ rows }) => rows.map(({ limit }) => limit))
  const expected = Array.from({ length: 10 }, (_, n) => String(101 + n))
  const others = [
    'Not limited',
    '20,000,000',
    '5,000,000',
    '268 MB',
    '111 days',
    '112 days',
    '113',
    'Not limited',
    'Not limited',
  ]
  assert.deepEqual(shown.toSorted(), [...expected, ...others].toSorted())
})

test('shows the retention of the audit log if there is one', () => {
  const retention = { ...LIMITS.retention, auditDays: 365, auditEntries: 1_000_000 }
  const shown = limitSections({ ...LIMITS, retention }).flatMap(({ rows }) => rows.map(({ limit }) => limit))
  assert.ok(shown.includes('365 days') && shown.includes('1,000,000'))
})

test('shows the rate limits that are set, and no others', () => {
  assert.deepEqual(rateRows(LIMITS), [])
  assert.deepEqual(rateRows({ ...LIMITS, rates: { keyRequests: 6000, organizationMs: 250 } }), [
    { what: 'Requests of an API key', limit: '6,000 a minute' },
    { what: 'Processing time of an organization', limit: '250 milliseconds a second' },
  ])
})
