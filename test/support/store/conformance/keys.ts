import assert from 'node:assert/strict'
import { BED_STARTS_MS, type Bed, type Guarantees } from './bed.ts'
import { keyOf } from './samples.ts'

/** What `KeyStore` promises. */
export const KEY_GUARANTEES: Guarantees = {
  'returns a key as it was put, with and without what is optional': async (bed) => {
    const organizationId = await organization(bed)
    const bare = keyOf({ id: 'k1', organizationId })
    const full = keyOf({
      id: 'k2',
      organizationId,
      expiresAtMs: 5,
      revokedAtMs: 6,
      revokedReason: 'lost',
      lastUsedAtMs: 7,
    })
    await bed.store.keys.put(bare)
    await bed.store.keys.put(full)
    assert.deepEqual(await bed.store.keys.find('k1'), bare)
    assert.deepEqual(await bed.store.keys.find('k2'), full)
    assert.equal(await bed.store.keys.find('k3'), undefined)
  },

  'lists keys newest first, of all organizations or of one': async (bed) => {
    const first = await organization(bed, 'first')
    const second = await organization(bed, 'second')
    await bed.store.keys.put(keyOf({ id: 'old', organizationId: first, createdAtMs: 1 }))
    await bed.store.keys.put(keyOf({ id: 'new', organizationId: second, createdAtMs: 3 }))
    await bed.store.keys.put(keyOf({ id: 'mid', organizationId: first, createdAtMs: 2 }))
    const ids = async (id?: string) => (await bed.store.keys.list(id)).map((key) => key.id)
    assert.deepEqual(await ids(), ['new', 'mid', 'old'])
    assert.deepEqual(await ids(first), ['mid', 'old'])
    assert.deepEqual(await ids('nobody'), [])
  },

  'refuses a key of an organization that does not exist, and a hash that is in use': async (bed) => {
    const organizationId = await organization(bed)
    await bed.store.keys.put(keyOf({ id: 'k1', organizationId, hash: 'same' }))
    await assert.rejects(bed.store.keys.put(keyOf({ id: 'k2', organizationId, hash: 'same' })))
    await assert.rejects(bed.store.keys.put(keyOf({ id: 'k3', organizationId: 'nobody' })))
    const { keys, revision } = await bed.store.keys.changedSince(0)
    assert.deepEqual([keys.length, revision], [1, 1])
  },

  'revokes a live key once, and keeps its row': async (bed) => {
    const key = keyOf({ id: 'k1', organizationId: await organization(bed) })
    await bed.store.keys.put(key)
    const revoked = { ...key, revokedAtMs: 10, revokedReason: 'lost' }
    assert.deepEqual(await bed.store.keys.revoke('k1', { reason: 'lost', atMs: 10 }), revoked)
    const { revision } = await bed.store.keys.changedSince(0)
    assert.deepEqual(await bed.store.keys.revoke('k1', { reason: 'again', atMs: 20 }), revoked)
    assert.equal((await bed.store.keys.changedSince(0)).revision, revision)
    assert.equal(await bed.store.keys.revoke('none', { atMs: 10 }), undefined)
  },

  'revokes without a reason': async (bed) => {
    const key = keyOf({ id: 'k1', organizationId: await organization(bed) })
    await bed.store.keys.put(key)
    assert.deepEqual(await bed.store.keys.revoke('k1', { atMs: 10 }), { ...key, revokedAtMs: 10 })
  },

  'tells what was created or revoked after a revision, the revoked too': async (bed) => {
    const { keys } = await bed.open() // Another store: what one writes, the next one follows.
    const organizationId = await organization(bed)
    assert.deepEqual(await keys.changedSince(0), { keys: [], revision: 0 })
    await bed.store.keys.put(keyOf({ id: 'k1', organizationId }))
    await bed.store.keys.put(keyOf({ id: 'k2', organizationId }))
    const both = await keys.changedSince(0)
    assert.deepEqual(
      both.keys.map((key) => key.id),
      ['k1', 'k2'],
    )
    await bed.store.keys.revoke('k1', { atMs: 10 })
    const after = await keys.changedSince(both.revision)
    assert.deepEqual(
      after.keys.map((key) => [key.id, key.revokedAtMs]),
      [['k1', 10]],
    )
    assert.deepEqual(await keys.changedSince(after.revision), { keys: [], revision: after.revision })
    assert.equal((await keys.changedSince(0)).keys.length, 2)
    assert.equal((await bed.store.revisionFeed.revisions()).keys, after.revision)
  },

  'moves the time of last use forwards only, and counts it as no change': async (bed) => {
    const organizationId = await organization(bed)
    await bed.store.keys.put(keyOf({ id: 'k1', organizationId }))
    await bed.store.keys.put(keyOf({ id: 'k2', organizationId }))
    const before = await bed.store.revisionFeed.revisions()
    await putLastUsed(
      bed,
      new Map([
        ['k1', BED_STARTS_MS],
        ['k2', 5],
        ['gone', 5],
      ]),
    )
    await putLastUsed(
      bed,
      new Map([
        ['k1', BED_STARTS_MS - 1],
        ['k2', 6],
      ]),
    )
    await putLastUsed(bed, new Map())
    assert.equal((await bed.store.keys.find('k1'))?.lastUsedAtMs, BED_STARTS_MS)
    assert.equal((await bed.store.keys.find('k2'))?.lastUsedAtMs, 6)
    assert.deepEqual(await bed.store.revisionFeed.revisions(), before)
  },
}

function putLastUsed(bed: Bed, lastUsed: ReadonlyMap<string, number>): Promise<void> {
  return bed.store.usage.add({ requests: [], latencies: [], recent: [], lastUsed })
}

async function organization(bed: Bed, name = 'Acme'): Promise<string> {
  return (await bed.store.organizations.create(name)).id
}
