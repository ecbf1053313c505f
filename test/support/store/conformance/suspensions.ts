import assert from 'node:assert/strict'
import { KeyRing } from '../../../../src/keys/key-ring.ts'
import { mintApiKey } from '../../../../src/keys/mint-key.ts'
import { RoleRequired, type Store, Suspended } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, found, join, logOf, type Person } from './people.ts'

const OPERATOR = { name: 'ops@example.org', userId: 'user-ops' }
const SUSPENSION = { atMs: HARNESS_STARTS_MS, by: OPERATOR.name, reason: 'Too many requests' }

/** Suspension of organizations. */
export const SUSPENSION_GUARANTEES: Guarantees = {
  'suspends and resumes an organization, whose keys say so in every store': async ({ store, open }) => {
    const { organization, owner } = await found(store)
    const other = await found(store, 'Other')
    const [secret, otherSecret] = [await addKey(store, organization.id), await addKey(store, other.organization.id)]
    const ring = new KeyRing()
    const isSuspended = () => [secret, otherSecret].map((each) => ring.find(each, HARNESS_STARTS_MS)?.isSuspended)
    const reader = await open()
    let { keys, revision } = await reader.keys.changedSince(0)
    ring.replace(keys)
    assert.deepEqual(isSuspended(), [false, false])
    const changed = await store.organizations.suspend(organization.id, SUSPENSION.reason, OPERATOR)
    assert.equal(changed?.length, 1)
    assert.equal(await store.organizations.suspend(organization.id, 'again', OPERATOR), undefined)
    const suspended = { ...organization, suspension: SUSPENSION }
    assert.deepEqual(await reader.organizations.find(organization.id), suspended)
    assert.deepEqual((await reader.memberships.listOfUser(owner.userId))[0].organization, suspended)
    const stale = await reader.keys.changedSince(revision)
    ring.apply(stale.keys)
    assert.deepEqual([stale.keys.length, isSuspended()], [1, [true, false]])
    assert.equal((await store.organizations.resume(organization.id, OPERATOR))?.length, 1)
    assert.equal(await store.organizations.resume(organization.id, OPERATOR), undefined)
    ;({ keys, revision } = await reader.keys.changedSince(stale.revision))
    ring.apply(keys)
    assert.deepEqual(isSuspended(), [false, false])
    ring.apply(stale.keys)
    assert.deepEqual(isSuspended(), [false, false])
    assert.deepEqual(await reader.organizations.find(organization.id), organization)
  },

  'a key that is created while its organization is suspended is suspended, too': async ({ store }) => {
    const { organization } = await found(store)
    await store.organizations.suspend(organization.id, SUSPENSION.reason, OPERATOR)
    const secret = await addKey(store, organization.id)
    const ring = new KeyRing()
    ring.replace((await store.keys.changedSince(0)).keys)
    assert.equal(ring.find(secret, HARNESS_STARTS_MS)?.isSuspended, true)
  },

  'members of a suspended organization can only read, revoke keys and leave': async ({ store }) => {
    const { organization, owner } = await found(store)
    const { id } = organization
    const member = await join(store, { organization, owner }, 'Ann')
    const keyId = await addKeyAs(store, id, owner)
    const expiresAtMs = Number.MAX_SAFE_INTEGER
    const invitation = { organizationId: id, role: 'member' as const, tokenHash: 'open', expiresAtMs }
    const { id: invitationId } = await store.invitations.create(invitation, owner)
    await store.organizations.suspend(id, SUSPENSION.reason, OPERATOR)
    const of = { organizationId: id, userId: member.userId }
    for (const change of [
      () => addKeyAs(store, id, owner),
      () => store.keys.rotate({ id: keyId, organizationId: id, untilMs: 0 }, newKey(id).key, owner),
      () => store.organizations.rename(id, 'New', owner),
      () => store.organizations.setSecondFactor(id, true, owner),
      () => store.organizations.remove(id, owner),
      () => store.memberships.setRole(of, 'admin', owner),
      () => store.memberships.remove(of, owner),
      () => store.memberships.transfer(of, owner, 20),
      () => store.invitations.create({ ...invitation, tokenHash: 'new' }, owner),
      () => store.invitations.revoke({ organizationId: id, id: invitationId }, owner),
    ]) {
      await assert.rejects(change(), Suspended, String(change))
    }
    const bob = await addPerson(store, 'Bob')
    const accept = () => store.invitations.accept('open', { id: bob.userId, email: bob.name }, bob)
    assert.equal((await accept()).outcome, 'suspended')
    const revocation = { atMs: HARNESS_STARTS_MS, organizationId: id, by: member }
    assert.equal((await store.keys.revoke(keyId, revocation))?.revokedAtMs, HARNESS_STARTS_MS)
    assert.equal(await store.memberships.remove(of, member), true)
    await store.organizations.resume(id, OPERATOR)
    assert.equal((await accept()).outcome, 'joined')
  },

  'both logs say who suspended, resumed and deleted an organization': async ({ store }) => {
    const { organization, owner } = await found(store)
    const { id } = organization
    await assert.rejects(store.organizations.remove(id, OPERATOR), RoleRequired)
    await store.organizations.suspend(id, SUSPENSION.reason, OPERATOR)
    await store.organizations.resume(id, OPERATOR)
    assert.deepEqual((await store.organizations.remove(id, OPERATOR, 'as operator'))?.length, 0)
    const events = ['suspended', 'resumed', 'deleted'].map((each) => [`organization.${each}`, OPERATOR.name, id])
    assert.deepEqual(await logOf(store, id), [['organization.created', owner.name, undefined], ...events])
    const service = await store.audit.list({ organizationId: null, limit: 10 })
    assert.deepEqual(service.map(({ kind, actor, subject }) => [kind, actor.name, subject]).reverse(), events)
    assert.deepEqual(service.at(-1)?.detail, { name: organization.name, reason: SUSPENSION.reason })
    assert.equal(await store.organizations.suspend(id, 'gone', OPERATOR), undefined)
  },
}

function newKey(organizationId: string) {
  return mintApiKey({ organizationId, name: 'web' }, HARNESS_STARTS_MS)
}

async function addKey(store: Store, organizationId: string): Promise<string> {
  const { key, secret } = newKey(organizationId)
  await store.keys.put(key)
  return secret
}

async function addKeyAs(store: Store, organizationId: string, by: Person): Promise<string> {
  const { key } = newKey(organizationId)
  await store.keys.put(key, by)
  return key.id
}
