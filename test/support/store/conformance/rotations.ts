import assert from 'node:assert/strict'
import type { ApiKey } from '../../../../src/keys/key.ts'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { type Founded, found, logOf } from './people.ts'
import { keyOf, unrevised } from './samples.ts'

/** `KeyStore`: keys that people create, rotate and revoke. */
export const ROTATION_GUARANTEES: Guarantees = {
  'stores the creator of a key and logs the creation': async ({ store }) => {
    const { organization, owner } = await found(store)
    const key = keyOf({ id: 'k1', organizationId: organization.id })
    await store.keys.put(key, owner)
    assert.deepEqual(unrevised(await store.keys.find('k1')), { ...key, createdBy: owner.name })
    const [entry] = await store.audit.list({ organizationId: organization.id, limit: 1 })
    assert.deepEqual([entry.kind, entry.subject, entry.actor], ['key.created', 'k1', owner])
    assert.deepEqual(entry.detail, { name: 'web', lastFour: 'abcd' })
  },

  'keeps a rotated key active until the given time, and links both keys': async ({ store }) => {
    const acme = await withKey(store)
    const { revision } = await store.keys.changedSince(0)
    const rotated = await rotate(store, acme, HARNESS_STARTS_MS + HOUR_MS)
    const old = { ...acme.key, expiresAtMs: HARNESS_STARTS_MS + HOUR_MS, replacedBy: 'k2' }
    const key = { ...next(acme), createdBy: acme.owner.name }
    assert.deepEqual([unrevised(rotated?.key), unrevised(rotated?.old)], [key, old])
    assert.deepEqual(unrevised(await store.keys.find('k1')), old)
    assert.deepEqual(unrevised(await store.keys.find('k2')), key)
    const changed = await store.keys.changedSince(revision)
    assert.deepEqual(changed.keys.map(({ id }) => id).sort(), ['k1', 'k2'])
    assert.deepEqual((await logOf(store, acme.organization.id)).slice(1), [
      ['key.rotated', acme.owner.name, 'k1'],
      ['key.created', acme.owner.name, 'k2'],
    ])
  },

  'revokes a rotated key immediately without a grace period': async ({ store }) => {
    const acme = await withKey(store)
    const rotated = await rotate(store, acme, HARNESS_STARTS_MS)
    assert.equal(rotated?.old.revokedAtMs, HARNESS_STARTS_MS)
    assert.equal(rotated?.old.expiresAtMs, undefined)
    assert.equal((await store.keys.find('k2'))?.revokedAtMs, undefined)
  },

  'never extends the expiry of a rotated key': async ({ store }) => {
    const acme = await withKey(store, { expiresAtMs: HARNESS_STARTS_MS + 5 })
    const rotated = await rotate(store, acme, HARNESS_STARTS_MS + HOUR_MS)
    assert.equal(rotated?.old.expiresAtMs, HARNESS_STARTS_MS + 5)
    const [, logged] = await store.audit.list({ organizationId: acme.organization.id, limit: 2 })
    assert.deepEqual([logged.kind, logged.detail.untilMs], ['key.rotated', HARNESS_STARTS_MS + 5])
  },

  'rotates no key that is revoked, expired or of another organization, and stores nothing': async ({
    store,
    clock,
  }) => {
    const acme = await withKey(store, { expiresAtMs: HARNESS_STARTS_MS + 5 })
    const other = await found(store, 'Other')
    assert.equal(await rotate(store, { ...acme, ...other }, 0), undefined)
    clock.nowMs += 5
    assert.equal(await rotate(store, acme, 0), undefined)
    clock.nowMs -= 1
    await store.keys.revoke('k1', { atMs: clock.nowMs })
    assert.equal(await rotate(store, acme, 0), undefined)
    assert.equal((await store.keys.list()).length, 1)
    assert.equal((await logOf(store, acme.organization.id)).length, 1)
  },

  'rotates a key once, however many nodes try at the same time': async ({ store, open }) => {
    const acme = await withKey(store)
    const organizationId = acme.organization.id
    const stores = [store, await open()]
    const old = { id: 'k1', organizationId, untilMs: HARNESS_STARTS_MS + HOUR_MS }
    const rotated = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((at) =>
        stores[at % 2].keys.rotate(old, keyOf({ id: `next-${at}`, organizationId }), acme.owner),
      ),
    )
    const [only, ...others] = rotated.filter((each) => each !== undefined)
    assert.deepEqual(others, [])
    assert.deepEqual((await store.keys.list(organizationId)).map(({ id }) => id).sort(), ['k1', only.key.id])
    assert.equal((await store.keys.find('k1'))?.replacedBy, only.key.id)
  },

  'does not change a key if its successor cannot be stored': async ({ store }) => {
    const acme = await withKey(store)
    const taken = { ...next(acme), hash: acme.key.hash }
    await assert.rejects(
      store.keys.rotate({ id: 'k1', organizationId: acme.organization.id, untilMs: 0 }, taken, acme.owner),
    )
    assert.deepEqual(unrevised(await store.keys.find('k1')), acme.key)
  },

  'revokes only a key of the given organization, and logs the reason': async ({ store }) => {
    const acme = await withKey(store)
    const other = await found(store, 'Other')
    const revoke = ({ organization, owner }: Founded) =>
      store.keys.revoke('k1', {
        reason: 'leaked',
        atMs: HARNESS_STARTS_MS,
        organizationId: organization.id,
        by: owner,
      })
    assert.equal(await revoke(other), undefined)
    assert.equal((await store.keys.find('k1'))?.revokedAtMs, undefined)
    assert.equal((await revoke(acme))?.revokedReason, 'leaked')
    await revoke(acme)
    const entries = await store.audit.list({ organizationId: acme.organization.id, limit: 10 })
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['key.revoked', 'organization.created'],
    )
    assert.deepEqual(entries[0].detail, { name: 'web', lastFour: 'abcd', reason: 'leaked' })
  },
}

type WithKey = Founded & { readonly key: ApiKey }

/** An organization with the key k1. */
async function withKey(store: Store, part: Partial<ApiKey> = {}): Promise<WithKey> {
  const founded = await found(store)
  const key = keyOf({ id: 'k1', organizationId: founded.organization.id, ...part })
  await store.keys.put(key)
  return { ...founded, key }
}

function next({ organization }: Founded): ApiKey {
  return keyOf({ id: 'k2', organizationId: organization.id })
}

function rotate(store: Store, acme: Founded, untilMs: number): ReturnType<Store['keys']['rotate']> {
  const old = { id: 'k1', organizationId: acme.organization.id, untilMs }
  return store.keys.rotate(old, next(acme), acme.owner)
}
