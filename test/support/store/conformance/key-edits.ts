import assert from 'node:assert/strict'
import type { ApiKey } from '../../../../src/keys/key.ts'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import { type KeyFilter, keyPosition } from '../../../../src/store/contracts/keys.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS, type StoreHarness } from './harness.ts'
import { type Founded, found, logOf } from './people.ts'
import { keyOf, unrevised } from './samples.ts'

const NETWORKS = ['10.0.0.0/8', '2001:db8::/32']
const ENDS_MS = HARNESS_STARTS_MS + HOUR_MS

/** `KeyStore`: edits of keys, and lists of keys that are searched and sorted. */
export const KEY_EDIT_GUARANTEES: Guarantees = {
  'changes what is given, keeps the rest, and logs old and new values': async ({ store }) => {
    const acme = await withKey(store)
    const { revision } = await store.keys.changedSince(0)
    const edit = (changes: Parameters<Store['keys']['edit']>[1]) => store.keys.edit(acme.k1, changes, acme.owner)
    const named = await edit({ name: 'app', note: 'Nightly report' })
    assert.deepEqual(unrevised(named), { ...acme.key, name: 'app', note: 'Nightly report' })
    const limited = await edit({ networks: NETWORKS, expiresAtMs: ENDS_MS })
    assert.deepEqual(unrevised(limited), {
      ...acme.key,
      name: 'app',
      note: 'Nightly report',
      networks: NETWORKS,
      expiresAtMs: ENDS_MS,
    })
    assert.deepEqual(await store.keys.find('k1'), limited)
    assert.deepEqual((await store.keys.changedSince(revision)).keys, [limited])
    const freed = await edit({ note: null, networks: null, expiresAtMs: null })
    assert.deepEqual(unrevised(freed), { ...acme.key, name: 'app' })
    assert.deepEqual(await detailsOf(store, acme), [
      { name: 'web', lastFour: 'abcd', newName: 'app', oldNote: null, newNote: 'Nightly report' },
      {
        name: 'app',
        lastFour: 'abcd',
        oldExpiresAtMs: null,
        newExpiresAtMs: ENDS_MS,
        oldNetworks: null,
        newNetworks: '10.0.0.0/8, 2001:db8::/32',
      },
      {
        name: 'app',
        lastFour: 'abcd',
        oldNote: 'Nightly report',
        newNote: null,
        oldExpiresAtMs: ENDS_MS,
        newExpiresAtMs: null,
        oldNetworks: '10.0.0.0/8, 2001:db8::/32',
        newNetworks: null,
      },
    ])
  },

  'neither logs nor follows an edit that changes nothing': async ({ store }) => {
    const acme = await withKey(store, { networks: NETWORKS })
    const { revision } = await store.keys.changedSince(0)
    const same = { name: 'web', note: null, expiresAtMs: null, networks: [...NETWORKS] }
    assert.deepEqual(unrevised(await store.keys.edit(acme.k1, same, acme.owner)), acme.key)
    assert.deepEqual(unrevised(await store.keys.edit(acme.k1, {}, acme.owner)), acme.key)
    assert.equal((await store.keys.changedSince(0)).revision, revision)
    assert.equal((await logOf(store, acme.organization.id)).length, 1)
  },

  'edits no key that is revoked, expired or of another organization': async ({ store, clock }) => {
    const acme = await withKey(store, { expiresAtMs: HARNESS_STARTS_MS + 5 })
    const other = await found(store, 'Other')
    const edit = ({ organization, owner }: Founded) =>
      store.keys.edit({ id: 'k1', organizationId: organization.id }, { expiresAtMs: ENDS_MS }, owner)
    assert.equal(await edit(other), undefined)
    clock.nowMs += 5
    assert.equal(await edit(acme), undefined)
    clock.nowMs -= 1
    await store.keys.revoke('k1', { atMs: clock.nowMs })
    assert.equal(await edit(acme), undefined)
    assert.equal((await store.keys.find('k1'))?.expiresAtMs, HARNESS_STARTS_MS + 5)
  },

  'a rotation passes on the name, note and networks that the old key has at that moment': async ({ store, open }) => {
    const acme = await withKey(store)
    const another = await open()
    for (let round = 0; round < 10; round++) {
      const old = keyOf({ id: `old-${round}`, organizationId: acme.k1.organizationId })
      await store.keys.put(old)
      const next = keyOf({ id: `next-${round}`, organizationId: old.organizationId })
      const at = { id: old.id, organizationId: old.organizationId }
      await Promise.all([
        another.keys.edit(at, { name: 'app', note: 'edited', networks: NETWORKS }, acme.owner),
        store.keys.rotate({ ...at, untilMs: ENDS_MS }, next, acme.owner),
      ])
      const [first] = (await logOf(store, old.organizationId)).filter(([, , subject]) => subject === old.id)
      const stored = await store.keys.find(next.id)
      const expected = first[0] === 'key.edited' ? ['app', 'edited', NETWORKS] : ['web', undefined, undefined]
      assert.deepEqual([stored?.name, stored?.note, stored?.networks], expected)
    }
  },

  'loses neither of two edits, nor a revocation to an edit': async ({ store, open }) => {
    const acme = await withKey(store)
    const another = await open()
    await Promise.all([
      store.keys.edit(acme.k1, { name: 'app' }, acme.owner),
      another.keys.edit(acme.k1, { networks: NETWORKS }, acme.owner),
    ])
    const both = await store.keys.find('k1')
    assert.deepEqual([both?.name, both?.networks], ['app', NETWORKS])
    const [edited] = await Promise.all([
      store.keys.edit(acme.k1, { expiresAtMs: ENDS_MS }, acme.owner),
      another.keys.revoke('k1', { atMs: HARNESS_STARTS_MS, organizationId: acme.organization.id, by: acme.owner }),
    ])
    const key = await store.keys.find('k1')
    assert.equal(key?.revokedAtMs, HARNESS_STARTS_MS)
    assert.equal(key.expiresAtMs, edited?.expiresAtMs)
    assert.equal(await store.keys.edit(acme.k1, { name: 'late' }, acme.owner), undefined)
  },

  'each change gives a key a greater revision': async ({ store }) => {
    const acme = await withKey(store)
    const revisions = [
      (await store.keys.find('k1'))?.revision,
      (await store.keys.edit(acme.k1, { name: 'app' }, acme.owner))?.revision,
      (await store.keys.revoke('k1', { atMs: HARNESS_STARTS_MS }))?.revision,
    ]
    assert.deepEqual(
      revisions,
      revisions.toSorted((a = 0, b = 0) => a - b),
    )
    assert.equal(new Set(revisions).size, 3)
  },

  'finds keys by a part of their name, note, id or last characters': async (harness) => {
    const organizationId = await listed(harness)
    const search = async (text: string) => idsOf(harness.store, organizationId, { search: text })
    assert.deepEqual(await search('WEB'), ['k1'])
    assert.deepEqual(await search('nightly'), ['k2'])
    assert.deepEqual(await search('9Qx2'), ['k3'])
    assert.deepEqual(await search('Übung'), ['k3'])
    assert.deepEqual(await search('k2'), ['k2'])
    assert.deepEqual(await search('%'), ['k2'])
    assert.deepEqual(await search('_'), [])
    assert.deepEqual(await search(''), ['k1', 'k3', 'k2', 'k4'])
    assert.deepEqual(await idsOf(harness.store, organizationId, { search: 'k', isActive: true }), ['k1', 'k3', 'k2'])
  },

  'sorts keys by their last use, in pages': async (harness) => {
    const organizationId = await listed(harness)
    assert.deepEqual(await idsOf(harness.store, organizationId, { sort: 'used', isActive: true }), ['k2', 'k1', 'k3'])
    assert.deepEqual(await idsOf(harness.store, organizationId, { sort: 'unused', isActive: true }), ['k3', 'k1', 'k2'])
    assert.deepEqual(await idsOf(harness.store, organizationId, { sort: 'used' }), ['k4', 'k2', 'k1', 'k3'])
  },
}

