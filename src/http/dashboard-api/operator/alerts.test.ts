import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import type { AlertService } from '../context.ts'

test('only operators see alert channels and send test alerts', async (t) => {
  const tests: number[] = []
  const alerts: AlertService = {
    list: async () => [{ kind: 'webhook', to: 'hooks.example', waiting: 0 }],
    test: async () => {
      tests.push(1)
      return [{ kind: 'webhook', to: 'hooks.example', delivered: false, why: 'No answer.' }]
    },
  }
  const harness = await DashboardApiHarness.open(t, { alerts })
  const op = await harness.addPerson('op', { operator: true })
  const ada = await harness.addPerson('ada')
  const path = '/api/operator/alerts'
  assert.deepEqual(await harness.get('GET', path, { as: op }), { channels: await alerts.list() })
  assert.equal((await harness.ask('GET', path, { as: ada })).status, 403)
  assert.equal((await harness.ask('POST', `${path}/test`, { as: ada, body: {} })).status, 403)
  assert.deepEqual(tests, [])
  const { status, body } = await harness.ask('POST', `${path}/test`, { as: op, body: {} })
  assert.deepEqual([status, body.channels[0].why], [200, 'No answer.'])
})
