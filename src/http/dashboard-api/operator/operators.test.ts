import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

const PATH = '/api/operator/operators'

test('operators add, change and remove operators and viewers, and the log records it', async (t) => {
  const { harness, as } = await openWithOperator(t)
  await harness.addPerson('ann')
  await harness.get('POST', PATH, { as, body: { email: ' ANN@example.org', role: 'viewer' } })
  assert.deepEqual(await listed(harness, as), ['ann viewer', 'op operator'])
  await harness.get('PATCH', `${PATH}/ann`, { as, body: { role: 'operator' } })
  assert.deepEqual(await listed(harness, 'ann'), ['ann operator', 'op operator'])
  await harness.get('DELETE', `${PATH}/op`, { as })
  assert.deepEqual(await listed(harness, 'ann'), ['ann operator'])
  assert.equal((await harness.ask('GET', PATH, { as })).status, 403)
  const entries = await harness.store.audit.list({ organizationId: null, limit: 3 })
  assert.deepEqual(
    entries.map(({ kind, actor, subject }) => [kind, actor.name, subject]),
    [
      ['operator.removed', 'op@example.org', 'op'],
      ['operator.role-changed', 'op@example.org', 'ann'],
      ['operator.granted', 'op@example.org', 'ann'],
    ],
  )
})

test('the last operator keeps the role, whatever viewers there are', async (t) => {
  const { harness, as } = await openWithOperator(t)
  await harness.addPerson('ann', { operator: 'viewer' })
  for (const [method, body] of [
    ['PATCH', { role: 'viewer' }],
    ['DELETE', {}],
  ] as const) {
    const last = await harness.ask(method, `${PATH}/op`, { as, body })
    assert.deepEqual([last.status, last.body.code], [409, 'conflict'], method)
  }
})

test('refuses unknown and unverified addresses, and people with a role', async (t) => {
  const { harness, as } = await openWithOperator(t)
  await harness.addPerson('new', { confirmed: false })
  await harness.addPerson('ann', { operator: 'viewer' })
  const add = async (email: string) => {
    const { status, body } = await harness.ask('POST', PATH, { as, body: { email, role: 'operator' } })
    return [status, body.field]
  }
  assert.deepEqual(await add('nobody@example.org'), [400, 'email'])
  assert.deepEqual(await add('new@example.org'), [409, 'email'])
  assert.deepEqual(await add('ann@example.org'), [409, 'email'])
  assert.equal((await harness.ask('PATCH', `${PATH}/nobody`, { as, body: { role: 'viewer' } })).status, 404)
})

test('operators of the configuration are listed and change only there', async (t) => {
  const harness = await DashboardApiHarness.open(t, { operatorEmails: ['cyd@example.org', 'dot@example.org'] })
  const as = await harness.addPerson('op', { operator: true })
  await harness.addPerson('cyd', { operator: 'viewer' })
  await harness.addPerson('dot', { confirmed: false })
  const { operators } = await harness.get('GET', PATH, { as })
  assert.deepEqual(operators[0], { userId: 'cyd', name: 'CYD', email: 'cyd@example.org', role: 'operator' })
  assert.deepEqual(await listed(harness, as), ['cyd operator', 'op operator'])
  assert.equal((await harness.ask('DELETE', `${PATH}/cyd`, { as })).status, 409)
  assert.equal((await harness.ask('DELETE', `${PATH}/op`, { as })).status, 204)
})

async function openWithOperator(t: TestContext): Promise<{ harness: DashboardApiHarness; as: string }> {
  const harness = await DashboardApiHarness.open(t)
  return { harness, as: await harness.addPerson('op', { operator: true }) }
}

async function listed(harness: DashboardApiHarness, as: string): Promise<string[]> {
  const { operators } = await harness.get('GET', PATH, { as })
  return operators.map(({ userId, role }: { userId: string; role: string }) => `${userId} ${role}`)
}