/** k4 is revoked; k3 was never used. */
async function listed({ store }: StoreHarness): Promise<string> {
  const organizationId = (await store.organizations.create('Acme')).id
  const part = { organizationId, createdAtMs: HARNESS_STARTS_MS - 10 }
  await store.keys.put(keyOf({ ...part, id: 'k1', name: 'Web server', lastUsedAtMs: 5 }))
  await store.keys.put(
    keyOf({ ...part, id: 'k2', name: 'report', note: '100 % Nightly', lastUsedAtMs: 7, createdAtMs: 1 }),
  )
  await store.keys.put(keyOf({ ...part, id: 'k3', name: 'Übung', lastFour: '9Qx2', createdAtMs: 2 }))
  await store.keys.put(keyOf({ ...part, id: 'k4', revokedAtMs: 9, lastUsedAtMs: 8, name: 'old' }))
  return organizationId
}

/** Read in pages of one row. */
async function idsOf(store: Store, organizationId: string, filter: KeyFilter): Promise<string[]> {
  const ids: string[] = []
  let after: ReturnType<typeof keyPosition> | undefined
  for (;;) {
    const page = { limit: 1, ...(after !== undefined && { after }) }
    const [key]: ApiKey[] = await store.keys.list(organizationId, page, filter)
    if (key === undefined) return ids
    ids.push(key.id)
    after = keyPosition(key, filter.sort)
  }
}

async function detailsOf(store: Store, { organization }: Founded): Promise<object[]> {
  const entries = await store.audit.list({ organizationId: organization.id, kind: 'key.edited', limit: 10 })
  for (const { subject } of entries) assert.equal(subject, 'k1')
  return entries.map(({ detail }) => detail).reverse()
}

type WithKey = Founded & { readonly key: ApiKey; readonly k1: { readonly id: string; readonly organizationId: string } }

/** An organization with the key k1. */
async function withKey(store: Store, part: Partial<ApiKey> = {}): Promise<WithKey> {
  const founded = await found(store)
  const organizationId = founded.organization.id
  const key = keyOf({ id: 'k1', organizationId, ...part })
  await store.keys.put(key)
  return { ...founded, key, k1: { id: 'k1', organizationId } }
}
