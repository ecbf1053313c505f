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
    await store.operators.add(ann.userId)
    await store.operators.add(ann.userId)
    const other = await open()
    assert.deepEqual([await other.operators.any(), await other.operators.isOperator(ann.userId)], [true, true])
    assert.equal(await store.operators.isOperator('nobody'), false)
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
    assert.equal(await store.operators.isOperator(bob.userId), false)
  },

  'accepts a setup token from one of two concurrent claims': async ({ store, open }) => {
    const people = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    await store.operators.putSetupToken('token', HARNESS_STARTS_MS + DAY_MS)
    const stores = [store, await open()]
    const claims = await Promise.all(people.map(({ userId }, at) => stores[at].operators.claim('token', userId)))
    assert.deepEqual(claims.sort(), [false, true])
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
    assert.equal(await store.operators.remove(ann.userId, { allowNone: false, by: COMMAND_LINE }), 'removed')
    assert.equal(await store.operators.remove(bob.userId, { allowNone: false, by: COMMAND_LINE }), 'last')
    assert.deepEqual(await names(), ['Bob'])
    assert.equal(await store.operators.remove(bob.userId, { allowNone: true, by: COMMAND_LINE }), 'removed')
    assert.equal(await store.operators.any(), false)
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
      recent: [],
      lastUsed: new Map(),
    })
    await store.organizations.remove(gone.organization.id, gone.owner)
    assert.deepEqual(await store.operators.organizations(), [
      { organization: acme.organization, members: 2, keys: 1, requests30d: 7 },
      { organization: beta.organization, members: 1, keys: 0, requests30d: 0 },
    ])
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
      isOperator: true,
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
  },
}
