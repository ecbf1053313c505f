import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { AlertsHarness } from '../../test/support/alerts/alerts-harness.ts'
import { UNNAMED_SERVICE } from '../shared/service-identity.ts'
import { Channel } from './channel.ts'
import type { DashboardOperations, DashboardParent, DashboardThreadOptions } from './dashboard-messages.ts'

test('sends alerts about a failing source, and stops', { timeout: 30_000 }, async (t) => {
  const harness = await AlertsHarness.open(t)
  harness.nowMs = Date.now() - 600_000
  await harness.set('clinic', 'failing', 'It is gone.')
  const workerData: DashboardThreadOptions = {
    databaseUrl: harness.databaseUrl,
    baseUrl: 'http://127.0.0.1',
    dashboardUrl: 'http://127.0.0.1/',
    docsUrl: 'http://127.0.0.1/docs',
    version: '1.2.3',
    service: UNNAMED_SERVICE,
    audit: {},
    requestLog: { retentionMs: 7 * 86_400_000, entriesMax: 1000, addresses: true },
    jobs: { heapMb: 128, atOnceMax: 2 },
    isTerminal: false,
    allowPrivateSources: true,
    slotsMax: 1000,
    rateLimits: {},
    subscriptions: { max: 1000, allowPrivate: false },
    uploadBytesMax: 1_000_000,
    account: {
      signUp: 'open',
      signUpDomains: [],
      passwordSignIn: true,
      operatorEmails: ['ada@example.org'],
      mailFrom: 'a@b',
      changesPerHourMax: 300,
    },
    alerts: { emails: [], webhook: harness.webhook },
  }
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
