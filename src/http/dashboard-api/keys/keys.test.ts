import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness, TEST_LIMITS } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { EXPIRY_MS_MAX } from '../../../keys/key.ts'
import { hashKey, hasKeyForm } from '../../../keys/key-ring.ts'
import { DAY_MS } from '../../../lib/time.ts'
import type { KeyView } from '../../../shared/contract/keys.ts'
import { ACTIVE_KEYS_MAX } from './keys.ts'

async function openAcme(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['ann', 'moe']) await harness.addPerson(id)
  const { id } = await harness.addOrganization('ann', 'Acme')
  await harness.join(id, 'ann', { id: 'moe', role: 'member' })
  return { harness, id, path: `/api/organizations/${id}/keys` }
}

test('a created key works before the response arrives, and only that response has the secret', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const expiresAtMs = harness.nowMs + 90 * DAY_MS
  const { key, secret } = await harness.get('POST', path, {
    as: 'moe',
    body: { name: ' our app ', expiresAtMs },
  })
  assert.ok(hasKeyForm(secret))
  assert.deepEqual(key, {
    id: key.id,
    name: 'our app',
    lastFour: secret.slice(-4),
    status: 'active',
    hints: [],
    createdAtMs: harness.nowMs,
    createdBy: 'moe@example.org',
    expiresAtMs,
  })
  assert.deepEqual(
    harness.applied.map(({ hash, organizationId }) => [hash, organizationId]),
    [[hashKey(secret), id]],
  )
  assert.deepEqual(await harness.get('GET', path, { as: 'ann' }), { keys: [key], active: 1 })
  assert.deepEqual(await harness.get('GET', `${path}/${key.id}`, { as: 'ann' }), key)
  const [entry] = await harness.store.audit.list({ organizationId: id, kind: 'key.created', limit: 1 })
  assert.deepEqual([entry.subject, entry.actor.name], [key.id, 'moe@example.org'])
  assert.ok(!JSON.stringify(entry).includes(secret))
})

test('a key can be created without an expiry', async (t) => {
  const { harness, path } = await openAcme(t)
  for (const body of [{ name: 'a' }, { name: 'b', expiresAtMs: null }]) {
    const { key } = await harness.get('POST', path, { as: 'ann', body })
    assert.equal(key.expiresAtMs, undefined)
  }
})

test('rejects an invalid name and an expiry in the past or too far ahead', async (t) => {
  const { harness, path } = await openAcme(t)
  const name = 'web'
  for (const [body, field] of [
    [{}, 'name'],
    [{ name: 'a\tb' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name, expiresAtMs: harness.nowMs }, 'expiresAtMs'],
    [{ name, expiresAtMs: harness.nowMs + EXPIRY_MS_MAX + 1 }, 'expiresAtMs'],
    [{ name, expiresAtMs: harness.nowMs + 1.5 }, 'expiresAtMs'],
    [{ name, expiresAtMs: '2030-01-01' }, 'expiresAtMs'],
  ] as const) {
    const answered = await harness.ask('POST', path, { as: 'ann', body })
    assert.deepEqual([answered.status, answered.body.field], [400, field], JSON.stringify(body))
  }
  assert.deepEqual(harness.applied, [])
})

test('limits active keys and does not count ended ones', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const { key } = await harness.addKey(id, 'ann')
  for (let n = 1; n < ACTIVE_KEYS_MAX; n++) await harness.addKey(id, 'ann')
  const full = await harness.ask('POST', path, { as: 'ann', body: { name: 'more' } })
  assert.deepEqual([full.status, full.body.code], [409, 'limit-reached'])
  const rotate = (keepOldForMs: number) =>
    harness.ask('POST', `${path}/${key.id}/rotate`, { as: 'ann', body: { keepOldForMs } })
  assert.equal((await rotate(3_600_000)).status, 409)
  assert.equal((await rotate(0)).status, 200)
  const [newest] = await harness.store.keys.list(id)
  await harness.get('POST', `${path}/${newest.id}/revoke`, { as: 'ann', body: {} })
  assert.equal((await harness.ask('POST', path, { as: 'ann', body: { name: 'more' } })).status, 200)
})

test('a revoked key is rejected before the response arrives, and keeps its reason', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const { key } = await harness.addKey(id, 'ann')
  harness.applied.splice(0)
  const revoke = (reason: string) => harness.get('POST', `${path}/${key.id}/revoke`, { as: 'moe', body: { reason } })
  const revoked = await revoke('leaked')
  assert.deepEqual([revoked.status, revoked.revokedAtMs, revoked.revokedReason], ['revoked', harness.nowMs, 'leaked'])
  assert.deepEqual(
    harness.applied.map((applied) => [applied.id, applied.revokedAtMs]),
    [[key.id, harness.nowMs]],
  )
  harness.advance(1000)
  assert.deepEqual(await revoke('again'), revoked)
})

