import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { dashboardThreadOptions } from '../../test/support/dashboard-thread-options.ts'
import { eventually } from '../../test/support/eventually.ts'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import type { NodeQuery } from '../http/node-query.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import { type MeteredKey, UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { DashboardWorker } from './dashboard-worker.ts'

const MINTED = mintApiKey({ organizationId: 'org', name: 'one' }, 0)

const ENTRY = new URL('./thread-entry.ts', import.meta.url)

/** An entry file with these handlers of `DashboardOperations`. */
const entry = (handlers: string) => `
  import { openThread, threadOptions } from ${JSON.stringify(ENTRY.href)}
  const json = (status, value) => ({ status, headers: [['content-type', 'application/json']],
    body: new TextEncoder().encode(JSON.stringify(value)) })
  const logBatch = ({ id, requests, lastUsed }) => {
    const count = requests.reduce((sum, each) => sum + each.count, 0)
    onEvent({ level: 'info', message: 'batch', fields: { count, used: lastUsed.size, number: id.number } })
  }
  let batches = 0
  const options = threadOptions()
  const { parent, stopping, onEvent, close } = openThread({ ${handlers} })
  stopping.addEventListener('abort', close)`

function start(t: TestContext, handlers: string) {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-worker-test-'))
  const path = join(folder, 'entry.mjs')
  writeFileSync(path, entry(handlers))
  const events: LogEvent[] = []
  const queries: NodeQuery[] = []
  const keyRing = new KeyRing()
  const meter = new UsageMeter()
  const dashboard = new DashboardWorker({
    entry: pathToFileURL(path),
    threadOptions: dashboardThreadOptions(),
    applyKeys: async (keys) => keyRing.apply(keys),
    meter,
    trustedProxies: 0,
    query: async (query) => {
      queries.push(query)
      return { status: 200, headers: [], body: new TextEncoder().encode('the reply') }
    },
    onEvent: (event) => events.push(event),
  })
  t.after(async () => {
    await dashboard.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { dashboard, events, queries, keyRing, meter }
}

async function serve(t: TestContext, dashboard: DashboardWorker): Promise<string> {
  const server = createServer((request, response) =>
    dashboard.connection({ statusPage: false }).relay({ request, response, requestId: 'r' }),
  )
  const { origin } = await listenOnLoopback(t, server)
  return origin
}

function use(meter: UsageMeter, times: number, key: MeteredKey = { id: 'one', usage: undefined }): void {
  const exchange = { request: { method: 'GET', url: '/' }, response: { statusCode: 200 }, requestId: 'r' }
  for (let n = 0; n < times; n++) meter.note(key, exchange, n, 1)
}

test('the thread responds to a request, and the main thread to a query of the thread', async (t) => {
  const { dashboard, queries } = start(
    t,
    `async respond({ target }) {
       const { body } = await parent.request('query', { about: 'days', search: target })
       return json(200, { text: new TextDecoder().decode(body), version: options.version })
     }`,
  )
  const response = await fetch(`${await serve(t, dashboard)}/api/me`)
  assert.deepEqual(await response.json(), { text: 'the reply', version: '1.2.3' })
  assert.deepEqual(queries, [{ about: 'days', search: '/api/me' }])
})

test('a created or revoked key takes effect before the response arrives', async (t) => {
  const { dashboard, keyRing } = start(
    t,
    `async respond({ body }) {
       await parent.request('applyKeys', [JSON.parse(new TextDecoder().decode(body))])
       return json(200, {})
     }`,
  )
  const origin = await serve(t, dashboard)
  const post = (key: object) =>
    fetch(`${origin}/api/keys`, {
      method: 'POST',
      headers: { cookie: 'session_token=1', 'content-type': 'application/json' },
      body: JSON.stringify(key),
    }).then((each) => each.text())
  await post(MINTED.key)
  assert.ok(keyRing.find(MINTED.secret, 1))
  await post({ ...MINTED.key, revokedAtMs: 1 })
  assert.equal(keyRing.find(MINTED.secret, 1), undefined)
})

test('stores usage within seconds, and the rest when it stops', async (t) => {
  const { dashboard, events, meter } = start(t, 'addUsage(batch) { logBatch(batch); return { stored: true } }')
  use(meter, 3)
  await eventually(() => events.length === 1)
  use(meter, 2)
  await dashboard.stop()
  assert.deepEqual(
    events.map(({ message, fields }) => [message, fields.count, fields.used]),
    [
      ['batch', 3, 1],
      ['batch', 2, 1],
    ],
  )
  assert.equal(meter.drain(), undefined)
})

test('sends usage that the store rejects again as it is, logs that once, and then sends later usage', async (t) => {
  const { dashboard, events, meter } = start(
    t,
    `addUsage(batch) {
       logBatch(batch)
       return ++batches < 3 ? { stored: false, error: 'disk full' } : { stored: true }
     }`,
  )
  const key = { id: 'one', usage: undefined }
  use(meter, 3, key)
  await eventually(() => events.length === 2)
  use(meter, 2, key)
  await eventually(() => events.some(({ message }) => message === 'usage storing recovered'))
  await dashboard.stop()
  assert.deepEqual(
    events.map(({ message, fields }) => [message, fields.count ?? fields.error, fields.number]),
    [
      ['batch', 3, 1],
      ['usage could not be stored', 'disk full', undefined],
      ['batch', 3, 1],
      ['batch', 3, 1],
      ['usage storing recovered', undefined, undefined],
      ['batch', 2, 2],
    ],
  )
})

test('a thread that dies loses no counts, and pending requests get 503', async (t) => {
  const died = join(tempFolder(t), 'died')
  const { dashboard, events, meter } = start(
    t,
    `respond: () => process.exit(3),
     addUsage(batch) {
       const { existsSync, writeFileSync } = process.getBuiltinModule('fs')
       if (!existsSync(${JSON.stringify(died)})) {
         writeFileSync(${JSON.stringify(died)}, '')
         process.exit(4)
       }
       logBatch(batch)
       return { stored: true }
     }`,
  )
  const response = await fetch(`${await serve(t, dashboard)}/api/me`)
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1'])
  use(meter, 3)
  await eventually(() => events.some(({ message }) => message === 'batch'))
  assert.equal(events.filter(({ message }) => message === 'thread died').length, 2)
  assert.deepEqual(events.find(({ message }) => message === 'batch')?.fields, { count: 3, used: 1, number: 1 })
})

test('logs counts that cannot be stored when it stops', async (t) => {
  const { dashboard, events, meter } = start(t, `addUsage: () => ({ stored: false, error: 'no' })`)
  use(meter, 5)
  await dashboard.stop()
  assert.deepEqual(
    events.map(({ message }) => message),
    ['usage could not be stored', 'usage was lost'],
  )
  assert.equal(events[1].fields.requests, 5)
})
