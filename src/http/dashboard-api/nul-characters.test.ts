import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { DashboardApiHarness } from '../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { ROUTES } from './dashboard-api.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

test('rejects NUL characters, which PostgreSQL does not take, in paths, parameters and bodies', async (t) => {
  const harness = await DashboardApiHarness.open(t, { databaseUrl: await server.createDatabase() })
  await harness.addPerson('ann', { operator: true })
  const { id } = await harness.addOrganization('ann')
  for (const { method, path } of ROUTES.filter(({ path }) => /:(?!org)/.test(path))) {
    const within = path.replace(':org', id).replace(/:\w+/g, '%00')
    const { status } = await harness.ask(method, within, { as: 'ann', ...(method !== 'GET' && { body: {} }) })
    assert.equal(status, 404, `${method} ${path}`)
  }
  const usage = await harness.ask('GET', `/api/organizations/${id}/usage?fromMs=0&toMs=1&key=%00`, { as: 'ann' })
  assert.deepEqual([usage.status, usage.body.field], [400, 'key'])
  for (const [path, body] of [
    [`/api/organizations/${id}/transfer`, { userId: 'a\0' }],
    ['/api/operator/source-totals', { slugs: ['a\0'] }],
    ['/api/operator/source-batches', { action: 'pause', slugs: ['a\0'] }],
    ['/api/operator/operators', { email: 'a\0@example.org', role: 'viewer' }],
    ['/api/operator/checks', { source: 'a\0' }],
  ] as const) {
    const { status, body: problem } = await harness.ask('POST', path, { as: 'ann', body })
    assert.deepEqual([status, problem.detail], [400, 'The body must not contain a NUL character.'], path)
  }
  assert.deepEqual(harness.faults, [])
})
