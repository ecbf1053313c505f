import assert from 'node:assert/strict'
import { Agent, type RequestOptions, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type App, startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { mintApiKey } from '../src/keys/mint-key.ts'
import type { Store } from '../src/store/contracts/store.ts'
import { openStore } from '../src/store/open-store.ts'
import { openLog } from '../src/workers/log.ts'
import { eventually } from './support/eventually.ts'
import { freePort } from './support/free-port.ts'
import { syncClinic, tempDatabaseUrl } from './support/store/temp-store.ts'

/** So many that both threads get some, with a probability of failure of 2 ** -23. */
const CONNECTIONS = 24
const PUBLISHERS = '/v1/scheduling/publishers'

test('each thread knows the publishers when it is ready, and their changes within seconds', async (t) => {
  const { store, ask } = await node(t)
  for (const { text, cacheControl } of await ask(PUBLISHERS)) {
    const [clinic] = JSON.parse(text).publishers
    assert.deepEqual([clinic.publisher, clinic.name], ['clinic', 'The Clinic'])
    assert.deepEqual(clinic.slots, { free: 30, busy: 0, 'busy-unavailable': 0, 'busy-tentative': 0 })
    assert.ok(Math.abs(Date.parse(clinic.lastSyncAt) - Date.now()) < 60_000)
    assert.ok(Date.parse(clinic.nextSyncAt) > Date.now())
    assert.equal(cacheControl, 'private, max-age=60')
  }
  // Health is evaluated after the start and sent to one thread after another.
  await eventually(async () => {
    const [first, ...others] = await ask(PUBLISHERS)
    const isJudged = JSON.parse(first.text).publishers[0].status === 'healthy'
    return isJudged && others.every((other) => isDeepStrictEqual(other, first))
  })

  await store.sources.setPaused('clinic', true)
  await store.sources.add({ slug: 'other', url: 'https://other.invalid/', strict: false })
  await eventually(async () => {
    const answers = await ask(PUBLISHERS)
    return answers.every(({ text }) => {
      const { publishers } = JSON.parse(text)
      return publishers.length === 2 && publishers[0].status === 'paused'
    })
  })
  await store.sources.remove('other')
  await eventually(async () => (await ask(PUBLISHERS)).every(({ text }) => JSON.parse(text).total === 1))
})

test('each thread returns the same facets and actors', async (t) => {
  const { ask } = await node(t)
  for (const path of ['/v1/scheduling/facets?timeZone=Asia/Tokyo', '/v1/scheduling/actors']) {
    const [first, ...others] = await ask(path)
    assert.equal(JSON.parse(first.text).total, path.includes('facets') ? 30 : 1)
    for (const other of others) assert.deepEqual(other, first)
  }
})

interface QueryResult {
  readonly etag: string | undefined
  readonly cacheControl: string | undefined
  readonly text: string
}

/** Two threads over one clinic of thirty slots, and how to ask over many connections. */
async function node(t: TestContext): Promise<{ store: Store; ask: (path: string) => Promise<QueryResult[]> }> {
  const port = await freePort()
  const env = { HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: tempDatabaseUrl(), WORKERS: '2' }
  const store = await openStore(env.DATABASE_URL)
  t.after(() => store.close())
  const key = await fill(store)
  const app: App = await startApp(readConfig(env), openLog('silent'))
  t.after(() => app.close())
  const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  t.after(() => {
    for (const agent of agents) agent.destroy()
  })
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)
  const ask = (path: string) =>
    Promise.all(
      agents.map((agent) => answerTo({ host: '127.0.0.1', port, path, agent, headers: { 'x-api-key': key } })),
    )
  return { store, ask }
}

/** Returns the secret of a key. */
async function fill(store: Store): Promise<string> {
  await store.sources.add({
    slug: 'clinic',
    name: 'The Clinic',
    url: 'https://clinic.invalid/',
    strict: false,
    everyMs: 86_400_000,
  })
  await syncClinic(store, 30)
  const { id } = await store.organizations.create('Callers')
  const { secret, key } = mintApiKey({ organizationId: id, name: 'web' }, Date.now())
  await store.keys.put(key)
  return secret
}

function answerTo(options: RequestOptions): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const asked = request(options, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      const { etag, 'cache-control': cacheControl } = response.headers
      resolve({ etag, cacheControl, text })
    })
    asked.on('error', reject).end()
  })
}
