import assert from 'node:assert/strict'
import { type Guarantees, HARNESS_STARTS_MS, type StoreHarness } from './harness.ts'
import { keyOf, unrevised } from './samples.ts'

/** `KeyStore`. */
export const KEY_GUARANTEES: Guarantees = {
  'returns a key as stored, with and without optional fields': async (harness) => {
    const organizationId = await organization(harness)
    const bare = keyOf({ id: 'k1', organizationId })
    const full = keyOf({
      id: 'k2',
      organizationId,
      note: 'Nightly report',
      networks: ['10.0.0.0/8', '2001:db8::/32'],
      expiresAtMs: 5,
      revokedAtMs: 6,
      revokedReason: 'lost',
      lastUsedAtMs: 7,
    })
    await harness.store.keys.put(bare)
    await harness.store.keys.put(full)
    assert.deepEqual(unrevised(await harness.store.keys.find('k1')), bare)
    assert.deepEqual(unrevised(await harness.store.keys.find('k2')), full)
    assert.equal(await harness.store.keys.find('k3'), undefined)
  },

  'lists keys newest first, of all organizations or one': async (harness) => {
    const first = await organization(harness, 'first')
    const second = await organization(harness, 'second')
    await harness.store.keys.put(keyOf({ id: 'old', organizationId: first, createdAtMs: 1 }))
    await harness.store.keys.put(keyOf({ id: 'new', organizationId: second, createdAtMs: 3 }))
    await harness.store.keys.put(keyOf({ id: 'mid', organizationId: first, createdAtMs: 2 }))
    const ids = async (id?: string) => (await harness.store.keys.list(id)).map((key) => key.id)
    assert.deepEqual(await ids(), ['new', 'mid', 'old'])
    assert.deepEqual(await ids(first), ['mid', 'old'])
    assert.deepEqual(await ids('nobody'), [])
  },

  'rejects a key of a missing organization and a duplicate hash': async (harness) => {
    const organizationId = await organization(harness)
    await harness.store.keys.put(keyOf({ id: 'k1', organizationId, hash: 'same' }))
    await assert.rejects(harness.store.keys.put(keyOf({ id: 'k2', organizationId, hash: 'same' })))
    await assert.rejects(harness.store.keys.put(keyOf({ id: 'k3', organizationId: 'nobody' })))
    const { keys, revision } = await harness.store.keys.changedSince(0)
    assert.deepEqual([keys.length, revision], [1, 1])
  },

  'revokes an active key once and keeps its row': async (harness) => {
    const key = keyOf({ id: 'k1', organizationId: await organization(harness) })
    await harness.store.keys.put(key)
    const revoked = { ...key, revokedAtMs: 10, revokedReason: 'lost' }
    assert.deepEqual(unrevised(await harness.store.keys.revoke('k1', { reason: 'lost', atMs: 10 })), revoked)
    const { revision } = await harness.store.keys.changedSince(0)
    assert.deepEqual(unrevised(await harness.store.keys.revoke('k1', { reason: 'again', atMs: 20 })), revoked)
    assert.equal((await harness.store.keys.changedSince(0)).revision, revision)
    assert.equal(await harness.store.keys.revoke('none', { atMs: 10 }), undefined)
  },

  'revokes without a reason': async (harness) => {
    const key = keyOf({ id: 'k1', organizationId: await organization(harness) })
    await harness.store.keys.put(key)
    assert.deepEqual(unrevised(await harness.store.keys.revoke('k1', { atMs: 10 })), { ...key, revokedAtMs: 10 })
  },

  'lists keys created or revoked after a revision, including revoked ones': async (harness) => {
    const { keys } = await harness.open() // Another store: what one writes, the next one follows.
    const organizationId = await organization(harness)
    assert.deepEqual(await keys.changedSince(0), { keys: [], revision: 0 })
    await harness.store.keys.put(keyOf({ id: 'k1', organizationId }))
    await harness.store.keys.put(keyOf({ id: 'k2', organizationId }))
    const both = await keys.changedSince(0)
    assert.deepEqual(
      both.keys.map((key) => key.id),
      ['k1', 'k2'],
    )
    await harness.store.keys.revoke('k1', { atMs: 10 })
    const after = await keys.changedSince(both.revision)
    assert.deepEqual(
      after.keys.map((key) => [key.id, key.revokedAtMs]),
      [['k1', 10]],
    )
    assert.deepEqual(await keys.changedSince(after.revision), { keys: [], revision: after.revision })
    assert.equal((await keys.changedSince(0)).keys.length, 2)
    assert.equal((await harness.store.revisionFeed.revisions()).keys, after.revision)
  },

  'moves the time of last use only forward, without a new revision': async (harness) => {
    const organizationId = await organization(harness)
    await harness.store.keys.put(keyOf({ id: 'k1', organizationId }))
    await harness.store.keys.put(keyOf({ id: 'k2', organizationId }))
    const before = await harness.store.revisionFeed.revisions()
    await putLastUsed(
      harness,
      new Map([
        ['k1', HARNESS_STARTS_MS],
        ['k2', 5],
        ['gone', 5],
      ]),
    )
    await putLastUsed(
      harness,
      new Map([
        ['k1', HARNESS_STARTS_MS - 1],
        ['k2', 6],
      ]),
    )
    await putLastUsed(harness, new Map())
    assert.equal((await harness.store.keys.find('k1'))?.lastUsedAtMs, HARNESS_STARTS_MS)
    assert.equal((await harness.store.keys.find('k2'))?.lastUsedAtMs, 6)
    assert.deepEqual(await harness.store.revisionFeed.revisions(), before)
  },
}

function putLastUsed(harness: StoreHarness, lastUsed: ReadonlyMap<string, number>): Promise<void> {
  return harness.store.usage.add({ requests: [], latencies: [], logged: [], addresses: [], referrals: [], lastUsed })
}

async function organization(harness: StoreHarness, name = 'Acme'): Promise<string> {
  return (await harness.store.organizations.create(name)).id
}
