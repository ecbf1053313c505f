import assert from 'node:assert/strict'
import { DAY_MS } from '../../../../src/lib/time.ts'
import type { Invitation } from '../../../../src/store/contracts/organizations.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, type Founded, found, logOf, type Person } from './people.ts'

/** `InvitationStore`. */
export const INVITATION_GUARANTEES: Guarantees = {
  'returns an invitation as created, by token and in the list, newest first': async ({ store, clock }) => {
    const acme = await found(store)
    const first = await invite(store, acme, 'one', { email: 'Ann@Example.org' })
    clock.nowMs += 1
    const second = await invite(store, acme, 'two', { role: 'admin' })
    assert.deepEqual(first, {
      id: first.id,
      organizationId: acme.organization.id,
      email: 'Ann@Example.org',
      role: 'member',
      createdBy: acme.owner.name,
      createdAtMs: HARNESS_STARTS_MS,
      expiresAtMs: HARNESS_STARTS_MS + DAY_MS,
    })
    assert.deepEqual(await store.invitations.list(acme.organization.id), [second, first])
    assert.deepEqual(await store.invitations.find('one'), {
      invitation: first,
      organization: acme.organization,
    })
    assert.equal(await store.invitations.find('three'), undefined)
  },

  'neither lists nor revokes invitations of another organization': async ({ store }) => {
    const acme = await found(store)
    const other = await found(store, 'Other')
    const { id } = await invite(store, acme, 'one')
    assert.deepEqual(await store.invitations.list(other.organization.id), [])
    const revoked = await store.invitations.revoke({ organizationId: other.organization.id, id }, other.owner)
    assert.equal(revoked, false)
    assert.equal((await store.invitations.find('one'))?.invitation.revokedAtMs, undefined)
  },

  'admits one person with its role, once': async ({ store, clock }) => {
    const acme = await found(store)
    const [ann, bob] = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    const { id } = await invite(store, acme, 'one', { role: 'admin' })
    clock.nowMs += 5
    assert.deepEqual(await accept(store, 'one', ann), {
      outcome: 'joined',
      organization: acme.organization,
      role: 'admin',
    })
    assert.equal(await store.memberships.find(acme.organization.id, ann.userId), 'admin')
    const [spent] = await store.invitations.list(acme.organization.id)
    assert.deepEqual([spent.acceptedAtMs, spent.acceptedBy], [HARNESS_STARTS_MS + 5, ann.name])
    assert.deepEqual(await accept(store, 'one', bob), { outcome: 'used' })
    assert.equal(await store.memberships.find(acme.organization.id, bob.userId), undefined)
    const [joined] = await store.audit.list({ organizationId: acme.organization.id, limit: 1 })
    assert.deepEqual([joined.kind, joined.subject, joined.detail.invitation], ['member.joined', ann.userId, id])
  },

  'admits one of two people who accept it concurrently': async ({ store, open }) => {
    const acme = await found(store)
    await invite(store, acme, 'one')
    const people = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    const stores = [store, await open()]
    const outcomes = await Promise.all(people.map((person, at) => accept(stores[at], 'one', person)))
    assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['joined', 'used'])
    assert.equal((await store.memberships.list(acme.organization.id)).length, 2)
  },

  'creates one membership when a person accepts two invitations concurrently, and uses up one': async ({
    store,
    open,
  }) => {
    const acme = await found(store)
    await invite(store, acme, 'one')
    await invite(store, acme, 'two')
    const ann = await addPerson(store, 'Ann')
    const stores = [store, await open()]
    const outcomes = await Promise.all(['one', 'two'].map((token, at) => accept(stores[at], token, ann)))
    assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['already-member', 'joined'])
    const open2 = (await store.invitations.list(acme.organization.id)).filter(
      ({ acceptedAtMs }) => acceptedAtMs === undefined,
    )
    assert.equal(open2.length, 1)
  },

  'is not used up by a member of the organization': async ({ store }) => {
    const acme = await found(store)
    await invite(store, acme, 'one')
    assert.deepEqual(await accept(store, 'one', acme.owner), {
      outcome: 'already-member',
      organization: acme.organization,
    })
    assert.equal((await accept(store, 'one', await addPerson(store, 'Ann'))).outcome, 'joined')
  },

  'can be accepted only with its email address, in any case': async ({ store }) => {
    const acme = await found(store)
    await invite(store, acme, 'one', { email: 'ANN@example.org' })
    assert.deepEqual(await accept(store, 'one', await addPerson(store, 'Bob')), {
      outcome: 'for-another-address',
    })
    assert.equal((await accept(store, 'one', await addPerson(store, 'Ann'))).outcome, 'joined')
  },

  'expires at its expiry time': async ({ store, clock }) => {
    const acme = await found(store)
    const { id } = await invite(store, acme, 'one')
    const ann = await addPerson(store, 'Ann')
    clock.nowMs += DAY_MS
    assert.deepEqual(await accept(store, 'one', ann), { outcome: 'expired' })
    const organizationId = acme.organization.id
    assert.equal(await store.invitations.revoke({ organizationId, id }, acme.owner), false)
    clock.nowMs -= 1
    assert.equal((await accept(store, 'one', ann)).outcome, 'joined')
  },

  'cannot be accepted after it is revoked, and is revoked once': async ({ store }) => {
    const acme = await found(store)
    const organizationId = acme.organization.id
    const { id } = await invite(store, acme, 'one')
    assert.equal(await store.invitations.revoke({ organizationId, id }, acme.owner), true)
    assert.equal(await store.invitations.revoke({ organizationId, id }, acme.owner), false)
    assert.deepEqual(await accept(store, 'one', await addPerson(store, 'Ann')), { outcome: 'revoked' })
    assert.deepEqual((await logOf(store, organizationId)).slice(1), [
      ['invitation.created', acme.owner.name, id],
      ['invitation.revoked', acme.owner.name, id],
    ])
  },

  'cannot be accepted after its organization is deleted': async ({ store }) => {
    const acme = await found(store)
    await invite(store, acme, 'one')
    const ann = await addPerson(store, 'Ann')
    await store.organizations.remove(acme.organization.id, acme.owner)
    assert.equal(await store.invitations.find('one'), undefined)
    assert.deepEqual(await accept(store, 'one', ann), { outcome: 'unknown' })
    assert.deepEqual(await accept(store, 'never was', ann), { outcome: 'unknown' })
    await assert.rejects(invite(store, acme, 'two'), /Cannot add to organization: it must exist/)
  },

  'stores nothing of an invitation that cannot be created': async ({ store }) => {
    const acme = await found(store)
    await invite(store, acme, 'one')
    await assert.rejects(invite(store, acme, 'one'))
    assert.equal((await store.invitations.list(acme.organization.id)).length, 1)
    assert.equal((await logOf(store, acme.organization.id)).length, 2)
  },
}

/** An invitation that is valid for a day. */
function invite(
  store: Store,
  { organization, owner }: Founded,
  tokenHash: string,
  part: { email?: string; role?: 'admin' | 'member' } = {},
): Promise<Invitation> {
  const expiresAtMs = HARNESS_STARTS_MS + DAY_MS
  return store.invitations.create(
    { organizationId: organization.id, role: 'member', tokenHash, expiresAtMs, ...part },
    owner,
  )
}

function accept(store: Store, token: string, person: Person): ReturnType<Store['invitations']['accept']> {
  return store.invitations.accept(token, { id: person.userId, email: person.name }, person)
}
