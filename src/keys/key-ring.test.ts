import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey } from './key.ts'
import { KeyRing, LAST_USED_EVERY_MS, type LiveKey } from './key-ring.ts'
import { mintApiKey, mintKey } from './mint-key.ts'

const NOW = Date.UTC(2026, 0, 1)

function ringOf(expiresAtMs?: number): { ring: KeyRing; secret: string; key: ApiKey } {
  const owner = { organizationId: 'acme', name: 'web' }
  const minted = mintApiKey(expiresAtMs === undefined ? owner : { ...owner, expiresAtMs }, NOW)
  const ring = new KeyRing()
  ring.apply([minted.key])
  return { ring, ...minted }
}

function mustFind(ring: KeyRing, secret: string): LiveKey {
  const key = ring.find(secret, NOW)
  assert.ok(key)
  return key
}

test('find() knows a live key and its organization', () => {
  const { ring, secret, key } = ringOf()
  const found = mustFind(ring, secret)
  assert.deepEqual([found.id, found.organizationId], [key.id, 'acme'])
})

test('find() refuses what is malformed or was never applied', () => {
  const { ring, secret } = ringOf()
  for (const text of ['', secret.slice(1), `${secret} `, secret.toLowerCase(), mintKey()]) {
    assert.equal(ring.find(text, NOW), undefined)
  }
})

test('a key is refused from the moment of its expiry on', () => {
  const { ring, secret } = ringOf(NOW + 10)
  const found = mustFind(ring, secret)
  assert.ok(ring.find(secret, NOW + 9))
  assert.ok(found.isLive(NOW + 9))
  assert.equal(ring.find(secret, NOW + 10), undefined)
  assert.equal(found.isLive(NOW + 10), false)
})

test('revocation ends the key, also where it was remembered', () => {
  const { ring, secret, key } = ringOf()
  const remembered = mustFind(ring, secret)
  ring.apply([{ ...key, revokedAtMs: NOW }])
  assert.equal(ring.find(secret, NOW), undefined)
  assert.equal(remembered.isLive(NOW), false)
  assert.equal(ring.size, 0)
})

test('a key that was revoked before it was known is refused', () => {
  const { secret, key } = ringOf()
  const ring = new KeyRing()
  ring.apply([{ ...key, revokedAtMs: NOW }])
  assert.equal(ring.find(secret, NOW), undefined)
})

test('a key applied again is the same object, as it is now', () => {
  const { ring, secret, key } = ringOf()
  const remembered = mustFind(ring, secret)
  remembered.lastUsedAtMs = NOW
  ring.apply([{ ...key, expiresAtMs: NOW + 10 }])
  assert.equal(ring.find(secret, NOW), remembered)
  assert.equal(remembered.isLive(NOW + 10), false)
  assert.deepEqual([...ring.drainUsed(NOW)], [[key.id, NOW]])
})

test('drainUsed() returns only what was used since it was drained', () => {
  const { ring, secret, key } = ringOf()
  ring.apply([{ ...mintApiKey({ organizationId: 'acme', name: 'old' }, NOW).key, lastUsedAtMs: NOW - 5 }])
  assert.equal(ring.drainUsed(NOW).size, 0)
  mustFind(ring, secret).lastUsedAtMs = NOW + 1
  assert.deepEqual([...ring.drainUsed(NOW + 2)], [[key.id, NOW + 1]])
  assert.equal(ring.drainUsed(NOW + 2 + LAST_USED_EVERY_MS).size, 0)
})

test('drainUsed() returns a key at most once a minute, and never forgets its last use', () => {
  const { ring, secret, key } = ringOf()
  const found = mustFind(ring, secret)
  found.lastUsedAtMs = NOW
  ring.drainUsed(NOW)
  found.lastUsedAtMs = NOW + 1
  assert.equal(ring.drainUsed(NOW + LAST_USED_EVERY_MS - 1).size, 0)
  assert.deepEqual([...ring.drainUsed(NOW + LAST_USED_EVERY_MS)], [[key.id, NOW + 1]])
  found.lastUsedAtMs = NOW + 2
  assert.deepEqual([...ring.drainUsed(Number.POSITIVE_INFINITY)], [[key.id, NOW + 2]])
})

test('the last use before a revocation is drained, and then the key is forgotten', () => {
  const { ring, secret, key } = ringOf()
  mustFind(ring, secret).lastUsedAtMs = NOW + 1
  ring.apply([{ ...key, revokedAtMs: NOW + 2 }])
  assert.deepEqual([...ring.drainUsed(NOW + 3)], [[key.id, NOW + 1]])
  assert.equal(ring.drainUsed(Number.POSITIVE_INFINITY).size, 0)
})

test('a use that is given back is due again', () => {
  const { ring, secret, key } = ringOf()
  mustFind(ring, secret).lastUsedAtMs = NOW
  ring.giveBack(ring.drainUsed(NOW))
  assert.deepEqual([...ring.drainUsed(NOW + LAST_USED_EVERY_MS)], [[key.id, NOW]])
})
