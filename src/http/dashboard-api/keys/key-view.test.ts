import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isActive } from '../../../keys/key.ts'
import { mintApiKey } from '../../../keys/mint-key.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { viewKey } from './keys.ts'

const NOW = Date.UTC(2026, 5, 1)
const { key: FRESH } = mintApiKey({ organizationId: 'acme', name: 'web' }, NOW)

test('leaves out the hash', () => {
  assert.ok(!JSON.stringify(viewKey(FRESH, NOW)).includes(FRESH.hash))
})

test('a key is active, expiring within two weeks of its expiry, then expired, or revoked', () => {
  const expiring = { ...FRESH, expiresAtMs: NOW + 1 }
  assert.equal(viewKey(FRESH, NOW).status, 'active')
  assert.equal(viewKey(expiring, NOW).status, 'expiring')
  assert.equal(viewKey(expiring, NOW + 1).status, 'expired')
  assert.equal(viewKey({ ...expiring, revokedAtMs: NOW }, NOW + 1).status, 'revoked')
  assert.deepEqual([isActive(expiring, NOW), isActive(expiring, NOW + 1)], [true, false])
})

test('hints at unused keys', () => {
  const hintsAfter = (days: number, more: object) => viewKey({ ...FRESH, ...more }, NOW + days * DAY_MS).hints
  assert.deepEqual(hintsAfter(7, {}), [])
  assert.deepEqual(hintsAfter(8, {}), ['unused'])
  assert.deepEqual(hintsAfter(30, { lastUsedAtMs: NOW }), [])
  assert.deepEqual(hintsAfter(31, { lastUsedAtMs: NOW }), ['idle'])
  assert.deepEqual(hintsAfter(31, { lastUsedAtMs: NOW + 30 * DAY_MS }), [])
  const statusAfter = (days: number) =>
    viewKey({ ...FRESH, expiresAtMs: NOW + 14 * DAY_MS }, NOW + days * DAY_MS).status
  assert.deepEqual([statusAfter(0), statusAfter(1)], ['active', 'expiring'])
  assert.deepEqual(hintsAfter(0, { expiresAtMs: NOW + DAY_MS, replacedBy: 'key_next' }), [])
})

test('gives no hints about a key that is no longer active', () => {
  const old = { ...FRESH, expiresAtMs: NOW + DAY_MS }
  assert.deepEqual(viewKey(old, NOW + 40 * DAY_MS).hints, [])
  assert.deepEqual(viewKey({ ...FRESH, revokedAtMs: NOW }, NOW + 40 * DAY_MS).hints, [])
})
