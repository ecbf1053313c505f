import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

const LOG = '/api/me/security-log'

/** Ann and Bob. Somebody tries Ann's password, Ann changes it, and Olga makes a reset link. */
async function open(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['ann', 'bob', 'olga']) await harness.addPerson(id)
  const { audit } = harness.store
  const ann = { userId: 'ann', name: 'ann@example.org', address: '192.0.2.1' }
  const olga = { userId: 'olga', name: 'olga@example.org', address: '192.0.2.9', requestId: 'r-9' }
  const userId = 'ann'
  await audit.record({ kind: 'sign-in.failed', userId, by: { name: ann.name, address: '203.0.113.7' } })
  await audit.record({ kind: 'account.password-changed', userId, by: ann })
  await audit.record({ kind: 'account.reset-link-created', userId, by: olga })
  await audit.record({ kind: 'sign-in.succeeded', userId: 'bob', by: { userId: 'bob', name: 'bob@example.org' } })
  const kinds = async (path: string) =>
    (await harness.get('GET', path, { as: 'ann' })).entries.map(({ kind }: { kind: string }) => kind)
  return { harness, kinds }
}

test('shows people the entries about their own account, newest first, in pages', async (t) => {
  const { harness, kinds } = await open(t)
  const all = ['account.reset-link-created', 'account.password-changed', 'sign-in.failed']
  assert.deepEqual(await kinds(LOG), all)
  const { entries } = await harness.get('GET', `${LOG}?limit=2`, { as: 'ann' })
  assert.deepEqual(await kinds(`${LOG}?limit=2&beforeId=${entries[1].id}`), ['sign-in.failed'])
  assert.deepEqual(await kinds(`${LOG}?signIns=false`), all.slice(0, 2))
  assert.deepEqual((await harness.get('GET', LOG, { as: 'olga' })).entries, [])
  assert.equal((await harness.ask('GET', LOG)).status, 401)
})

test('shows the address of attempts and of own changes, and not that of an operator', async (t) => {
  const { harness } = await open(t)
  const { entries } = await harness.get('GET', LOG, { as: 'ann' })
  assert.deepEqual(
    entries.map(({ address }: { address?: string }) => address),
    [undefined, '192.0.2.1', '203.0.113.7'],
  )
  assert.deepEqual([entries[0].actor, entries[0].requestId], ['olga@example.org', undefined])
  const { text } = await harness.ask('GET', `${LOG}.csv`, { as: 'ann' })
  assert.match(
    text,
    /^id,time,kind,.*\r\n\d+,2026-06-01T12:00:00\.000Z,account\.reset-link-created,olga@example\.org,,ann,/,
  )
  assert.equal(text.includes('192.0.2.9'), false)
  assert.equal(text.trim().split('\n').length, 4)
  const changes = await harness.ask('GET', `${LOG}.csv?signIns=false`, { as: 'ann' })
  assert.equal(changes.text, text.replace(/\d+,[^\r]*,sign-in\.failed,.*\r\n/, ''))
})

test('operators read the log of an account', async (t) => {
  const { harness } = await open(t)
  await harness.addPerson('vera', { operator: 'viewer' })
  const { entries } = await harness.get('GET', '/api/operator/audit?subject=ann', { as: 'vera' })
  assert.deepEqual([entries.length, entries[0].address], [3, '192.0.2.9'])
})

test('notices show what others changed, until the person dismisses them', async (t) => {
  const { harness } = await open(t)
  const notices = async (as: string) => (await harness.get('GET', '/api/me', { as })).notices
  const [made, ...others] = await notices('ann')
  assert.deepEqual([made.kind, made.address, others], ['account.reset-link-created', undefined, []])
  assert.deepEqual(await notices('bob'), [])
  const dismiss = (as: string, lastId: unknown) =>
    harness.ask('POST', '/api/me/notices/dismiss', { as, body: { lastId } })
  assert.equal((await dismiss('ann', 'all')).status, 400)
  assert.equal((await dismiss('bob', made.id)).status, 204)
  assert.equal((await notices('ann')).length, 1)
  assert.equal((await dismiss('ann', made.id)).status, 204)
  assert.deepEqual(await notices('ann'), [])
})
