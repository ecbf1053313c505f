import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openTempStore, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import type { FromAccountThread, ToAccountThread } from './dashboard-messages.ts'
import type { AccountThreadOptions } from './dashboard-thread-options.ts'
import { STOP } from './supervised-worker.ts'

const ORIGIN = 'http://localhost:8080'

test('signs people in, and tells the main thread of keys before the answer that tells of them', async (t) => {
  const thread = await AccountThread.start(t)
  await thread.signUp('ada@example.org')
  const { id: org } = await thread.json('POST', '/api/organizations', { name: 'Acme' })
  const { secret, key } = await thread.json('POST', `/api/organizations/${org}/keys`, { name: 'web' })
  assert.match(secret, /^svc_sk_/)
  const kinds = thread.told
    .filter(({ kind }) => kind === 'keys' || kind === 'response')
    .map(({ kind }) => kind)
  assert.deepEqual(kinds.slice(-2), ['keys', 'response'])
  const keys = thread.told.findLast((each) => each.kind === 'keys')
  assert.equal(keys?.keys[0].id, key.id)
})

test('makes a setup link at its start, which makes one person the operator', async (t) => {
  const thread = await AccountThread.start(t)
  const { event } = await thread.tells('event')
  assert.deepEqual([event.level, event.message], ['info', 'setup link made'])
  const [, token] = /^http:\/\/localhost:8080\/app\/setup#([\w-]{43})$/.exec(String(event.fields.link)) ?? []
  await thread.signUp('ada@example.org')
  assert.equal((await thread.ask('POST', '/api/setup', { token: 'wrong' })).status, 410)
  assert.equal((await thread.json('POST', '/api/setup', { token })).isOperator, true)
  assert.equal((await thread.ask('GET', '/api/operator/accounts')).status, 200)
})

test('makes no setup link where the configuration names an operator', async (t) => {
  const thread = await AccountThread.start(t, { operatorEmails: ['ada@example.org'] })
  assert.equal((await thread.ask('GET', '/api/options')).status, 200)
  assert.deepEqual(
    thread.told.filter(({ kind }) => kind === 'event'),
    [],
  )
})

test('asks the main thread what only it knows, and passes the answer on', async (t) => {
  const thread = await AccountThread.start(t)
  await thread.signUp('ada@example.org')
  assert.deepEqual(await thread.json('GET', '/api/explore/slots?state=MA'), { slots: [], total: 7 })
  // It counts open slots by itself as well.
  const asked = thread.questions.filter(({ about }) => about !== 'open-slots')
  assert.deepEqual(asked, [{ about: 'slots', search: 'state=MA' }])
})

test('writes usage, and says so', async (t) => {
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  const { id: organizationId } = await store.organizations.create('Acme')
  const { key } = mintApiKey({ organizationId, name: 'web' }, Date.now())
  await store.keys.put(key)
  const thread = await AccountThread.start(t, {}, databaseUrl)
  const hourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000
  const requests = [{ keyId: key.id, hourMs, status: 200, count: 3 }]
  const batch = { requests, latencies: [], recent: [], lastUsed: new Map([[key.id, hourMs]]) }
  thread.post({ kind: 'usage', id: 41, batch })
  assert.equal((await thread.tells('counted')).id, 41)
  const range = { organizationId, fromMs: hourMs, toMs: hourMs + 3_600_000 }
  assert.deepEqual(await store.usage.hours(range), [{ hourMs, keyId: key.id, status: 200, requests: 3 }])
})

test('takes the address of a client from the main thread, never from the client', async (t) => {
  const thread = await AccountThread.start(t)
  await thread.signUp('ada@example.org', [['X-Slots-Client-Address', '203.0.113.99']])
  const [session] = await thread.json('GET', '/api/auth/list-sessions')
  assert.equal(session.ipAddress, '192.0.2.1')
})

test('answers whatever it is asked, and ends when asked to', async (t) => {
  const thread = await AccountThread.start(t)
  assert.equal((await thread.ask('TRACE', '/api/me')).status, 405)
  assert.equal((await thread.ask('GET', '//evil.example/api/me')).status, 404)
  assert.equal((await thread.ask('GET', '/api/nothing')).status, 404)
  assert.equal((await thread.ask('GET', '/api/me')).status, 401)
  assert.equal(await thread.stop(), 0)
})

test('tells changes to those alone whose key the other thread has checked', async (t) => {
  const thread = await AccountThread.start(t)
  const path = '/v1/scheduling/changes'
  for (const target of [path, `/api/..${path}`]) assert.equal((await thread.ask('GET', target)).status, 404)
  const { status, text } = await thread.operate(path, 'since=1.0')
  assert.deepEqual([status, JSON.parse(text).error], [410, 'Gone'])
})

