import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type App, startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { COMMAND_LINE } from '../src/store/contracts/audit.ts'
import type { Store } from '../src/store/contracts/store.ts'
import { openStore } from '../src/store/open-store.ts'
import { openLog } from '../src/workers/log.ts'
import { eventually } from './support/eventually.ts'
import { freePort } from './support/free-port.ts'
import { syncClinic, tempDatabaseUrl } from './support/store/temp-store.ts'

const SLOTS_PATH = '/v1/scheduling/slots'
/** So many that both threads get some, with a probability of failure of 2 ** -39. */
const CONNECTIONS = 40

test('two threads of a node serve the same responses on one port and count each request once', async (t) => {
  const node = await Node.start(t, { workers: 2, slots: 30 })
  const { secret, id, organizationId } = await node.newKey()
  let ofMainThread = 0
  const count = () => ofMainThread++
  subscribe('http.server.request.start', count)
  t.after(() => unsubscribe('http.server.request.start', count))
  const answers = await node.askOnEachConnection(secret)
  const ofBoth = new Set(answers.map(({ status, etag, text }) => `${status} ${etag} ${text}`))
  assert.equal(ofBoth.size, 1, [...ofBoth].join('\n'))
  assert.equal(JSON.parse(answers[0].text).total, 30)
  assert.ok(ofMainThread > 0 && ofMainThread < CONNECTIONS, `${ofMainThread} of ${CONNECTIONS}`)
  await node.askOnEachConnection(secret)
  await node.stop()
  const store = await openStore(node.databaseUrl)
  t.after(() => store.close())
  const hours = await store.usage.hours({ organizationId, fromMs: 0, toMs: Date.now() + 3_600_000 })
  assert.equal(
    hours.reduce((sum, hour) => sum + hour.requests, 0),
    2 * CONNECTIONS,
  )
  const logged = await store.requestLog.list({ organizationId, keyId: id }, { limit: 1000 })
  // The batches of the threads follow each other, so their times overlap.
  assert.equal(logged.length, 2 * CONNECTIONS)
  assert.equal(new Set(logged.map(({ requestId }) => requestId)).size, 2 * CONNECTIONS)
})

test('both threads reject a key before its revocation is confirmed, even on connections that used it', async (t) => {
  const node = await Node.start(t, { workers: 2 })
  for (let round = 0; round < 3; round++) {
    const { secret, id, organizationId } = await node.newKey()
    const before = await node.askOnEachConnection(secret)
    assert.deepEqual(statuses(before), [200])
    await node.call('POST', `/api/organizations/${organizationId}/keys/${id}/revoke`, {})
    const after = await node.askOnEachConnection(secret)
    assert.deepEqual(statuses(after), [401])
  }
})

test('both threads apply an edit of a key before it is confirmed, even on connections that used it', async (t) => {
  const node = await Node.start(t, { workers: 2 })
  const { secret, id, organizationId } = await node.newKey()
  const path = `/api/organizations/${organizationId}/keys/${id}`
  assert.deepEqual(statuses(await node.askOnEachConnection(secret)), [200])
  for (let round = 0; round < 3; round++) {
    await node.call('PATCH', path, { networks: ['203.0.113.0/24'] })
    assert.deepEqual(statuses(await node.askOnEachConnection(secret)), [403])
    await node.call('PATCH', path, { networks: ['127.0.0.1'] })
    assert.deepEqual(statuses(await node.askOnEachConnection(secret)), [200])
  }
})

test('both threads apply a suspension and a resumption before they are confirmed', async (t) => {
  const node = await Node.start(t, { workers: 2 })
  const { secret, organizationId } = await node.newKey()
  const path = `/api/operator/organizations/${organizationId}`
  await node.withStore(async (store) => {
    const [{ userId }] = await store.memberships.list(organizationId, { limit: 1 })
    await store.operators.add(userId)
  })
  assert.deepEqual(statuses(await node.askOnEachConnection(secret)), [200])
  for (let round = 0; round < 3; round++) {
    await node.call('POST', `${path}/suspend`, { reason: 'Unknown networks' })
    assert.deepEqual(statuses(await node.askOnEachConnection(secret)), [403])
    await node.call('POST', `${path}/resume`, {})
    assert.deepEqual(statuses(await node.askOnEachConnection(secret)), [200])
  }
})

test('a suspension and a resumption by another process reach both threads', async (t) => {
  const node = await Node.start(t, { workers: 2 })
  const { secret, organizationId } = await node.newKey()
  const reaches = (status: number) =>
    eventually(async () => String(statuses(await node.askOnEachConnection(secret))) === String(status))
  await node.withStore(async ({ organizations }) => {
    await organizations.suspend(organizationId, 'Unknown networks', COMMAND_LINE)
    await reaches(403)
    await organizations.resume(organizationId, COMMAND_LINE)
    await reaches(200)
  })
})

