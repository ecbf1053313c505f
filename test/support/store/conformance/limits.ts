import assert from 'node:assert/strict'
import {
  AlreadyMember,
  LimitReached,
  RateLimitReached,
  RoleRequired,
  type Store,
} from '../../../../src/store/contracts/store.ts'
import { SUBSCRIPTION_EDITS_MAX } from '../../../../src/store/contracts/subscriptions.ts'
import { type Guarantees, HARNESS_STARTS_MS, type StoreHarness } from './harness.ts'
import { addPerson, found, join } from './people.ts'
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
    const left = (await harness.store.keys.list(organizationId)).find(({ replacedBy }) => replacedBy === undefined)
    const atOnce = { ...old(0), id: left?.id ?? '', untilMs: HARNESS_STARTS_MS }
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

  'stores exactly as many as allowed of a burst on two nodes': async (harness) => {
    const { organization, owner } = await found(harness.store)
    const organizationId = organization.id
    const expiresAtMs = HARNESS_STARTS_MS + 1000
    const limited: [max: number, insert: (store: Store, id: string) => Promise<unknown>][] = [
      [30, (store, id) => store.keys.put(keyOf({ id, organizationId }), owner, 30)],
      [
        30,
        (store, tokenHash) => {
          const invitation = { organizationId, role: 'member', tokenHash, expiresAtMs } as const
          return store.invitations.create({ ...invitation, openMax: 30 }, owner)
        },
      ],
      // Acme is the first.
      [19, (store, id) => store.organizations.create(id, owner, 20)],
    ]
    const stores = [harness.store, await harness.open()]
    for (const [max, insert] of limited) {
      for (let at = 0; at < max - 5; at++) await insert(stores[at % 2], `before-${at}`)
      const burst = Array.from({ length: 20 }, (_, at) => insert(stores[at % 2], `burst-${at}`))
      const outcomes = await Promise.allSettled(burst)
      const errors = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
      for (const error of errors) assert.ok(error instanceof LimitReached, String(error))
      assert.equal(burst.length - errors.length, 5)
    }
  },

  'makes a change only while the role of its actor has the permission': async (harness) => {
    const acme = await found(harness.store)
    const { organization, owner } = acme
    const organizationId = organization.id
    const [admin, member] = [await join(harness.store, acme, 'Ann', 'admin'), await join(harness.store, acme, 'Bob')]
    const { keys, invitations, memberships, organizations } = await harness.open()
    await keys.put(keyOf({ id: 'k1', organizationId }))
    const terms = { organizationId, role: 'admin', expiresAtMs: HARNESS_STARTS_MS + 1000 } as const
    const { id } = await invitations.create({ ...terms, tokenHash: 'open' }, owner)
    const of = (userId: string) => ({ organizationId, userId })
    const asAdmin = [
      () => invitations.create({ ...terms, tokenHash: 'another' }, admin),
      () => invitations.revoke({ organizationId, id }, admin),
      () => memberships.setRole(of(member.userId), 'admin', admin),
      () => memberships.remove(of(member.userId), admin),
      () => organizations.rename(organizationId, 'Other', admin),
    ]
    const asMember = [
      () => keys.put(keyOf({ id: 'k2', organizationId }), admin),
      () => keys.rotate({ id: 'k1', organizationId, untilMs: 0 }, keyOf({ id: 'k2', organizationId }), admin),
      () => keys.edit({ id: 'k1', organizationId }, { name: 'Other' }, admin),
      () => keys.revoke('k1', { atMs: 1, organizationId, by: admin }),
    ]
    const asOwner = [
      () => memberships.transfer(of(member.userId), admin, 20),
      () => organizations.remove(organizationId, admin),
    ]
    for (const change of asOwner) await assert.rejects(change, RoleRequired)
    await harness.store.memberships.setRole(of(admin.userId), 'member', owner)
    for (const change of [...asAdmin, ...asOwner]) await assert.rejects(change, RoleRequired)
    await harness.store.memberships.remove(of(admin.userId), owner)
    const before = await harness.store.audit.list({ organizationId, limit: 1 })
    for (const change of [...asAdmin, ...asMember, ...asOwner]) await assert.rejects(change, RoleRequired)
    assert.deepEqual(await harness.store.audit.list({ organizationId, limit: 1 }), before)
  },

  'limits edits and new secrets of the subscriptions of an organization in a minute': async ({ store, clock }) => {
    const { organization, owner } = await found(store)
    const filtered = { filters: { state: 'MA' }, query: 'state=MA', events: ['slots.opened'] } as const
    const draft = { ...filtered, url: 'https://app.example/hook', minIntervalMs: 60_000, secret: 'first' }
    const created = await store.subscriptions.create({ ...draft, organizationId: organization.id }, owner, 10)
    const describe = (n: number) => store.subscriptions.edit(created, { description: `${n}` }, owner)
    for (let n = 1; n < SUBSCRIPTION_EDITS_MAX; n++) await describe(n)
    await store.subscriptions.rotateSecret(created, 'second', owner)
    await assert.rejects(describe(0), RateLimitReached)
    await assert.rejects(store.subscriptions.rotateSecret(created, 'third', owner), RateLimitReached)
    // Equal values change nothing.
    await describe(SUBSCRIPTION_EDITS_MAX - 1)
    clock.nowMs += 60_001
    await describe(0)
  },

  'stores no invitation for a member': async ({ store }) => {
    const acme = await found(store)
    const { name: email } = await join(store, acme, 'Ann')
    const terms = { organizationId: acme.organization.id, role: 'member', expiresAtMs: HARNESS_STARTS_MS + 1 } as const
    const invite = (tokenHash: string, to: string) =>
      store.invitations.create({ ...terms, tokenHash, email: to }, acme.owner)
    await assert.rejects(invite('first', email), AlreadyMember)
    await invite('second', 'new@example.org')
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