/** The real thread, and a main thread that keeps all it is told. */
class AccountThread {
  readonly told: FromAccountThread[] = []
  readonly questions: NodeQuery[] = []
  readonly #worker: Worker
  #cookie = ''
  #lastId = 0

  private constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (message: FromAccountThread) => {
      this.told.push(message)
      if (message.kind === 'ask') this.#answer(message.id, message.question)
    })
  }

  static async start(
    t: TestContext,
    settings: Partial<AccountThreadOptions['account']> = {},
    databaseUrl = tempDatabaseUrl(),
  ): Promise<AccountThread> {
    const workerData: AccountThreadOptions = {
      databaseUrl,
      baseUrl: ORIGIN,
      dashboardUrl: `${ORIGIN}/`,
      docsUrl: `${ORIGIN}/docs`,
      version: '1.2.3',
      allowPrivateSources: false,
      uploadBytesMax: 1_000_000,
      alerts: { emails: [] },
      account: {
        signUp: 'open',
        signUpDomains: [],
        passwordSignIn: true,
        operatorEmails: [],
        mailFrom: 'a@b',
        ...settings,
      },
    }
    const worker = new Worker(new URL('./dashboard-thread.ts', import.meta.url), { workerData })
    t.after(() => worker.terminate())
    return new AccountThread(worker)
  }

  post(message: ToAccountThread): void {
    this.#worker.postMessage(message)
  }

  /** The first thing of this kind that it tells; throws after twenty seconds. */
  async tells<K extends FromAccountThread['kind']>(
    kind: K,
    fits: (message: FromAccountThread) => boolean = () => true,
  ): Promise<Extract<FromAccountThread, { kind: K }>> {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(5)) {
      const found = this.told.find((message) => message.kind === kind && fits(message))
      if (found !== undefined) return found as Extract<FromAccountThread, { kind: K }>
    }
    throw new Error(`Cannot go on: the thread must tell "${kind}": got ${JSON.stringify(this.told)}`)
  }

  async ask(method: string, target: string, body?: object, more: [string, string][] = []) {
    const id = ++this.#lastId
    const headers: [string, string][] = [
      ['Cookie', this.#cookie],
      ['Origin', ORIGIN],
      ['Content-Type', 'application/json'],
      ...more,
    ]
    const bytes = body && new TextEncoder().encode(JSON.stringify(body))
    const request = {
      method,
      target,
      headers,
      address: '192.0.2.1',
      requestId: `request-${id}`,
      ...(bytes && { body: bytes }),
    }
    this.post({ kind: 'request', id, request })
    const { response } = await this.tells('response', (message) => 'id' in message && message.id === id)
    return this.#read(response)
  }

  /** As the other thread has an operation answered, whose key it checked. */
  async operate(operation: string, search: string) {
    const id = ++this.#lastId
    const target = `${operation}?${search}`
    const request = {
      method: 'GET',
      target,
      headers: [],
      address: '192.0.2.1',
      requestId: `request-${id}`,
      operation,
    }
    this.post({ kind: 'request', id, request })
    const { response } = await this.tells('response', (message) => 'id' in message && message.id === id)
    return this.#read(response)
  }

  /** As `ask()`, where a success is needed to go on. */
  async json(method: string, target: string, body?: object) {
    const { status, text } = await this.ask(method, target, body)
    assert.ok(status < 300, `${method} ${target}: ${status} ${text}`)
    return JSON.parse(text)
  }

  async signUp(email: string, more: [string, string][] = []): Promise<void> {
    const form = { name: 'Ada', email, password: 'a long enough password' }
    assert.equal((await this.ask('POST', '/api/auth/sign-up/email', form, more)).status, 200)
  }

  /** Its exit code. */
  async stop(): Promise<number> {
    this.#worker.postMessage(STOP)
    const [code] = await once(this.#worker, 'exit', { signal: AbortSignal.timeout(20_000) })
    return code
  }

  #read({ status, headers, body }: SerializedResponse) {
    for (const [name, value] of headers) {
      if (name.toLowerCase() === 'set-cookie') this.#cookie = value.split(';')[0]
    }
    return { status, text: new TextDecoder().decode(body) }
  }

  #answer(id: number, question: NodeQuery): void {
    this.questions.push(question)
    const answer = question.about === 'open-slots' ? {} : { slots: [], total: 7 }
    const body = new TextEncoder().encode(JSON.stringify(answer))
    this.post({
      kind: 'answer',
      id,
      answer: { status: 200, headers: [['content-type', 'application/json']], body },
    })
  }
}