test('both threads serve the dashboard API, the pages and the health checks', async (t) => {
  const node = await Node.start(t, { workers: 2 })
  for (const path of ['/readyz', '/livez', '/docs', '/api/me', '/nothing']) {
    const answers = await node.askOnEachConnection('', path)
    const ofBoth = new Set(answers.map(({ status, text }) => `${status} ${text}`))
    assert.equal(ofBoth.size, 1, `${path}: ${[...ofBoth].join('\n')}`)
  }
})

test('a node with three threads stops completely and frees its port', async (t) => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
  const node = await Node.start(t, { workers: 3 })
  assert.ok(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length > before)
  await node.stop()
  assert.equal(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length, before)
  const server = createServer().listen(node.port, '127.0.0.1')
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  await new Promise((resolve) => server.close(resolve))
})

test('a node with two threads does not start beside another on its port', async (t) => {
  const node = await Node.start(t, { workers: 2 })
  const config = readConfig({ ...node.env, DATABASE_URL: tempDatabaseUrl() })
  await assert.rejects(startApp(config, openLog('silent')), { code: 'EADDRINUSE' })
})

interface QueryResult {
  readonly status: number
  readonly etag: string | undefined
  readonly text: string
}

const statuses = (answers: readonly QueryResult[]) => [...new Set(answers.map(({ status }) => status))]

/** A node in this process, with clients on persistent connections and a signed-up person. */
class Node {
  readonly env: Record<string, string>
  readonly #agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  #app: App | undefined
  #cookie = ''

  private constructor(env: Record<string, string>) {
    this.env = env
  }

  static async start(t: TestContext, { workers, slots = 0 }: { workers: number; slots?: number }) {
    const node = new Node({
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATABASE_URL: tempDatabaseUrl(),
      WORKERS: String(workers),
      SIGN_UP: 'open',
    })
    if (slots > 0) await node.#publish(slots)
    t.after(() => node.stop())
    node.#app = await startApp(readConfig(node.env), openLog('error'))
    await eventually(async () => (await node.#ask('/readyz')).status === 200)
    return node
  }

  get port(): number {
    return Number(this.env.PORT)
  }

  get databaseUrl(): string {
    return this.env.DATABASE_URL
  }

  /** A key that a signed-up person created. */
  async newKey(): Promise<{ id: string; secret: string; organizationId: string }> {
    const email = `${Math.random()}@example.org`
    await this.call('POST', '/api/auth/sign-up/email', { name: 'Ada', email, password: 'a long passphrase' })
    const organization = JSON.parse(await this.call('POST', '/api/organizations', { name: email }))
    const path = `/api/organizations/${organization.id}/keys`
    const { key, secret } = JSON.parse(await this.call('POST', path, { name: 'web' }))
    return { id: key.id, secret, organizationId: organization.id }
  }

  /** The response of the dashboard API to a signed-up person. */
  async call(method: string, path: string, body: object): Promise<string> {
    const origin = `http://localhost:${this.port}`
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { origin, cookie: this.#cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    if (cookies.length > 0) this.#cookie = cookies.join('; ')
    return text
  }

  /** By another process on the same store. */
  async withStore(use: (store: Store) => Promise<void>): Promise<void> {
    const store = await openStore(this.databaseUrl)
    await use(store).finally(() => store.close())
  }

  askOnEachConnection(key: string, path = SLOTS_PATH): Promise<QueryResult[]> {
    return Promise.all(this.#agents.map((agent) => this.#ask(path, key, agent)))
  }

  async stop(): Promise<void> {
    for (const agent of this.#agents) agent.destroy()
    await this.#app?.close()
    this.#app = undefined
  }

  #ask(path: string, key = '', agent?: Agent): Promise<QueryResult> {
    const headers = key === '' ? {} : { authorization: `Bearer ${key}` }
    const options = { port: this.port, host: '127.0.0.1', path, headers, agent: agent ?? false }
    return new Promise((resolve, reject) => {
      const asked = request(options, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString()
        resolve({ status: response.statusCode ?? 0, etag: response.headers.etag, text })
      })
      asked.on('error', reject).end()
    })
  }

  async #publish(count: number): Promise<void> {
    const store = await openStore(this.databaseUrl)
    await store.sources.add({
      slug: 'clinic',
      url: 'https://clinic.test/',
      strict: false,
      everyMs: 86_400_000,
    })
    await syncClinic(store, count)
    await store.close()
  }
}
