import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey } from './key.ts'
import { type ActiveKey, KeyRing } from './key-ring.ts'
import { mintApiKey, mintKey } from './mint-key.ts'

const NOW = Date.UTC(2026, 0, 1)

function ringOf(expiresAtMs?: number): { ring: KeyRing; secret: string; key: ApiKey } {
  const owner = { organizationId: 'acme', name: 'web' }
  const minted = mintApiKey(expiresAtMs === undefined ? owner : { ...owner, expiresAtMs }, NOW)
  const ring = new KeyRing()
  ring.apply([minted.key])
  return { ring, ...minted }
}

function mustFind(ring: KeyRing, secret: string): ActiveKey {
  const key = ring.find(secret, NOW)
  assert.ok(key)
  return key
}

test('find() returns an active key with its organization', () => {
  const { ring, secret, key } = ringOf()
  const found = mustFind(ring, secret)
  assert.deepEqual([found.id, found.organizationId], [key.id, 'acme'])
})

test('find() rejects malformed and unknown keys', () => {
  const { ring, secret } = ringOf()
  for (const text of ['', secret.slice(1), `${secret} `, secret.toLowerCase(), mintKey()]) {
    assert.equal(ring.find(text, NOW), undefined)
  }
})

test('rejects a key from the instant of its expiry', () => {
  const { ring, secret } = ringOf(NOW + 10)
  const found = mustFind(ring, secret)
  assert.ok(ring.find(secret, NOW + 9))
  assert.ok(found.isActive(NOW + 9))
  assert.equal(ring.find(secret, NOW + 10), undefined)
  assert.equal(found.isActive(NOW + 10), false)
})

test('rejects a revoked key, even if it was cached', () => {
  const { ring, secret, key } = ringOf()
  const remembered = mustFind(ring, secret)
  ring.apply([{ ...key, revokedAtMs: NOW }])
  assert.equal(ring.find(secret, NOW), undefined)
  assert.equal(remembered.isActive(NOW), false)
  assert.equal(ring.size, 0)
})

test('rejects a key whose revocation arrived before the key', () => {
  const { secret, key } = ringOf()
  const ring = new KeyRing()
  ring.apply([{ ...key, revokedAtMs: NOW }])
  assert.equal(ring.find(secret, NOW), undefined)
})

test('an outdated update does not undo a revocation', () => {
  const { ring, secret, key } = ringOf()
  ring.apply([{ ...key, revokedAtMs: NOW }])
  ring.apply([key])
  assert.equal(ring.find(secret, NOW), undefined)
})

test('suspends a kept key with its organization, and ignores an outdated state', () => {
  const { ring, secret, key } = ringOf()
  const remembered = mustFind(ring, secret)
  const stateOf = (revision: number, suspended: boolean) => ({ ...key, organizationState: { revision, suspended } })
  ring.apply([stateOf(2, true)])
  assert.deepEqual([remembered.isSuspended, ring.find(secret, NOW) === remembered], [true, true])
  ring.apply([key])
  ring.apply([stateOf(1, false)])
  assert.equal(remembered.isSuspended, true)
  ring.apply([stateOf(3, false)])
  assert.equal(remembered.isSuspended, false)
  ring.apply([stateOf(2, true)])
  assert.equal(remembered.isSuspended, false)
  // After a failover, the store may have lost the newest revisions.
  ring.replace([stateOf(2, true)])
  assert.equal(remembered.isSuspended, true)
})

test('updates the same object when a key is applied again', () => {
  const { ring, secret, key } = ringOf()
  const remembered = mustFind(ring, secret)
  ring.apply([{ ...key, expiresAtMs: NOW + 10 }])
  assert.equal(ring.find(secret, NOW), remembered)
  assert.equal(remembered.isActive(NOW + 10), false)
})

test('an outdated update does not undo a later edit', () => {
  const { ring, secret, key } = ringOf()
  const networks = ['10.0.0.0/8']
  ring.apply([{ ...key, revision: 3, networks }])
  for (const revision of [2, undefined]) ring.apply([{ ...key, ...(revision !== undefined && { revision }) }])
  assert.ok(mustFind(ring, secret).networks?.has('10.0.0.1'))
  ring.apply([{ ...key, revision: 4 }])
  assert.equal(mustFind(ring, secret).networks, undefined)
})

test('the whole state replaces later edits, which a promoted standby may have lost', () => {
  const { ring, secret, key } = ringOf()
  ring.apply([{ ...key, revision: 3, networks: ['10.0.0.0/8'] }])
  const remembered = mustFind(ring, secret)
  ring.replace([{ ...key, revision: 2 }])
  assert.equal(ring.find(secret, NOW), remembered)
  assert.equal(remembered.networks, undefined)
  ring.apply([{ ...key, revision: 3, expiresAtMs: NOW }])
  assert.equal(remembered.isActive(NOW), false)
})

test('the whole state rejects keys that it does not have, even if they were cached, and keeps revocations', () => {
  const { ring, secret, key } = ringOf()
  const remembered = mustFind(ring, secret)
  const other = mintApiKey({ organizationId: 'acme', name: 'other' }, NOW)
  ring.apply([{ ...other.key, revokedAtMs: NOW }])
  ring.replace([other.key])
  assert.deepEqual([ring.find(secret, NOW), remembered.isActive(NOW)], [undefined, false])
  assert.equal(ring.find(other.secret, NOW), undefined)
  assert.equal(ring.size, 0)
  ring.replace([key])
  assert.ok(ring.find(secret, NOW))
})
