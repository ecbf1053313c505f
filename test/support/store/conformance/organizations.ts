import assert from 'node:assert/strict'
import { NameTaken, RoleRequired } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { found, join } from './people.ts'
import { keyOf, unrevised } from './samples.ts'

/** `OrganizationStore`. */
export const ORGANIZATION_GUARANTEES: Guarantees = {
  'creates an organization that another store sees immediately': async ({ store, open }) => {
    const created = await store.organizations.create('Acme Health')
    const other = await open()
    assert.deepEqual(await other.organizations.list(), [created])
    assert.equal(created.name, 'Acme Health')
    assert.equal(created.createdAtMs, HARNESS_STARTS_MS)
  },

  'rejects a name in use, ignoring case and Unicode composition': async ({ store }) => {
    await store.organizations.create('Café Ångström')
    for (const name of ['Café Ångström', 'CAFÉ ÅNGSTRÖM', 'cafe\u0301 a\u030angstro\u0308m']) {
      await assert.rejects(store.organizations.create(name), NameTaken)
    }
    assert.equal((await store.organizations.list()).length, 1)
  },

  'gives a name to one of two concurrent requests': async ({ store, open }) => {
    const other = await open()
    const outcomes = await Promise.allSettled([store, other].map((each) => each.organizations.create('Acme')))
    assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected'])
  },

  'finds an organization by id or by name in any case; an id takes precedence': async ({ store }) => {
    const acme = await store.organizations.create('Acme')
    const mimic = await store.organizations.create(acme.id)
    assert.deepEqual(await store.organizations.find('aCME'), acme)
    assert.deepEqual(await store.organizations.find(acme.id), acme)
    assert.deepEqual(await store.organizations.find(mimic.id), mimic)
    assert.equal(await store.organizations.find('Acm'), undefined)
  },

  'an owner requires a second factor of all members, and nobody else does': async ({ store }) => {
    const { organization, owner } = await found(store)
    const admin = await join(store, { organization, owner }, 'Ann', 'admin')
    const by = { userId: admin.userId, name: admin.name }
    await assert.rejects(store.organizations.setSecondFactor(organization.id, true, by), RoleRequired)
    const required = { ...organization, requiresSecondFactor: true }
    assert.deepEqual(await store.organizations.setSecondFactor(organization.id, true, owner), required)
    assert.deepEqual(await store.organizations.find(organization.id), required)
    const [membership] = await store.memberships.listOfUser(admin.userId)
    assert.deepEqual(membership.organization, required)
    assert.deepEqual(await store.organizations.setSecondFactor(organization.id, false, owner), organization)
    assert.equal(await store.organizations.setSecondFactor('nothing', true, owner), undefined)
  },

  'renames an organization, also to another case of its name, but not to a name in use': async ({ store }) => {
    const { organization, owner } = await found(store)
    await store.organizations.create('Other')
    assert.deepEqual(await store.organizations.rename(organization.id, 'ACME', owner), {
      ...organization,
      name: 'ACME',
    })
    await assert.rejects(store.organizations.rename(organization.id, 'oTHER', owner), NameTaken)
    assert.equal(await store.organizations.rename('nothing', 'New', owner), undefined)
    await store.organizations.rename(organization.id, 'New', owner)
    assert.equal((await store.organizations.find('new'))?.id, organization.id)
    assert.equal((await store.organizations.create('Acme')).name, 'Acme')
    const entries = await store.audit.list({ organizationId: organization.id, limit: 10 })
    assert.deepEqual(entries[0].detail, { from: 'ACME', to: 'New' })
  },

  'hides a deleted organization and frees its name': async ({ store, open }) => {
    const acme = await found(store)
    const { organization, owner } = acme
    await join(store, acme, 'Ann')
    assert.deepEqual(await store.organizations.remove(organization.id, owner), [])
    const other = await open()
    assert.deepEqual(await other.organizations.list(), [])
    assert.equal(await other.organizations.find(organization.id), undefined)
    assert.equal(await other.organizations.find('Acme'), undefined)
    assert.deepEqual(await store.memberships.list(organization.id), [])
    assert.deepEqual(await store.memberships.listOfUser(owner.userId), [])
    assert.equal(await store.organizations.rename(organization.id, 'New', owner), undefined)
    assert.equal(await store.organizations.remove(organization.id, owner), undefined)
    assert.notEqual((await store.organizations.create('Acme', owner)).id, organization.id)
  },

  'revokes the keys of a deleted organization, accepts no new ones, and changes no others': async ({ store }) => {
    const { organization, owner } = await found(store)
    const other = await store.organizations.create('Other')
    const key = keyOf({ id: 'k1', organizationId: organization.id })
    const revoked = keyOf({ id: 'k2', organizationId: organization.id, revokedAtMs: 1, createdAtMs: 1 })
    for (const each of [key, revoked, keyOf({ id: 'k3', organizationId: other.id })]) await store.keys.put(each)
    const { revision } = await store.keys.changedSince(0)
    const keys = await store.organizations.remove(organization.id, owner)
    assert.deepEqual(keys?.map(unrevised), [
      { ...key, revokedAtMs: HARNESS_STARTS_MS, revokedReason: 'organization deleted' },
    ])
    const changed = await store.keys.changedSince(revision)
    assert.deepEqual(
      changed.keys.map(({ id }) => id),
      ['k1'],
    )
    assert.equal((await store.revisionFeed.revisions()).keys, changed.revision)
    assert.ok(changed.revision > revision)
    await assert.rejects(store.keys.put(keyOf({ id: 'k4', organizationId: organization.id })), /must exist/)
    assert.equal((await store.keys.find('k3'))?.revokedAtMs, undefined)
  },
}
