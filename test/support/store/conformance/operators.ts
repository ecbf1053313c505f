import assert from 'node:assert/strict'
import { DAY_MS } from '../../../../src/lib/time.ts'
import { COMMAND_LINE } from '../../../../src/store/contracts/audit.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, deletePerson, found, join } from './people.ts'
import { keyOf } from './samples.ts'

/** `OperatorStore`. */
export const OPERATOR_GUARANTEES: Guarantees = {
  'lists its operators, without those whose account was deleted': async ({ store, open }) => {
    const ann = await addPerson(store, 'Ann')
    assert.equal(await store.operators.any(), false)
    assert.equal(await store.operators.add(ann.userId), true)
    assert.equal(await store.operators.add(ann.userId, { role: 'viewer' }), false)
    const other = await open()
    assert.deepEqual([await other.operators.any(), await other.operators.roleOf(ann.userId)], [true, 'operator'])
    assert.equal(await store.operators.roleOf('nobody'), undefined)
    await assert.rejects(store.operators.add('nobody'))
    await deletePerson(store, ann)
    assert.equal(await store.operators.any(), false)
  },

  'makes the bearer of the setup token an operator, once': async ({ store }) => {
    const [ann, bob] = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    assert.equal(await store.operators.claim('token', ann.userId), false)
    await store.operators.putSetupToken('token', HARNESS_STARTS_MS + DAY_MS)
    assert.equal(await store.operators.isSetupToken('token'), true)
    assert.equal(await store.operators.claim('another', ann.userId), false)
    assert.equal(await store.operators.claim('token', ann.userId), true)
    assert.equal(await store.operators.isSetupToken('token'), false)
    assert.equal(await store.operators.claim('token', bob.userId), false)
    assert.equal(await store.operators.roleOf(bob.userId), undefined)
  },

  'accepts a setup token from one of two concurrent claims': async ({ store, open }) => {
    const people = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    await store.operators.putSetupToken('token', HARNESS_STARTS_MS + DAY_MS)
    const stores = [store, await open()]
    const claims = await Promise.all(people.map(({ userId }, at) => stores[at].operators.claim('token', userId)))
    assert.deepEqual(claims.sort(), [false, true])
  },

  'deletes the account of the last operator only if none may remain': async ({ store }) => {
    const { userId, ...ann } = await addPerson(store, 'Ann')
    await store.operators.add(userId)
    const viewer = await addPerson(store, 'Viewer')
    await store.operators.add(viewer.userId, { role: 'viewer' })
    const remove = (id: string, allowNone = false) => store.memberships.removeAccount(id, { by: ann, allowNone })
    assert.deepEqual(await remove(userId), { outcome: 'last-operator' })
    assert.equal(await store.operators.roleOf(userId), 'operator')
    assert.deepEqual(await remove(viewer.userId), { outcome: 'deleted' })
    assert.deepEqual(await remove(userId, true), { outcome: 'deleted' })
    assert.equal(await store.operators.any(), false)
  },

  'keeps one of two operators who delete their accounts, or leave the role, at once': async ({ store, open }) => {
    const stores = [store, await open()]
    for (let round = 0; round < 10; round++) {
      const people = [await addPerson(store, `Ann${round}`), await addPerson(store, `Bob${round}`)]
      for (const { userId } of people) await store.operators.add(userId)
      await Promise.all(
        people.map((by, at) => {
          const change = { by, allowNone: false }
          if (at === 1 && round % 2 === 1) return stores[at].operators.remove(by.userId, change)
          return stores[at].memberships.removeAccount(by.userId, change)
        }),
      )
      const left = await store.operators.list()
      assert.equal(left.length, 1)
      await store.operators.remove(left[0].userId, { by: COMMAND_LINE, allowNone: true })
    }
  },

  'revokes an earlier setup token when a later one is created': async ({ store }) => {
    const { userId } = await addPerson(store, 'Ann')
    await store.operators.putSetupToken('first', HARNESS_STARTS_MS + DAY_MS)
    await store.operators.putSetupToken('second', HARNESS_STARTS_MS + DAY_MS)
    assert.equal(await store.operators.claim('first', userId), false)
    assert.equal(await store.operators.claim('second', userId), true)
  },

  'does not use up the setup token for an account that does not exist': async ({ store }) => {
    await store.operators.putSetupToken('token', HARNESS_STARTS_MS + DAY_MS)
    await assert.rejects(store.operators.claim('token', 'nobody'))
    assert.equal(await store.operators.isSetupToken('token'), true)
  },

  'rejects a setup token from its expiry on': async ({ store, clock }) => {
    const { userId } = await addPerson(store, 'Ann')
    await store.operators.putSetupToken('token', HARNESS_STARTS_MS + DAY_MS)
    clock.nowMs += DAY_MS - 1
    assert.equal(await store.operators.isSetupToken('token'), true)
    clock.nowMs += 1
    assert.equal(await store.operators.isSetupToken('token'), false)
    assert.equal(await store.operators.claim('token', userId), false)
  },

  'lists and removes operators, the last one only on request': async ({ store }) => {
    const [ann, bob] = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    await store.operators.add(bob.userId)
    await store.operators.add(ann.userId)
    const names = async () => (await store.operators.list()).map(({ name }) => name)
    assert.deepEqual(await names(), ['Ann', 'Bob'])
    assert.equal(await store.operators.remove('nobody', { allowNone: true, by: COMMAND_LINE }), 'not-operator')
    assert.equal(await store.operators.remove(ann.userId, { allowNone: false, by: COMMAND_LINE }), 'done')
    assert.equal(await store.operators.remove(bob.userId, { allowNone: false, by: COMMAND_LINE }), 'last')
    assert.deepEqual(await names(), ['Bob'])
    assert.equal(await store.operators.remove(bob.userId, { allowNone: true, by: COMMAND_LINE }), 'done')
    assert.equal(await store.operators.any(), false)
  },

  'changes roles, and records it; a viewer is no operator': async ({ store }) => {
    const [ann, bob] = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    const [strict, lax] = [false, true].map((allowNone) => ({ allowNone, by: COMMAND_LINE }))
    await store.operators.add(ann.userId)
    await store.operators.add(bob.userId, { role: 'viewer' })
    assert.equal(await store.operators.setRole('nobody', 'viewer', lax), 'not-operator')
    assert.equal(await store.operators.setRole(ann.userId, 'viewer', strict), 'last')
    assert.equal(await store.operators.remove(bob.userId, strict), 'done')
    assert.equal(await store.operators.add(bob.userId, { role: 'viewer' }), true)
    assert.equal(await store.operators.setRole(bob.userId, 'operator', strict), 'done')
    assert.equal(await store.operators.setRole(ann.userId, 'viewer', strict), 'done')
    assert.deepEqual([await store.operators.roleOf(ann.userId), await store.operators.any()], ['viewer', true])
    assert.equal(await store.operators.setRole(bob.userId, 'viewer', lax), 'done')
    assert.equal(await store.operators.any(), false)
    const entries = await store.audit.list({ organizationId: null, limit: 10, kind: 'operator.role-changed' })
    assert.deepEqual(
      entries.map(({ detail }) => [detail.email, detail.from, detail.to]),
      [
        ['bob@example.org', 'operator', 'viewer'],
        ['ann@example.org', 'operator', 'viewer'],
        ['bob@example.org', 'viewer', 'operator'],
      ],
    )
  },

  'one of two operators who remove each other concurrently stays': async ({ store, open }) => {
    const people = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    for (const { userId } of people) await store.operators.add(userId)
    const stores = [store, await open()]
    const outcomes = await Promise.all(
      people.map(({ userId }, at) => stores[at].operators.remove(userId, { allowNone: false, by: COMMAND_LINE })),
    )
    assert.deepEqual(outcomes.sort(), ['done', 'last'])
    assert.equal(await store.operators.any(), true)
  },

  'keeps the first value of a secret under concurrent requests': async ({ store, open }) => {
    const stores = [store, store, await open(), await open()]
    let made = 0
    const ask = (each: Store) => each.operators.secret('auth', () => `secret ${++made}`)
    const secrets = await Promise.all(stores.map(ask))
    assert.deepEqual([made, new Set(secrets)], [1, new Set(['secret 1'])])
    assert.equal(await ask(await open()), 'secret 1')
    assert.equal(await store.operators.secret('other', () => 'else'), 'else')
  },

  'deletes secrets that have expired, and no others': async ({ store, clock }) => {
    await store.operators.secret('permanent', () => 'kept')
    await store.operators.secret('link', () => 'first', HARNESS_STARTS_MS + DAY_MS)
    await store.operators.deleteExpiredSecrets()
    assert.equal(await store.operators.findSecret('link'), 'first')
    clock.nowMs += DAY_MS
    await store.operators.deleteExpiredSecrets()
    assert.deepEqual(
      [await store.operators.findSecret('link'), await store.operators.findSecret('permanent')],
      [undefined, 'kept'],
    )
  },

  'lists organizations by name, with their members, active keys and requests in 30 days': async ({ store }) => {
    const acme = await found(store)
    await join(store, acme, 'Ann')
    const beta = await found(store, 'beta')
    const gone = await found(store, 'Gone')
    const organizationId = acme.organization.id
    await store.keys.put(keyOf({ id: 'live', organizationId }))
    await store.keys.put(keyOf({ id: 'expired', organizationId, expiresAtMs: HARNESS_STARTS_MS }))
    await store.keys.put(keyOf({ id: 'revoked', organizationId, revokedAtMs: 1 }))
    const count = (daysAgo: number, count: number) => ({
      keyId: 'revoked',
      hourMs: HARNESS_STARTS_MS - daysAgo * DAY_MS,
      status: 200,
      count,
    })
    await store.usage.add({
      requests: [count(31, 100), count(29, 5), count(0, 2)],
      latencies: [],
      logged: [],
      addresses: [],
      referrals: [],
      lastUsed: new Map(),
    })
    await store.organizations.remove(gone.organization.id, gone.owner)
    assert.deepEqual(await store.operators.organizations({ order: 'name', limit: 10, offset: 0 }), {
      organizations: [
        { organization: acme.organization, members: 2, keys: 1, requests30d: 7 },
        { organization: beta.organization, members: 1, keys: 0, requests30d: 0 },
      ],
      total: 2,
    })
  },

  'lists organizations in pages by requests, age or name, with the total number of matches': async (harness) => {
    const { store, clock } = harness
    for (const name of ['Delta', 'alpha', 'Éva 100%', 'Beta']) {
      clock.nowMs += 1000
      const { organization } = await found(store, name)
      await store.keys.put(keyOf({ id: `${name} key`, organizationId: organization.id }))
    }
    const requests = [
      { keyId: 'alpha key', hourMs: HARNESS_STARTS_MS, status: 200, count: 3 },
      { keyId: 'Beta key', hourMs: HARNESS_STARTS_MS, status: 200, count: 20 },
    ]
    await store.usage.add({ requests, latencies: [], logged: [], addresses: [], referrals: [], lastUsed: new Map() })
    const names = async (part: Partial<Parameters<Store['operators']['organizations']>[0]>) => {
      const filter = { order: 'name', limit: 10, offset: 0, ...part } as const
      const { organizations, total } = await store.operators.organizations(filter)
      return [organizations.map(({ organization }) => organization.name).join(), total]
    }
    assert.deepEqual(await names({}), ['alpha,Beta,Delta,Éva 100%', 4])
    assert.deepEqual(await names({ order: 'newest' }), ['Beta,Éva 100%,alpha,Delta', 4])
    assert.deepEqual(await names({ order: 'requests' }), ['Beta,alpha,Delta,Éva 100%', 4])
    assert.deepEqual(await names({ order: 'requests', limit: 2, offset: 1 }), ['alpha,Delta', 4])
    assert.deepEqual(await names({ search: 'TA', limit: 1 }), ['Beta', 2])
    assert.deepEqual(await names({ search: 'e\u0301VA 100%' }), ['Éva 100%', 1])
    assert.deepEqual(await names({ search: '%a' }), ['', 0])
  },

  'lists accounts by address in pages, with the total number of matches': async ({ store }) => {
    const acme = await found(store)
    const ann = await join(store, acme, 'Ann')
    await addPerson(store, 'Zoe_x')
    await store.operators.add(ann.userId)
    const { accounts, total } = await store.operators.accounts({ limit: 2, offset: 0 })
    assert.equal(total, 3)
    assert.deepEqual(accounts[1], {
      userId: ann.userId,
      name: 'Ann',
      email: ann.name,
      emailVerified: true,
      createdAtMs: HARNESS_STARTS_MS,
      organizations: 1,
      operatorRole: 'operator',
    })
    const rest = await store.operators.accounts({ limit: 2, offset: 2 })
    assert.deepEqual(
      [...accounts, ...rest.accounts].map(({ name }) => name),
      ['Acme-owner', 'Ann', 'Zoe_x'],
    )
  },

  'searches accounts by part of the name or address, case-insensitively and literally': async ({ store }) => {
    for (const name of ['Ann', 'Joann', 'Zoe_x']) await addPerson(store, name)
    const search = async (text: string) => {
      const { accounts, total } = await store.operators.accounts({ search: text, limit: 1, offset: 0 })
      return [accounts[0]?.name, total]
    }
    assert.deepEqual(await search('ANN'), ['Ann', 2])
    assert.deepEqual(await search('joann@ex'), ['Joann', 1])
    assert.deepEqual(await search('_'), ['Zoe_x', 1])
    assert.deepEqual(await search('%'), [undefined, 0])
    const { userId } = await addPerson(store, 'Elodie')
    await store.signIn.queries.updateTable('users').set({ name: 'Élodie Roy' }).where('id', '=', userId).execute()
    assert.deepEqual(await search('Élodie roy'), ['Élodie Roy', 1])
  },
}
