import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { EXPIRY_MS_MAX } from '../../../keys/key.ts'
import { EMPTY_USAGE } from '../../../keys/usage-batch.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { type KeyView, NETWORKS_MAX } from '../../../shared/contract/keys.ts'

async function openAcme(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['ann', 'moe']) await harness.addPerson(id)
  const { id } = await harness.addOrganization('ann', 'Acme')
  await harness.join(id, 'ann', { id: 'moe', role: 'member' })
  return { harness, id, path: `/api/organizations/${id}/keys` }
}

test('an edit is in effect before the response arrives, and keeps what it does not mention', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const { key } = await harness.addKey(id, 'ann', 'web')
  harness.applied.splice(0)
  const edit = (body: object) => harness.get('PATCH', `${path}/${key.id}`, { as: 'moe', body })
  const expiresAtMs = harness.nowMs + 30 * DAY_MS
  const networks = [' 10.0.0.0/8', '2001:DB8::/32', '10.0.0.0/8']
  const edited = await edit({ name: ' app ', note: 'Nightly report', expiresAtMs, networks })
  const { createdAtMs, lastFour } = key
  const expected = {
    id: key.id,
    name: 'app',
    note: 'Nightly report',
    networks: ['10.0.0.0/8', '2001:db8::/32'],
    lastFour,
    status: 'active',
    hints: [],
    createdAtMs,
    createdBy: 'ann@example.org',
    expiresAtMs,
  }
  assert.deepEqual(edited, expected)
  assert.deepEqual(
    harness.applied.map(({ id, networks, expiresAtMs }) => [id, networks, expiresAtMs]),
    [[key.id, expected.networks, expiresAtMs]],
  )
  assert.deepEqual(await harness.get('GET', `${path}/${key.id}`, { as: 'ann' }), expected)
  const freed = await edit({ note: null, expiresAtMs: null, networks: [] })
  assert.deepEqual(
    [freed.name, freed.note, freed.expiresAtMs, freed.networks],
    ['app', undefined, undefined, undefined],
  )
  const earlier = await edit({ expiresAtMs: harness.nowMs + 1 })
  assert.equal(earlier.status, 'expiring')
  const [entry] = await harness.store.audit.list({ organizationId: id, kind: 'key.edited', limit: 1 })
  assert.deepEqual([entry.subject, entry.actor.name], [key.id, 'moe@example.org'])
})

test('rejects an invalid edit, a key in a note, and edits of inactive keys', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const { key, secret } = await harness.addKey(id, 'ann')
  harness.applied.splice(0)
  const edit = (body: object) => harness.ask('PATCH', `${path}/${key.id}`, { as: 'ann', body })
  for (const [body, field] of [
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ note: '' }, 'note'],
    [{ note: 'x'.repeat(301) }, 'note'],
    [{ note: `the key ${secret}` }, 'note'],
    [{ expiresAtMs: harness.nowMs }, 'expiresAtMs'],
    [{ expiresAtMs: harness.nowMs + EXPIRY_MS_MAX + 1 }, 'expiresAtMs'],
    [{ networks: '10.0.0.0/8' }, 'networks'],
    [{ networks: ['10.1.0.0/8'] }, 'networks'],
    [{ networks: ['any'] }, 'networks'],
    [{ networks: [7] }, 'networks'],
    [{ networks: Array.from({ length: NETWORKS_MAX + 1 }, (_, n) => `10.0.0.${n}`) }, 'networks'],
    [{ scopes: [] }, 'scopes'],
  ] as const) {
    const { status, body: problem } = await edit(body)
    assert.deepEqual([status, problem.field], [400, field], JSON.stringify(body))
  }
  assert.match((await edit({ networks: ['10.1.0.0/8'] })).body.detail, /write 10\.0\.0\.0\/8, or 10\.1\.0\.0/)
  await harness.get('POST', `${path}/${key.id}/revoke`, { as: 'ann', body: {} })
  const late = await edit({ name: 'late' })
  assert.deepEqual([late.status, late.body.code], [409, 'conflict'])
  assert.equal((await harness.ask('PATCH', `${path}/key_0`, { as: 'ann', body: { name: 'none' } })).status, 404)
  assert.equal(harness.applied.length, 1)
})

test('a key is created with a note and networks, and a rotation passes them on', async (t) => {
  const { harness, path } = await openAcme(t)
  const body = { name: 'web', note: 'Clinic page', networks: ['203.0.113.7/32'] }
  const { key: old } = await harness.get('POST', path, { as: 'ann', body })
  assert.deepEqual([old.note, old.networks], ['Clinic page', ['203.0.113.7']])
  const { key } = await harness.get('POST', `${path}/${old.id}/rotate`, { as: 'ann', body: { keepOldForMs: 0 } })
  assert.deepEqual([key.name, key.note, key.networks], ['web', 'Clinic page', ['203.0.113.7']])
  assert.deepEqual(harness.applied.at(-2)?.networks, ['203.0.113.7'])
})

test('a rotated key lives ten years at most, however long an edit made the life of the old one', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const { key } = await harness.addKey(id, 'ann')
  harness.advance(EXPIRY_MS_MAX)
  const expiresAtMs = harness.nowMs + EXPIRY_MS_MAX
  await harness.get('PATCH', `${path}/${key.id}`, { as: 'ann', body: { expiresAtMs } })
  const rotated = await harness.get('POST', `${path}/${key.id}/rotate`, { as: 'ann', body: { keepOldForMs: 0 } })
  assert.equal(rotated.key.expiresAtMs, expiresAtMs)
})

test('searches and sorts keys, in pages', async (t) => {
  const { harness, id, path } = await openAcme(t)
  for (const [name, atMs] of [
    ['web', 5],
    ['report', 9],
    ['other web', undefined],
  ] as const) {
    const { key } = await harness.addKey(id, 'ann', name)
    const lastUsed = new Map(atMs === undefined ? [] : [[key.id, atMs]])
    await harness.store.usage.add({ ...EMPTY_USAGE, lastUsed })
  }
  const names = async (query: string) => {
    const found = await harness.get('GET', `${path}?${query}`, { as: 'ann' })
    return [found.keys.map(({ name }: KeyView) => name), found.active]
  }
  assert.deepEqual(await names('search=%20WEB&sort=used&status=active'), [['web', 'other web'], 3])
  assert.deepEqual(await names('sort=unused'), [['other web', 'web', 'report'], 3])
  const first = await harness.get('GET', `${path}?sort=used&limit=2`, { as: 'ann' })
  assert.deepEqual(await names(`sort=used&limit=2&cursor=${first.next}`), [['other web'], 3])
  for (const query of ['sort=name', 'status=revoked', 'search=%00'])
    assert.equal((await harness.ask('GET', `${path}?${query}`, { as: 'ann' })).status, 400, query)
})
