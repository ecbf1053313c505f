import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../lib/time.ts'
import { type ApiKey, isActive, keyState } from './key.ts'

const NOW = Date.UTC(2026, 0, 1)
const KEY: ApiKey = {
  id: 'key_1',
  organizationId: 'org',
  name: 'web',
  hash: '0'.repeat(64),
  lastFour: 'abcd',
  createdAtMs: NOW,
}

test('is active without an expiry, and expiring in the last 14 days', () => {
  assert.equal(keyState(KEY, NOW), 'active')
  assert.equal(keyState({ ...KEY, expiresAtMs: NOW + 14 * DAY_MS }, NOW), 'active')
  assert.equal(keyState({ ...KEY, expiresAtMs: NOW + 14 * DAY_MS - 1 }, NOW), 'expiring')
})

test('expires at its expiry; revocation takes precedence', () => {
  assert.equal(keyState({ ...KEY, expiresAtMs: NOW + 1 }, NOW), 'expiring')
  assert.equal(keyState({ ...KEY, expiresAtMs: NOW }, NOW), 'expired')
  assert.equal(keyState({ ...KEY, expiresAtMs: NOW, revokedAtMs: NOW }, NOW), 'revoked')
})

test('accepts requests only with active and expiring keys', () => {
  const states = {
    active: KEY,
    expiring: { ...KEY, expiresAtMs: NOW + 1 },
    expired: { ...KEY, expiresAtMs: NOW },
  }
  assert.deepEqual(
    Object.values(states).map((key) => isActive(key, NOW)),
    [true, true, false],
  )
  assert.equal(isActive({ ...KEY, revokedAtMs: NOW + 1 }, NOW), false)
})
