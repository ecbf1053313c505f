import assert from 'node:assert/strict'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { BED_STARTS_MS, type Guarantees } from './bed.ts'
import { addPerson, deletePerson, found, join, logOf } from './people.ts'

/** What `MembershipStore` promises. */
export const MEMBERSHIP_GUARANTEES: Guarantees = {
  'makes the founder of an organization its owner, and nobody of one from the command line': async ({
    store,
  }) => {
    const { organization, owner } = await found(store)
    assert.deepEqual(await store.memberships.list(organization.id), [
      {
        userId: owner.userId,
        name: 'Acme-owner',
        email: owner.name,
        role: 'owner',
        joinedAtMs: BED_STARTS_MS,
      },
    ])
    const other = await store.organizations.create('Other', { name: 'command line' })
    assert.deepEqual(await store.memberships.list(other.id), [])
    assert.deepEqual(await logOf(store, other.id), [['organization.created', 'command line', undefined]])
  },

  'creates no organization for a founder who is not there': async ({ store }) => {
    await assert.rejects(store.organizations.create('Acme', { userId: 'nobody', name: 'nobody' }))
    assert.deepEqual(await store.organizations.list(), [])
  },

  'lists the owner first, then by name': async ({ store }) => {
    const acme = await found(store)
    for (const name of ['bob', 'Carol', 'Ann']) await join(store, acme, name)
    assert.deepEqual(await names(store, acme.organization.id), ['Acme-owner', 'Ann', 'bob', 'Carol'])
  },

  'lists the organizations of a person by name, with the role in each': async ({ store }) => {
    const zoo = await found(store, 'Zoo')
    const person = await join(store, zoo, 'Ann', 'admin')
    const acme = await store.organizations.create('acme', person)
    assert.deepEqual(await store.memberships.listOfUser(person.userId), [
      { organization: acme, role: 'owner' },
      { organization: zoo.organization, role: 'admin' },
    ])
    assert.deepEqual(await store.memberships.listOfUser('nobody'), [])
  },

  'finds a role only in the organization that gave it': async ({ store }) => {
    const acme = await found(store)
    const other = await found(store, 'Other')
    assert.equal(await store.memberships.find(acme.organization.id, acme.owner.userId), 'owner')
    assert.equal(await store.memberships.find(other.organization.id, acme.owner.userId), undefined)
    assert.equal(await store.memberships.find('nothing', acme.owner.userId), undefined)
  },

  'makes a member an admin and back, notes it, and never touches the owner': async ({ store }) => {
    const acme = await found(store)
    const ann = await join(store, acme, 'Ann')
    const of = { organizationId: acme.organization.id, userId: ann.userId }
    const before = (await logOf(store, of.organizationId)).length
    assert.equal(await store.memberships.setRole(of, 'admin', acme.owner), true)
    assert.equal(await store.memberships.setRole(of, 'admin', acme.owner), true)
    assert.equal(await store.memberships.find(of.organizationId, ann.userId), 'admin')
    const owner = { ...of, userId: acme.owner.userId }
    assert.equal(await store.memberships.setRole(owner, 'member', ann), false)
    assert.equal(await store.memberships.setRole({ ...of, userId: 'nobody' }, 'admin', ann), false)
    assert.deepEqual((await logOf(store, of.organizationId)).slice(before), [
      ['member.role-changed', acme.owner.name, ann.userId],
    ])
  },

  'changes nothing in an organization by the member of another': async ({ store }) => {
    const acme = await found(store)
    const other = await found(store, 'Other')
    const ann = await join(store, acme, 'Ann')
    const of = { organizationId: other.organization.id, userId: ann.userId }
    assert.equal(await store.memberships.setRole(of, 'admin', other.owner), false)
    assert.equal(await store.memberships.remove(of, other.owner), false)
    assert.equal(await store.memberships.transfer(of, other.owner), false)
    assert.equal(await store.memberships.find(acme.organization.id, ann.userId), 'member')
    assert.equal(await store.memberships.find(other.organization.id, other.owner.userId), 'owner')
  },

  'removes a member and lets one leave, tells which it was, and keeps the owner': async ({ store }) => {
    const acme = await found(store)
    const { organization, owner } = acme
    const [ann, bob] = [await join(store, acme, 'Ann'), await join(store, acme, 'Bob')]
    const of = (userId: string) => ({ organizationId: organization.id, userId })
    const before = (await logOf(store, organization.id)).length
    assert.equal(await store.memberships.remove(of(ann.userId), owner), true)
    assert.equal(await store.memberships.remove(of(bob.userId), bob), true)
    assert.equal(await store.memberships.remove(of(bob.userId), bob), false)
    assert.equal(await store.memberships.remove(of(owner.userId), owner), false)
    assert.deepEqual(await names(store, organization.id), ['Acme-owner'])
    assert.deepEqual((await logOf(store, organization.id)).slice(before), [
      ['member.removed', owner.name, ann.userId],
      ['member.left', bob.name, bob.userId],
    ])
  },

  'hands an organization over in one step, to a member alone': async ({ store }) => {
    const acme = await found(store)
    const { organization, owner } = acme
    const ann = await join(store, acme, 'Ann')
    const stranger = await addPerson(store, 'Stranger')
    const of = (userId: string) => ({ organizationId: organization.id, userId })
    assert.equal(await store.memberships.transfer(of(stranger.userId), owner), false)
    assert.equal(await store.memberships.transfer(of(owner.userId), owner), false)
    assert.equal(await store.memberships.transfer(of(ann.userId), owner), true)
    assert.equal(await store.memberships.find(organization.id, ann.userId), 'owner')
    assert.equal(await store.memberships.find(organization.id, owner.userId), 'admin')
    const [last] = await store.audit.list({ organizationId: organization.id, limit: 1 })
    assert.deepEqual(
      [last.kind, last.detail],
      ['organization.transferred', { from: owner.name, to: ann.name }],
    )
  },

  'has one owner also when two hand an organization over at once': async ({ store, open }) => {
    const acme = await found(store)
    const organizationId = acme.organization.id
    const people = [await join(store, acme, 'Ann'), await join(store, acme, 'Bob')]
    const stores = [store, await open()]
    await Promise.all(
      people.map(({ userId }, at) => stores[at].memberships.transfer({ organizationId, userId }, acme.owner)),
    )
    const roles = (await store.memberships.list(organizationId)).map(({ role }) => role)
    assert.deepEqual(roles, ['owner', 'admin', 'admin'])
  },

  'suffers neither two owners nor two memberships of one person, whoever writes them': async ({ store }) => {
    const acme = await found(store)
    const ann = await join(store, acme, 'Ann')
    const { queries } = store.signIn
    const row = {
      organization_id: acme.organization.id,
      user_id: ann.userId,
      role: 'member',
      joined_at_ms: 1,
    }
    await assert.rejects(queries.insertInto('memberships').values(row).execute())
    await assert.rejects(
      queries.updateTable('memberships').set({ role: 'owner' }).where('user_id', '=', ann.userId).execute(),
    )
    await assert.rejects(queries.updateTable('memberships').set({ role: 'king' }).execute())
    assert.equal(await store.memberships.find(acme.organization.id, ann.userId), 'member')
  },

  'forgets the memberships of a deleted account, and nobody else': async ({ store }) => {
    const acme = await found(store)
    const ann = await join(store, acme, 'Ann')
    await deletePerson(store, ann)
    assert.deepEqual(await names(store, acme.organization.id), ['Acme-owner'])
    assert.deepEqual(await store.memberships.listOfUser(ann.userId), [])
  },
}

async function names(store: Store, organizationId: string): Promise<string[]> {
  return (await store.memberships.list(organizationId)).map(({ name }) => name)
}
