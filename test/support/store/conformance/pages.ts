import assert from 'node:assert/strict'
import { DAY_MS } from '../../../../src/lib/time.ts'
import { keyPosition } from '../../../../src/store/contracts/keys.ts'
import { invitationPosition, memberPosition } from '../../../../src/store/contracts/organizations.ts'
import type { ListPosition, PageRequest } from '../../../../src/store/contracts/page.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, found, join } from './people.ts'
import { keyOf } from './samples.ts'

/** Lists in pages, and the retention of what has ended. */
export const PAGE_GUARANTEES: Guarantees = {
  'pages through keys, active ones first, then by when they ended': async ({ store }) => {
    const { organization } = await found(store)
    const organizationId = organization.id
    const at = HARNESS_STARTS_MS
    const keys = [
      { id: 'new', createdAtMs: at - 1 },
      { id: 'old-b', createdAtMs: at - 2 },
      { id: 'old-a', createdAtMs: at - 2 },
      { id: 'expiring', expiresAtMs: at + 1 },
      { id: 'expired', expiresAtMs: at },
      { id: 'revoked', revokedAtMs: at - 5, expiresAtMs: at + 9 },
      { id: 'revoked-before', revokedAtMs: at - 6 },
    ]
    for (const key of keys.toReversed()) await store.keys.put(keyOf({ organizationId, ...key }))
    const other = await found(store, 'Other')
    await store.keys.put(keyOf({ id: 'of-another', organizationId: other.organization.id }))
    const expected = keys.map(({ id }) => id)
    for (const limit of [1, 2, 3, 7, 8]) {
      const read = (page: PageRequest) => store.keys.list(organizationId, page)
      assert.deepEqual(
        (await walk(limit, read, keyPosition)).map(({ id }) => id),
        expected,
      )
    }
    assert.equal(await store.keys.countActive(organizationId), 4)
  },

  'pages through invitations, open ones first, then by when they ended': async ({ store, clock }) => {
    const { organization, owner } = await found(store)
    const organizationId = organization.id
    const invite = async (expiresAtMs: number, tokenHash: string) => {
      clock.nowMs += 1
      const terms = { organizationId, role: 'member', tokenHash, expiresAtMs } as const
      return (await store.invitations.create(terms, owner)).id
    }
    const first = await invite(HARNESS_STARTS_MS + DAY_MS, 'first')
    const second = await invite(HARNESS_STARTS_MS + DAY_MS, 'second')
    const revoked = await invite(HARNESS_STARTS_MS + DAY_MS, 'revoked')
    const expired = await invite(HARNESS_STARTS_MS + 5, 'expired')
    const accepted = await invite(HARNESS_STARTS_MS + DAY_MS, 'accepted')
    clock.nowMs = HARNESS_STARTS_MS + 6
    await store.invitations.revoke({ organizationId, id: revoked }, owner)
    clock.nowMs += 1
    const ann = await addPerson(store, 'Ann')
    await store.invitations.accept('accepted', { id: ann.userId, email: ann.name }, ann)
    for (const limit of [1, 2, 5]) {
      const read = (page: PageRequest) => store.invitations.list(organizationId, page)
      const ids = (await walk(limit, read, invitationPosition)).map(({ id }) => id)
      assert.deepEqual(ids, [second, first, accepted, revoked, expired])
    }
  },

  'pages through members by role, then in the order of joining': async ({ store, clock }) => {
    const acme = await found(store)
    for (const name of ['Zoe', 'Bob', 'Cleo', 'Ann']) {
      await join(store, acme, name, name === 'Cleo' ? 'admin' : 'member')
      if (name !== 'Bob') clock.nowMs += 1
    }
    for (const limit of [1, 2, 5]) {
      const read = (page: PageRequest) => store.memberships.list(acme.organization.id, page)
      const names = (await walk(limit, read, memberPosition)).map(({ name }) => name)
      assert.deepEqual(names, ['Acme-owner', 'Cleo', 'Zoe', 'Bob', 'Ann'])
    }
  },

  'names the keys with some ids, of one organization': async ({ store }) => {
    const acme = await found(store)
    const other = await found(store, 'Other')
    await store.keys.put(keyOf({ id: 'k1', organizationId: acme.organization.id, name: 'one' }))
    await store.keys.put(keyOf({ id: 'k2', organizationId: other.organization.id }))
    const names = await store.keys.names(acme.organization.id, ['k1', 'k2', 'k3'])
    assert.deepEqual(names, [{ id: 'k1', name: 'one', lastFour: 'abcd' }])
    assert.deepEqual(await store.keys.names(acme.organization.id, []), [])
  },

  'deletes keys that ended before a time, once their usage is forgotten': async ({ store }) => {
    const organizationId = (await found(store)).organization.id
    const before = HARNESS_STARTS_MS
    const keys = [
      { id: 'active' },
      { id: 'expired', expiresAtMs: before - 1 },
      { id: 'expired-later', expiresAtMs: before },
      { id: 'revoked', revokedAtMs: before - 1, expiresAtMs: before + 1 },
      { id: 'revoked-later', revokedAtMs: before },
      { id: 'used', revokedAtMs: before - 1 },
    ]
    for (const key of keys) await store.keys.put(keyOf({ organizationId, ...key }))
    const count = { keyId: 'used', hourMs: 0, count: 1 }
    const address = { address: '192.0.2.1', atMs: 5 }
    await store.usage.add({
      requests: [{ ...count, status: 200 }],
      latencies: [{ ...count, bucket: 1 }],
      logged: [],
      addresses: [
        { keyId: 'used', ...address },
        { keyId: 'revoked', ...address },
      ],
      referrals: [],
      lastUsed: new Map(),
    })
    const left = async () => (await store.keys.list(organizationId)).map(({ id }) => id).sort()
    assert.equal(await store.keys.deleteEnded(before), 2)
    assert.deepEqual(await left(), ['active', 'expired-later', 'revoked-later', 'used'])
    await store.usage.deleteBefore(1)
    assert.equal(await store.keys.deleteEnded(before), 1)
    assert.deepEqual(await left(), ['active', 'expired-later', 'revoked-later'])
    assert.equal(await rowCount(store, 'key_addresses'), 0)
  },

  'deletes invitations that ended before a time': async ({ store, clock }) => {
    const { organization, owner } = await found(store)
    const invite = (tokenHash: string, expiresAtMs: number) =>
      store.invitations.create({ organizationId: organization.id, role: 'member', tokenHash, expiresAtMs }, owner)
    await invite('expired', HARNESS_STARTS_MS + 1)
    const { id } = await invite('revoked', HARNESS_STARTS_MS + 9)
    await store.invitations.revoke({ organizationId: organization.id, id }, owner)
    clock.nowMs += 1
    const open = await invite('open', HARNESS_STARTS_MS + 9)
    assert.equal(await store.invitations.deleteEnded(HARNESS_STARTS_MS + 2), 2)
    assert.deepEqual(await store.invitations.list(organization.id), [open])
  },
}

/** Reads all pages of a list. */
async function walk<Row>(
  limit: number,
  read: (page: PageRequest) => Promise<Row[]>,
  positionOf: (row: Row) => ListPosition,
): Promise<Row[]> {
  const rows = await read({ limit })
  for (let page = rows; page.length === limit; ) {
    page = await read({ limit, after: positionOf(page[limit - 1]) })
    rows.push(...page)
  }
  return rows
}

async function rowCount(store: Store, table: string): Promise<number> {
  return (await store.signIn.queries.selectFrom(table).selectAll().execute()).length
}
