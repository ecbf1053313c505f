import assert from 'node:assert/strict'
import { LimitReached, RoleRequired, type Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, deletePerson, found, join, logOf } from './people.ts'

/** `MembershipStore`. */
export const MEMBERSHIP_GUARANTEES: Guarantees = {
  'makes the founder the owner of an organization; one created on the command line has no owner': async ({ store }) => {
    const { organization, owner } = await found(store)
    assert.deepEqual(await store.memberships.list(organization.id), [
      {
        userId: owner.userId,
        name: 'Acme-owner',
        email: owner.name,
        role: 'owner',
        joinedAtMs: HARNESS_STARTS_MS,
      },
    ])
    const other = await store.organizations.create('Other', { name: 'command line' })
    assert.deepEqual(await store.memberships.list(other.id), [])
    assert.deepEqual(await logOf(store, other.id), [['organization.created', 'command line', undefined]])
  },

  'creates no organization for a founder who does not exist': async ({ store }) => {
    await assert.rejects(store.organizations.create('Acme', { userId: 'nobody', name: 'nobody' }))
    assert.deepEqual(await store.organizations.list(), [])
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

  'makes a member an admin and back, logs it, and never changes the owner': async ({ store }) => {
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

  'changes nothing in an organization for a member of another one': async ({ store }) => {
    const acme = await found(store)
    const other = await found(store, 'Other')
    const ann = await join(store, acme, 'Ann')
    const of = { organizationId: other.organization.id, userId: ann.userId }
    assert.equal(await store.memberships.setRole(of, 'admin', other.owner), false)
    assert.equal(await store.memberships.remove(of, other.owner), false)
    assert.equal(await store.memberships.transfer(of, other.owner, 20), false)
    assert.equal(await store.memberships.find(acme.organization.id, ann.userId), 'member')
    assert.equal(await store.memberships.find(other.organization.id, other.owner.userId), 'owner')
  },

  'removes a member, lets a member leave, logs which it was, and keeps the owner': async ({ store }) => {
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

  'transfers an organization atomically, and only to a member': async ({ store }) => {
    const acme = await found(store)
    const { organization, owner } = acme
    const ann = await join(store, acme, 'Ann')
    const stranger = await addPerson(store, 'Stranger')
    const of = (userId: string) => ({ organizationId: organization.id, userId })
    assert.equal(await store.memberships.transfer(of(stranger.userId), owner, 20), false)
    assert.equal(await store.memberships.transfer(of(owner.userId), owner, 20), false)
    await assert.rejects(store.memberships.transfer(of(ann.userId), owner, 0), LimitReached)
    assert.equal(await store.memberships.transfer(of(ann.userId), owner, 20), true)
    assert.equal(await store.memberships.find(organization.id, ann.userId), 'owner')
    assert.equal(await store.memberships.find(organization.id, owner.userId), 'admin')
    const [last] = await store.audit.list({ organizationId: organization.id, limit: 1 })
    assert.deepEqual([last.kind, last.detail], ['organization.transferred', { from: owner.name, to: ann.name }])
  },

  'transfers an organization for an operator, also while it is suspended, and records that in both logs': async ({
    store,
  }) => {
    const acme = await found(store)
    const ann = await join(store, acme, 'Ann')
    const operator = await addPerson(store, 'Olga')
    const of = { organizationId: acme.organization.id, userId: ann.userId }
    await store.organizations.suspend(of.organizationId, 'the owner is gone', operator)
    await assert.rejects(store.memberships.transfer(of, operator, 20), RoleRequired)
    assert.equal(await store.memberships.transfer(of, operator, 'as operator'), true)
    assert.equal(await store.memberships.find(of.organizationId, ann.userId), 'owner')
    const detail = { from: acme.owner.name, to: ann.name, organization: acme.organization.name }
    for (const organizationId of [of.organizationId, null]) {
      const [last] = await store.audit.list({ organizationId, limit: 1 })
      assert.deepEqual(
        [last.kind, last.actor.name, last.subject, last.detail],
        ['organization.transferred', operator.name, organizationId === null ? of.organizationId : ann.userId, detail],
      )
    }
  },

  'makes one of two concurrent transfers, and the former owner cannot take the organization back': async ({
    store,
    open,
  }) => {
    const acme = await found(store)
    const organizationId = acme.organization.id
    const people = [await join(store, acme, 'Ann'), await join(store, acme, 'Bob')]
    const stores = [store, await open()]
    const outcomes = await Promise.allSettled(
      people.map(({ userId }, at) => stores[at].memberships.transfer({ organizationId, userId }, acme.owner, 20)),
    )
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const owner = people[outcomes.findIndex(({ status }) => status === 'fulfilled')]
    await assert.rejects(
      store.memberships.transfer({ organizationId, userId: acme.owner.userId }, acme.owner, 20),
      RoleRequired,
    )
    const members = (await store.memberships.list(organizationId)).map(({ userId, role }) => [userId, role])
    assert.deepEqual(members[0], [owner.userId, 'owner'])
    assert.deepEqual(
      members.slice(1).map(([, role]) => role),
      ['admin', 'member'],
    )
  },

  'rejects a second owner and a second membership of one person, also in SQL': async ({ store }) => {
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

  'deletes the memberships of a deleted account, and no others': async ({ store }) => {
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
