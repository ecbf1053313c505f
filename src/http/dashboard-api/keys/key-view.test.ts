import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintApiKey } from '../../../keys/mint-key.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { isLive, viewKey } from './key-view.ts'

const NOW = Date.UTC(2026, 5, 1)
const { key: FRESH } = mintApiKey({ organizationId: 'acme', name: 'web' }, NOW)

test('a key is shown without its hash', () => {
  assert.ok(!JSON.stringify(viewKey(FRESH, NOW)).includes(FRESH.hash))
})

test('a key is active, expired from its expiry on, and revoked once and for all', () => {
  const expiring = { ...FRESH, expiresAtMs: NOW + 1 }
  assert.equal(viewKey(expiring, NOW).status, 'active')
  assert.equal(viewKey(expiring, NOW + 1).status, 'expired')
  assert.equal(viewKey({ ...expiring, revokedAtMs: NOW }, NOW + 1).status, 'revoked')
  assert.deepEqual([isLive(expiring, NOW), isLive(expiring, NOW + 1)], [true, false])
})

test('a key that is not used, or expires within two weeks, says so', () => {
  const hintsAfter = (days: number, more: object) => viewKey({ ...FRESH, ...more }, NOW + days * DAY_MS).hints
  assert.deepEqual(hintsAfter(7, {}), [])
  assert.deepEqual(hintsAfter(8, {}), ['unused'])
  assert.deepEqual(hintsAfter(30, { lastUsedAtMs: NOW }), [])
  assert.deepEqual(hintsAfter(31, { lastUsedAtMs: NOW }), ['idle'])
  assert.deepEqual(hintsAfter(31, { lastUsedAtMs: NOW + 30 * DAY_MS }), [])
  assert.deepEqual(hintsAfter(0, { expiresAtMs: NOW + 14 * DAY_MS }), [])
  assert.deepEqual(hintsAfter(1, { expiresAtMs: NOW + 14 * DAY_MS }), ['expires-soon'])
  assert.deepEqual(hintsAfter(0, { expiresAtMs: NOW + DAY_MS, replacedBy: 'key_next' }), [])
})

test('nothing is pointed out about a key that lives no more', () => {
  const old = { ...FRESH, expiresAtMs: NOW + DAY_MS }
  assert.deepEqual(viewKey(old, NOW + 40 * DAY_MS).hints, [])
  assert.deepEqual(viewKey({ ...FRESH, revokedAtMs: NOW }, NOW + 40 * DAY_MS).hints, [])
})
