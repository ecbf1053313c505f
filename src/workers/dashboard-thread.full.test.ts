import assert from 'node:assert/strict'
import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { dashboardThreadOptions } from '../../test/support/dashboard-thread-options.ts'
import { eventually } from '../../test/support/eventually.ts'
import { openTempStore, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import type { UsageBatch } from '../keys/usage-batch.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { Channel } from './channel.ts'
import type { DashboardOperations, DashboardParent, DashboardThreadOptions } from './dashboard-messages.ts'

const ORIGIN = 'http://localhost:8080'

let shared: Promise<DashboardThread> | undefined

after(async () => void (await (await shared)?.stop()))

/** One thread for all tests that need no other settings, as for a new client. */
async function sharedThread(): Promise<DashboardThread> {
  shared ??= DashboardThread.start()
  const thread = await shared
  thread.reset()
  return thread
}

test('signs people in, and applies keys before the response that reports them', async () => {
  const thread = await sharedThread()
  await thread.signUp('ada@example.org')
  const { id: org } = await thread.json('POST', '/api/organizations', { name: 'Acme' })
  let isApplied = false
  thread.applyKeys = async (keys) => {
    await sleep(50)
    thread.keys.push(...keys)
    isApplied = true
  }
  const { secret, key } = await thread.json('POST', `/api/organizations/${org}/keys`, { name: 'web' })
  assert.match(secret, /^svc_sk_/)
  assert.equal(isApplied, true)
  assert.equal(thread.keys.at(-1)?.id, key.id)
})

test('creates a setup link at the start in a terminal, which makes one person the operator', async (t) => {
  const thread = await DashboardThread.start(t, {}, { isTerminal: true })
  await eventually(() => thread.events.length > 0)
  const [event] = thread.events
  assert.deepEqual([event.level, event.message], ['info', 'setup link made'])
  const [, token] = /^http:\/\/localhost:8080\/app\/setup#([\w-]{43})$/.exec(String(event.fields.link)) ?? []
  await thread.signUp('ada@example.org')
  assert.equal((await thread.ask('POST', '/api/setup', { token: 'wrong' })).status, 410)
  assert.equal((await thread.json('POST', '/api/setup', { token })).operatorRole, 'operator')
  assert.equal((await thread.ask('GET', '/api/operator/accounts')).status, 200)
  await eventually(() => thread.events.some(({ message }) => message === 'setup link claimed'))
})

test('logs no setup link where standard output is not a terminal', async (t) => {
  const thread = await DashboardThread.start(t)
  await eventually(() => thread.events.length > 0)
  const [event] = thread.events
  assert.equal(event.message, 'no operator yet')
  assert.match(String(event.fields.hint), /"slots operator link"/)
  assert.doesNotMatch(JSON.stringify(thread.events), /setup#/)
})

test('creates no setup link if the configuration names an operator', async (t) => {
  const thread = await DashboardThread.start(t, { operatorEmails: ['ada@example.org'] })
  assert.equal((await thread.ask('GET', '/api/options')).status, 200)
  assert.deepEqual(thread.events, [])
})

test('queries the main thread', async () => {
  const thread = await sharedThread()
  await thread.signUp('bob@example.org')
  assert.deepEqual(await thread.json('GET', '/api/explore/slots?state=MA'), { slots: [], total: 7 })
  // The thread counts open slots on its own schedule, too.
  const asked = thread.queries.filter(({ about }) => about !== 'open-slots')
  const { userId: id } = await thread.json('GET', '/api/me')
  assert.deepEqual(asked, [{ about: 'slots', search: 'state=MA', by: { id, organizationId: id } }])
})

test('queries nothing any more for a client that has closed its connection', async () => {
  const thread = await sharedThread()
  await thread.signUp('carol@example.org')
  const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_slots', arguments: {} } }
  for (const ask of [
    (signal: AbortSignal) => thread.ask('GET', '/api/explore/slots?state=MA', undefined, { signal }),
    (signal: AbortSignal) => thread.ask('POST', '/mcp', tool, { signal, operation: '/mcp' }),
  ]) {
    const asked = Promise.withResolvers<AbortSignal>()
    thread.holdQuery = asked.resolve
    const closed = new AbortController()
    const response = ask(closed.signal)
    const signal = await asked.promise
    closed.abort()
    if (!signal.aborted) await once(signal, 'abort')
    await response
  }
})

test('stores usage', async (t) => {
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  const { id: organizationId } = await store.organizations.create('Acme')
  const { key } = mintApiKey({ organizationId, name: 'web' }, Date.now())
  await store.keys.put(key)
  const thread = await DashboardThread.start(t, {}, { databaseUrl })
  const hourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000
  const batch = usageOf(key.id, hourMs)
  assert.deepEqual(await thread.channel.request('addUsage', batch), { stored: true })
  const range = { organizationId, fromMs: hourMs, toMs: hourMs + 3_600_000 }
  assert.deepEqual(await store.usage.hours(range), [{ hourMs, keyId: key.id, status: 200, requests: 3 }])
})

test('says why usage cannot be stored', async (t) => {
  const databaseUrl = tempDatabaseUrl()
  const path = databaseUrl.replace('sqlite:', '')
  const thread = await DashboardThread.start(t, {}, { databaseUrl })
  const batch = usageOf('key_1', 0)
  assert.deepEqual(await thread.channel.request('addUsage', batch), { stored: true })
  renameSync(path, `${path}.moved`)
  const result = await thread.channel.request('addUsage', batch)
  assert.ok(!result.stored)
  assert.match(result.error ?? '', /^Cannot use the store .*: its file was replaced or deleted/)
  renameSync(`${path}.moved`, path)
})

/** Three requests of a key. */
function usageOf(keyId: string, hourMs: number): UsageBatch {
  return {
    requests: [{ keyId, hourMs, status: 200, count: 3 }],
    latencies: [],
    logged: [],
    addresses: [],
    referrals: [],
    lastUsed: new Map([[keyId, hourMs]]),
  }
}

test('takes the address of a client from the main thread, never from the client', async () => {
  const thread = await sharedThread()
  await thread.signUp('dora@example.org', [['X-Slots-Client-Address', '203.0.113.99']])
  const [session] = await thread.json('GET', '/api/auth/list-sessions')
  assert.equal(session.ipAddress, '192.0.2.1')
})

test('responds to any request, and stops', async (t) => {
  const thread = await DashboardThread.start(t)
  const { status, text } = await thread.ask('TRACE', '/api/me')
  assert.deepEqual([status, JSON.parse(text).detail], [405, 'This path allows GET, HEAD, DELETE: got X-TRACE.'])
  assert.equal((await thread.ask('GET', '//evil.example/api/me')).status, 404)
  assert.equal((await thread.ask('GET', '/api/nothing')).status, 404)
  assert.equal((await thread.ask('GET', '/api/me')).status, 200)
  assert.equal(await thread.stop(), 0)
})

test('lists changes only for requests whose key was checked', async () => {
  const thread = await sharedThread()
  const path = '/v1/scheduling/changes'
  for (const target of [path, `/api/..${path}`]) assert.equal((await thread.ask('GET', target)).status, 404)
  const { status, text } = await thread.operate(path, 'since=1.0')
  assert.deepEqual([status, JSON.parse(text).error], [410, 'Gone'])
})

interface AskOptions {
  readonly headers?: [string, string][]
  readonly signal?: AbortSignal
  readonly operation?: string
}

/** The real thread, and a main thread that records what it is asked to do. */
class DashboardThread {
  readonly events: LogEvent[] = []
  readonly queries: NodeQuery[] = []
  readonly keys: ApiKey[] = []
  /** If set, queries are answered when their signal aborts. */
  holdQuery: ((signal: AbortSignal) => void) | undefined
  readonly channel: Channel<DashboardOperations, DashboardParent>
  applyKeys: (keys: readonly ApiKey[]) => Promise<void>
  readonly #worker: Worker
  #cookie = ''
  #lastId = 0

  private constructor(worker: Worker) {
    this.#worker = worker
    this.applyKeys = this.#keep
    this.channel = new Channel(worker, {
      log: (event) => void this.events.push(event),
      query: (query, signal) => this.#reply(query, signal),
      applyKeys: (keys) => this.applyKeys(keys),
    })
  }

  /** Without `t`, the caller stops it. */
  static async start(
    t?: TestContext,
    settings: Partial<DashboardThreadOptions['account']> = {},
    { databaseUrl = tempDatabaseUrl(), isTerminal = false } = {},
  ): Promise<DashboardThread> {
    const workerData = dashboardThreadOptions(
      { origin: ORIGIN, databaseUrl, isTerminal, service: { name: 'Slots' } },
      settings,
    )
    const worker = new Worker(new URL('./dashboard-thread.ts', import.meta.url), { workerData })
    t?.after(() => worker.terminate())
    return new DashboardThread(worker)
  }

  /** Forgets the session, and what the thread has asked. */
  reset(): void {
    this.#cookie = ''
    this.queries.length = 0
    this.applyKeys = this.#keep
    this.holdQuery = undefined
  }

  async ask(method: string, target: string, body?: object, { headers: more = [], signal, operation }: AskOptions = {}) {
    const id = ++this.#lastId
    const headers: [string, string][] = [
      ['Cookie', this.#cookie],
      ['Origin', ORIGIN],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
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
      ...(operation !== undefined && { operation }),
    }
    return this.#read(await this.channel.request('respond', request, signal && { signal }))
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
    return this.#read(await this.channel.request('respond', request))
  }

  /** As `ask()`, where a success is needed to go on. */
  async json(method: string, target: string, body?: object) {
    const { status, text } = await this.ask(method, target, body)
    assert.ok(status < 300, `${method} ${target}: ${status} ${text}`)
    return JSON.parse(text)
  }

  async signUp(email: string, more: [string, string][] = []): Promise<void> {
    const form = { name: 'Ada', email, password: 'a long enough password' }
    assert.equal((await this.ask('POST', '/api/auth/sign-up/email', form, { headers: more })).status, 200)
  }

  async #replyWhenAborted(signal: AbortSignal): Promise<SerializedResponse> {
    this.holdQuery?.(signal)
    await once(signal, 'abort')
    return { status: 503, headers: [], body: new TextEncoder().encode('{"message":"Closed."}') }
  }

  /** Its exit code. */
  async stop(): Promise<number> {
    this.channel.post('stop', undefined)
    const [code] = await once(this.#worker, 'exit', { signal: AbortSignal.timeout(20_000) })
    return code
  }

  #read({ status, headers, body }: SerializedResponse) {
    for (const [name, value] of headers) {
      if (name.toLowerCase() === 'set-cookie') this.#cookie = value.split(';')[0]
    }
    return { status, text: new TextDecoder().decode(body) }
  }

  #keep = async (keys: readonly ApiKey[]): Promise<void> => void this.keys.push(...keys)

  #reply(query: NodeQuery, signal: AbortSignal): SerializedResponse | Promise<SerializedResponse> {
    this.queries.push(query)
    if (query.about !== 'open-slots' && this.holdQuery !== undefined) return this.#replyWhenAborted(signal)
    const reply = query.about === 'open-slots' ? {} : { slots: [], total: 7 }
    const body = new TextEncoder().encode(JSON.stringify(reply))
    return { status: 200, headers: [['content-type', 'application/json']], body }
  }
}
