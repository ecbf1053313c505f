import assert from 'node:assert/strict'
import { LimitReached, type Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS, type StoreHarness } from './harness.ts'
import { addPerson, found } from './people.ts'
import { keyOf } from './samples.ts'

/** Limits hold under concurrent requests on any node. */
export const LIMIT_GUARANTEES: Guarantees = {
  'stores one of several concurrent keys when one more is allowed': async (harness) => {
    const { organization, owner } = await found(harness.store)
    const organizationId = organization.id
    await harness.store.keys.put(keyOf({ id: 'first', organizationId }))
    await harness.store.keys.put(keyOf({ id: 'revoked', organizationId, revokedAtMs: 1 }))
    await harness.store.keys.put(keyOf({ id: 'expired', organizationId, expiresAtMs: HARNESS_STARTS_MS }))
    await expectOne(harness, (store, id) => store.keys.put(keyOf({ id, organizationId }), owner, 2))
    assert.equal((await harness.store.keys.list(organizationId)).length, 4)
    const created = await harness.store.audit.list({ organizationId, kind: 'key.created', limit: 10 })
    assert.equal(created.length, 1)
  },

  'rotates one of several keys concurrently when one more is allowed': async (harness) => {
    const { organization, owner } = await found(harness.store)
    const organizationId = organization.id
    for (const at of [0, 1, 2, 3]) await harness.store.keys.put(keyOf({ id: `old-${at}`, organizationId }))
    const old = (at: number) => ({ id: `old-${at}`, organizationId, untilMs: HARNESS_STARTS_MS + 1000 })
    await expectOne(harness, (store, id, at) => store.keys.rotate(old(at), keyOf({ id, organizationId }), owner, 5))
    assert.equal((await harness.store.keys.list(organizationId)).length, 5)
    const atOnce = { ...old(0), untilMs: HARNESS_STARTS_MS }
    const next = keyOf({ id: 'in-place', organizationId })
    assert.ok(
      await harness.store.keys.rotate(atOnce, next, owner, 1),
      'a key replaced immediately does not count toward the limit',
    )
  },

  'stores one of several concurrent invitations when one more is allowed': async (harness) => {
    const { organization, owner } = await found(harness.store)
    const invite = (store: Store, tokenHash: string) => {
      const expiresAtMs = tokenHash === 'expired' ? HARNESS_STARTS_MS : HARNESS_STARTS_MS + 1000
      const invitation = { organizationId: organization.id, role: 'member', tokenHash, expiresAtMs } as const
      return store.invitations.create({ ...invitation, openMax: 2 }, owner)
    }
    const { id } = await invite(harness.store, 'revoked')
    await harness.store.invitations.revoke({ organizationId: organization.id, id }, owner)
    await invite(harness.store, 'expired')
    await invite(harness.store, 'first')
    await expectOne(harness, invite)
    assert.equal((await harness.store.invitations.list(organization.id)).length, 4)
  },

  'creates one of several concurrent organizations when the person may create one more': async (harness) => {
    const ann = await addPerson(harness.store, 'Ann')
    await harness.store.organizations.create('First', ann, 2)
    await expectOne(harness, (store, id) => store.organizations.create(id, ann, 2))
    assert.equal((await harness.store.memberships.listOfUser(ann.userId)).length, 2)
  },
}

/** Attempts an insert four times at once on two stores: exactly one succeeds, and the others throw `LimitReached`. */
async function expectOne(
  harness: StoreHarness,
  insert: (store: Store, id: string, at: number) => Promise<unknown>,
): Promise<void> {
  const stores = [harness.store, await harness.open()]
  const outcomes = await Promise.allSettled([0, 1, 2, 3].map((at) => insert(stores[at % 2], `attempt-${at}`, at)))
  const errors = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
  assert.equal(errors.length, 3)
  for (const error of errors) assert.ok(error instanceof LimitReached, String(error))
}
