import assert from 'node:assert/strict'
import { LimitReached, type Store } from '../../../../src/store/contracts/store.ts'
import { BED_STARTS_MS, type Bed, type Guarantees } from './bed.ts'
import { addPerson, found } from './people.ts'
import { keyOf } from './samples.ts'

/** What the store promises about limits: they hold however many requests arrive at once, on any node. */
export const LIMIT_GUARANTEES: Guarantees = {
  'stores one of several keys that arrive at once for the last place': async (bed) => {
    const { organization, owner } = await found(bed.store)
    const organizationId = organization.id
    await bed.store.keys.put(keyOf({ id: 'first', organizationId }))
    await bed.store.keys.put(keyOf({ id: 'revoked', organizationId, revokedAtMs: 1 }))
    await bed.store.keys.put(keyOf({ id: 'expired', organizationId, expiresAtMs: BED_STARTS_MS }))
    await expectOne(bed, (store, id) => store.keys.put(keyOf({ id, organizationId }), owner, 2))
    assert.equal((await bed.store.keys.list(organizationId)).length, 4)
    const created = await bed.store.audit.list({ organizationId, kind: 'key.created', limit: 10 })
    assert.equal(created.length, 1)
  },

  'rotates one of several keys at once where only one old key may be kept beside its successor': async (
    bed,
  ) => {
    const { organization, owner } = await found(bed.store)
    const organizationId = organization.id
    for (const at of [0, 1, 2, 3]) await bed.store.keys.put(keyOf({ id: `old-${at}`, organizationId }))
    const old = (at: number) => ({ id: `old-${at}`, organizationId, untilMs: BED_STARTS_MS + 1000 })
    await expectOne(bed, (store, id, at) =>
      store.keys.rotate(old(at), keyOf({ id, organizationId }), owner, 5),
    )
    assert.equal((await bed.store.keys.list(organizationId)).length, 5)
    const atOnce = { ...old(0), untilMs: BED_STARTS_MS }
    const next = keyOf({ id: 'in-place', organizationId })
    assert.ok(
      await bed.store.keys.rotate(atOnce, next, owner, 1),
      'a key that is replaced at once needs no place',
    )
  },

  'stores one of several invitations that arrive at once for the last place': async (bed) => {
    const { organization, owner } = await found(bed.store)
    const invite = (store: Store, tokenHash: string) => {
      const expiresAtMs = tokenHash === 'expired' ? BED_STARTS_MS : BED_STARTS_MS + 1000
      const invitation = { organizationId: organization.id, role: 'member', tokenHash, expiresAtMs } as const
      return store.invitations.create({ ...invitation, openMax: 2 }, owner)
    }
    const { id } = await invite(bed.store, 'revoked')
    await bed.store.invitations.revoke({ organizationId: organization.id, id }, owner)
    await invite(bed.store, 'expired')
    await invite(bed.store, 'first')
    await expectOne(bed, invite)
    assert.equal((await bed.store.invitations.list(organization.id)).length, 4)
  },

  'creates one of several organizations that one person wants at once as the last': async (bed) => {
    const ann = await addPerson(bed.store, 'Ann')
    await bed.store.organizations.create('First', ann, 2)
    await expectOne(bed, (store, id) => store.organizations.create(id, ann, 2))
    assert.equal((await bed.store.memberships.listOfUser(ann.userId)).length, 2)
  },
}

/** Attempts an insert four times at once on two stores: exactly one succeeds, and the others throw `LimitReached`. */
async function expectOne(
  bed: Bed,
  insert: (store: Store, id: string, at: number) => Promise<unknown>,
): Promise<void> {
  const stores = [bed.store, await bed.open()]
  const outcomes = await Promise.allSettled(
    [0, 1, 2, 3].map((at) => insert(stores[at % 2], `attempt-${at}`, at)),
  )
  const errors = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
  assert.equal(errors.length, 3)
  for (const error of errors) assert.ok(error instanceof LimitReached, String(error))
}
