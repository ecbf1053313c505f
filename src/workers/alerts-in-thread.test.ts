import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { AlertsHarness } from '../../test/support/alerts/alerts-harness.ts'
import { dashboardThreadOptions } from '../../test/support/dashboard-thread-options.ts'
import { Channel } from './channel.ts'
import type { DashboardOperations, DashboardParent } from './dashboard-messages.ts'

test('sends alerts about a failing source, and stops', { timeout: 30_000 }, async (t) => {
  const harness = await AlertsHarness.open(t)
  harness.nowMs = Date.now() - 600_000
  await harness.set('clinic', 'failing', 'It is gone.')
  const workerData = dashboardThreadOptions(
    { databaseUrl: harness.databaseUrl, allowPrivateSources: true, alerts: { emails: [], webhook: harness.webhook } },
    { operatorEmails: ['ada@example.org'] },
  )
  const worker = new Worker(new URL('./dashboard-thread.ts', import.meta.url), { workerData })
  t.after(() => worker.terminate())
  const asked = new Set<string>()
  const channel = new Channel<DashboardOperations, DashboardParent>(worker, {
    log: () => undefined,
    applyKeys: () => undefined,
    query: ({ about }) => {
      asked.add(about)
      return { status: 503, headers: [], body: new Uint8Array() }
    },
  })
  await harness.receiver.whenReceived(1)
  assert.deepEqual(harness.reported, [['clinic: healthy > failing']])
  assert.ok(asked.has('health'), 'for the memory of the node')
  const ended = once(worker, 'exit')
  channel.post('stop', undefined)
  assert.deepEqual(await ended, [0])
})