test('rotation creates a key of the same name and keeps the old one for the grace period', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const { key: old } = await harness.addKey(id, 'ann', 'app')
  harness.applied.splice(0)
  const rotate = `${path}/${old.id}/rotate`
  const { key, secret } = await harness.get('POST', rotate, { as: 'moe', body: { keepOldForMs: 3_600_000 } })
  assert.deepEqual([key.name, key.createdBy, key.expiresAtMs], ['app', 'moe@example.org', undefined])
  const after = await harness.get('GET', `${path}/${old.id}`, { as: 'ann' })
  assert.deepEqual([after.replacedBy, after.expiresAtMs], [key.id, harness.nowMs + 3_600_000])
  assert.deepEqual(
    new Map(harness.applied.map(({ id, expiresAtMs }) => [id, expiresAtMs])),
    new Map([
      [key.id, undefined],
      [old.id, harness.nowMs + 3_600_000],
    ]),
  )
  assert.ok(hasKeyForm(secret))
  assert.equal((await harness.ask('POST', rotate, { as: 'ann', body: { keepOldForMs: 0 } })).status, 409)
})

test('rotation without a grace period revokes the old key before the response', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const { key: old } = await harness.addKey(id, 'ann')
  harness.applied.splice(0)
  await harness.get('POST', `${path}/${old.id}/rotate`, { as: 'ann', body: { keepOldForMs: 0 } })
  assert.equal(harness.applied.find(({ id }) => id === old.id)?.revokedAtMs, harness.nowMs)
  const again = await harness.ask('POST', `${path}/${old.id}/rotate`, {
    as: 'ann',
    body: { keepOldForMs: 0 },
  })
  assert.deepEqual([again.status, again.body.code], [409, 'conflict'])
})

test('a rotated key gets the lifetime of the old one unless specified otherwise', async (t) => {
  const { harness, path } = await openAcme(t)
  const create = async () => {
    const body = { name: 'app', expiresAtMs: harness.nowMs + 30 * DAY_MS }
    return (await harness.get('POST', path, { as: 'ann', body })).key.id
  }
  const keys = [await create(), await create(), await create()]
  harness.advance(10 * DAY_MS)
  const expiries = []
  for (const [at, more] of [{}, { expiresAtMs: null }, { expiresAtMs: harness.nowMs + 1 }].entries()) {
    const body = { keepOldForMs: 0, ...more }
    expiries.push((await harness.get('POST', `${path}/${keys[at]}/rotate`, { as: 'ann', body })).key.expiresAtMs)
  }
  assert.deepEqual(expiries, [harness.nowMs + 30 * DAY_MS, undefined, harness.nowMs + 1])
})

test('rotation accepts only the four grace periods', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const { key } = await harness.addKey(id, 'ann')
  for (const keepOldForMs of [-1, 1, 3_600_001, '0', null, undefined]) {
    const answered = await harness.ask('POST', `${path}/${key.id}/rotate`, {
      as: 'ann',
      body: { keepOldForMs },
    })
    assert.deepEqual([answered.status, answered.body.field], [400, 'keepOldForMs'])
  }
})

test('lists keys in pages, active ones first, and counts the active ones', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  await harness.addPerson('ann')
  const { id } = await harness.addOrganization('ann')
  const path = `/api/organizations/${id}/keys`
  const made = []
  for (const name of ['one', 'two', 'three']) {
    made.push((await harness.addKey(id, 'ann', name)).key.id)
    harness.advance(1)
  }
  await harness.get('POST', `${path}/${made[2]}/revoke`, { as: 'ann', body: {} })
  const first = await harness.get('GET', `${path}?limit=2`, { as: 'ann' })
  const names = (page: { keys: KeyView[] }) => page.keys.map(({ name }) => name)
  assert.deepEqual([names(first), first.active], [['two', 'one'], 2])
  const last = await harness.get('GET', `${path}?limit=2&cursor=${first.next}`, { as: 'ann' })
  assert.deepEqual([names(last), last.active, last.next], [['three'], 2, undefined])
  const all = await harness.get('GET', `${path}?limit=3`, { as: 'ann' })
  assert.equal(all.next, undefined)
  for (const query of ['limit=0', 'limit=201', 'cursor=1', 'cursor=1.2.', `cursor=${2 ** 53}.1.a`, 'cursor=-1.1.a']) {
    assert.equal((await harness.ask('GET', `${path}?${query}`, { as: 'ann' })).status, 400, query)
  }
})

test('limits the changes of an account in an hour, but always revokes', async (t) => {
  const harness = await DashboardApiHarness.open(t, { configured: { ...TEST_LIMITS, changesPerHourMax: 4 } })
  for (const id of ['ann', 'moe']) await harness.addPerson(id)
  const { id } = await harness.addOrganization('ann')
  const path = `/api/organizations/${id}/keys`
  await harness.join(id, 'ann', { id: 'moe', role: 'member' })
  const keys = [await harness.addKey(id, 'ann'), await harness.addKey(id, 'ann')]
  harness.advance(10 * 60_000)
  const create = (as: string) => harness.ask('POST', path, { as, body: { name: 'more' } })
  const { status, body, headers } = await create('ann')
  assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'too-many-changes', '3000'])
  assert.equal((await harness.store.keys.list(id)).length, 2)
  assert.equal((await harness.ask('PATCH', `/api/organizations/${id}`, { as: 'ann', body: { name: 'b' } })).status, 429)
  assert.equal((await harness.ask('GET', path, { as: 'ann' })).status, 200)
  for (const { key } of keys) await harness.get('POST', `${path}/${key.id}/revoke`, { as: 'ann', body: {} })
  assert.equal((await create('moe')).status, 200)
  harness.advance(50 * 60_000)
  assert.equal((await create('ann')).status, 200)
})
