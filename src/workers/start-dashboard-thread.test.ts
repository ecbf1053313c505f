import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { eventually } from '../../test/support/eventually.ts'
import type { NodeQuery } from '../http/node-query.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import { type MeteredKey, UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { AccountThreadOptions } from './dashboard-thread-options.ts'
import { startAccountThread } from './start-dashboard-thread.ts'

const OPTIONS: AccountThreadOptions = {
  databaseUrl: 'sqlite:./unused.db',
  baseUrl: 'http://localhost',
  dashboardUrl: 'http://localhost/',
  docsUrl: 'http://localhost/docs',
  version: '1.2.3',
  allowPrivateSources: false,
  uploadBytesMax: 1_000_000,
  alerts: { emails: [] },
  account: { signUp: 'open', signUpDomains: [], passwordSignIn: true, operatorEmails: [], mailFrom: 'x@y' },
}

const MINTED = mintApiKey({ organizationId: 'org', name: 'one' }, 0)

/** Answers what it was asked with what it knows; `take` says what else is done with a message. */
const worker = (take: string) => `
  import { parentPort as port, workerData } from 'node:worker_threads'
  const post = (message) => port.postMessage(message)
  const answer = (id, status, value) => post({ kind: 'response', id,
    response: { status, headers: [['content-type', 'application/json']], body: Buffer.from(JSON.stringify(value)) } })
  let batches = 0
  port.on('message', (message) => {
    if (message === 'stop') return port.close()
    ${take}
  })`

function start(t: TestContext, take: string) {
  const folder = mkdtempSync(join(tmpdir(), 'account-thread-test-'))
  const path = join(folder, 'entry.mjs')
  writeFileSync(path, worker(take))
  const events: LogEvent[] = []
  const asked: NodeQuery[] = []
  const keyRing = new KeyRing()
  const meter = new UsageMeter()
  const accounts = startAccountThread(OPTIONS, {
    entry: pathToFileURL(path),
    keyRing,
    meter,
    trustedProxies: 0,
    uploadBytesMax: 1_000_000,
    answer: (question) => {
      asked.push(question)
      return { status: 200, headers: [], body: new TextEncoder().encode('the answer') }
    },
    onEvent: (event) => events.push(event),
  })
  t.after(async () => {
    await accounts.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { accounts, events, asked, keyRing, meter }
}

async function serve(t: TestContext, accounts: ReturnType<typeof start>['accounts']): Promise<string> {
  const server = createServer((request, response) => accounts.handle({ request, response, requestId: 'r' }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function use(meter: UsageMeter, times: number, key: MeteredKey = { id: 'one', usage: undefined }): void {
  const exchange = { request: { method: 'GET', url: '/' }, response: { statusCode: 200 }, requestId: 'r' }
  for (let n = 0; n < times; n++) meter.note(key, exchange, n, 1)
}

/** What the threads of these tests tell of a batch. */
const COUNT = `const count = message.batch.requests.reduce((sum, each) => sum + each.count, 0)
  post({ kind: 'event', event: { level: 'info', message: 'batch', fields: { count, used: message.batch.lastUsed.size } } })`

test('a request is answered by the thread, a question of the thread by this side', async (t) => {
  const { accounts, asked } = start(
    t,
    `if (message.kind === 'request') {
       globalThis.id = message.id
       post({ kind: 'ask', id: 7, question: { about: 'days', search: message.request.target } })
     }
     if (message.kind === 'answer') answer(globalThis.id, 200,
       { id: message.id, text: Buffer.from(message.answer.body).toString(), version: workerData.version })`,
  )
  const response = await fetch(`${await serve(t, accounts)}/api/me`)
  assert.deepEqual(await response.json(), { id: 7, text: 'the answer', version: '1.2.3' })
  assert.deepEqual(asked, [{ about: 'days', search: '/api/me' }])
})

test('a key that was made or revoked is known before the answer that tells of it', async (t) => {
  const { accounts, keyRing } = start(
    t,
    `const key = JSON.parse(Buffer.from(message.request.body))
     post({ kind: 'keys', keys: [key] })
     answer(message.id, 200, {})`,
  )
  const origin = await serve(t, accounts)
  const post = (key: object) =>
    fetch(`${origin}/api/keys`, { method: 'POST', body: JSON.stringify(key) }).then((each) => each.text())
  await post(MINTED.key)
  assert.ok(keyRing.find(MINTED.secret, 1))
  await post({ ...MINTED.key, revokedAtMs: 1 })
  assert.equal(keyRing.find(MINTED.secret, 1), undefined)
})

test('usage is handed over within seconds, and what came since at the end', async (t) => {
  const { accounts, events, meter } = start(t, `${COUNT}; post({ kind: 'counted', id: message.id })`)
  use(meter, 3)
  await eventually(() => events.length === 1)
  use(meter, 2)
  await accounts.stop()
  assert.deepEqual(
    events.map(({ message, fields }) => [message, fields.count, fields.used]),
    [
      ['batch', 3, 1],
      ['batch', 2, 1],
    ],
  )
  assert.equal(meter.drain(), undefined)
})

test('a store that refuses writes loses no use and kills nothing, and is told of once', async (t) => {
  const { events, meter } = start(
    t,
    `${COUNT}
     post(++batches < 3 ? { kind: 'uncounted', id: message.id, reason: 'disk full' } : { kind: 'counted', id: message.id })`,
  )
  use(meter, 3)
  await eventually(() => events.some(({ message }) => message === 'usage was written again'))
  assert.deepEqual(
    events.map(({ level, message, fields }) => [level, message, fields.count ?? fields.error]),
    [
      ['info', 'batch', 3],
      ['error', 'usage could not be written, and is kept', 'disk full'],
      ['info', 'batch', 3],
      ['info', 'batch', 3],
      ['info', 'usage was written again', undefined],
    ],
  )
})

test('a thread that dies takes no counts with it, and whoever waited is told to come again', async (t) => {
  const { accounts, events, meter } = start(
    t,
    `if (message.kind === 'request') process.exit(3)
     else if (message.batch.requests[0].count === 3) process.exit(4)
     else { ${COUNT}; post({ kind: 'counted', id: message.id }) }`,
  )
  const response = await fetch(`${await serve(t, accounts)}/api/me`)
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1'])
  const key = { id: 'one', usage: undefined }
  use(meter, 3, key)
  await eventually(() => events.filter(({ message }) => message === 'thread died').length === 2)
  use(meter, 1, key)
  await eventually(() => events.some(({ message }) => message === 'batch'))
  assert.equal(events.find(({ message }) => message === 'batch')?.fields.count, 4)
})

test('counts that cannot be written at the end are told of', async (t) => {
  const { accounts, events, meter } = start(t, `post({ kind: 'uncounted', id: message.id, reason: 'no' })`)
  use(meter, 5)
  await accounts.stop()
  assert.deepEqual(
    events.map(({ message }) => message),
    ['usage could not be written, and is kept', 'usage was lost'],
  )
  assert.equal(events[1].fields.requests, 5)
})
