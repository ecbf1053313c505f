import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startPublisher } from '../demo/publisher.ts'
import { PostgresServer } from './postgres/postgres-server.ts'
import { eventually } from './support/eventually.ts'
import { freePort } from './support/free-port.ts'
import { naiveSelect, naiveSlots } from './support/naive-feed.ts'
import { RunningService } from './support/running-service.ts'
import { Visitor } from './support/visitor.ts'

test('a node serves from memory while its database is unavailable, reports it, and recovers without a restart', async (t) => {
  const { server, service } = await nodeOnPostgres(t)
  service.env.METRICS_PORT = String(await freePort())
  const published = await publish(t, service)
  await service.serve()
  const ada = await Visitor.signUp(service, 'ada@example.org')
  const org = (await ada.json('POST', '/api/organizations', { name: 'Acme' })).id
  const keys = `/api/organizations/${org}/keys`
  const { secret } = await ada.json('POST', keys, { name: 'before' })
  const counted = await ada.json('POST', keys, { name: 'counted' })
  await eventually(async () => (await service.slots(secret, '')).body.total === published)
  assert.equal((await readiness(service)).store.status, 'ok')

  const since = await exportedRevision(service, secret)
  assert.equal((await changes(service, secret, since)).status, 200)

  await server.kill()
  await eventually(async () => (await readiness(service)).store.status === 'unavailable')
  for (let n = 0; n < 20; n++) {
    const { status, body } = await service.slots(counted.secret, `offset=${n}`)
    assert.deepEqual([status, body.total], [200, published])
  }
  const untold = await changes(service, secret, since)
  assert.deepEqual([untold.status, untold.headers.get('retry-after')], [503, '5'])
  const { status, draining } = await readiness(service)
  assert.deepEqual([status, draining], ['ready', false])
  assert.equal(await metric(service, 'slots_store_up'), 0)
  const credentials = { email: 'ada@example.org', password: 'a long enough password' }
  for (const [method, path, body] of [
    ['GET', '/api/me'],
    ['GET', keys],
    ['POST', keys, { name: 'while away' }],
    ['POST', '/api/auth/sign-in/email', credentials],
    ['POST', '/api/auth/sign-up/email', { ...credentials, email: 'bea@example.org', name: 'Bea' }],
    ['GET', '/api/auth/get-session'],
  ] as const) {
    const refused = await ada.ask(method, path, body)
    assert.deepEqual(
      [refused.status, refused.headers.get('retry-after'), (await refused.json()).code],
      [503, '5', 'not-ready'],
      `${method} ${path}`,
    )
  }

  await server.resume()
  await eventually(async () => (await readiness(service)).store.status === 'ok')
  await eventually(async () => (await ada.ask('GET', '/api/me')).ok)
  assert.equal((await changes(service, secret, since)).status, 200)
  const listed: { name: string }[] = (await ada.json('GET', keys)).keys
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['counted', 'before'],
  )
  const bea = { ...credentials, email: 'bea@example.org' }
  assert.equal((await ada.ask('POST', '/api/auth/sign-in/email', bea)).status, 401)
  const after = await ada.json('POST', keys, { name: 'after' })
  assert.equal((await service.slots(after.secret, '')).status, 200)
  await eventually(async () => (await usesOf(ada, org, counted.key.id)) === 20)
  assert.equal(await metric(service, 'slots_store_up'), 1)
  assert.ok((await metric(service, 'slots_store_unavailable_seconds_total')) > 0)
  assert.deepEqual(storeLines(service), ['store became unavailable', 'store became available'])
})

test('a node that starts while its database is unavailable waits, logs it once and then continues', async (t) => {
  const { server, service } = await nodeOnPostgres(t)
  await server.kill()
  service.launch()
  await service.logged('store became unavailable')
  // It listens a moment after this line of its log.
  await eventually(() => fetch(`${service.origin}/readyz`).catch(() => undefined))
  const { status, store } = await readiness(service)
  assert.deepEqual([status, store.kind, store.status], ['loading', 'postgres', 'unavailable'])
  assert.equal((await fetch(`${service.origin}/readyz`)).status, 503)
  assert.equal((await service.slots('svc_sk_unknown', '')).status, 503)
  assert.equal((await fetch(`${service.origin}/api/options`)).status, 503)
  await server.resume()
  await eventually(async () => (await fetch(`${service.origin}/readyz`)).ok)
  await eventually(async () => (await fetch(`${service.origin}/api/options`)).ok)
  await eventually(async () => storeLines(service).length === 2)
  assert.deepEqual(storeLines(service), ['store became unavailable', 'store became available'])
})

test('finds a promoted standby without a restart, with all acknowledged writes', async (t) => {
  const ended = new AsyncDisposableStack()
  t.after(() => ended.disposeAsync())
  const server = ended.use(await PostgresServer.start())
  const standby = ended.use(await server.createStandby())
  const service = ended.use(await serviceOn(server))
  const { DATABASE_URL: url = '' } = service.env
  service.env.DATABASE_URL = url.replace(/:\d+\//, (port) => `${port.slice(0, -1)},127.0.0.1:${standby.port}/`)
  const published = await publish(t, service)
  await service.serve()
  const ada = await Visitor.signUp(service, 'ada@example.org')
  const org = (await ada.json('POST', '/api/organizations', { name: 'Acme' })).id
  const keys = `/api/organizations/${org}/keys`
  const { secret, key } = await ada.json('POST', keys, { name: 'before' })
  await eventually(async () => (await service.slots(secret, '')).body.total === published)
  await ada.json('POST', `${keys}/${key.id}/revoke`, { reason: 'lost' })
  const { secret: kept } = await ada.json('POST', keys, { name: 'kept' })
  const since = await exportedRevision(service, kept)

  await server.kill()
  await standby.promote()
  await eventually(async () => (await ada.ask('GET', '/api/me')).ok)
  const listed: { name: string; status: string }[] = (await ada.json('GET', keys)).keys
  assert.deepEqual(
    listed.map(({ name, status }) => [name, status]),
    [
      ['kept', 'active'],
      ['before', 'revoked'],
    ],
  )
  const { secret: after } = await ada.json('POST', keys, { name: 'after' })
  await eventually(async () => (await readiness(service)).store.status === 'ok')
  for (const [shown, expected] of [
    [secret, 401],
    [kept, 200],
    [after, 200],
  ] as const) {
    assert.equal((await service.slots(shown, '')).status, expected)
  }
  assert.equal((await service.slots(kept, '')).body.total, published)
  // The standby may lack a commit, and give its number to another.
  assert.equal((await changes(service, kept, since)).status, 410)
  await eventually(async () => (await changes(service, kept, await exportedRevision(service, kept))).ok)
})

async function nodeOnPostgres(t: TestContext): Promise<{ server: PostgresServer; service: RunningService }> {
  const ended = new AsyncDisposableStack()
  t.after(() => ended.disposeAsync())
  const server = ended.use(await PostgresServer.start())
  return { server, service: ended.use(await serviceOn(server)) }
}

async function serviceOn(server: PostgresServer): Promise<RunningService> {
  const service = await RunningService.prepare()
  service.env.DATABASE_URL = await server.createDatabase()
  service.env.LOG_LEVEL = 'info'
  return service
}

/** Adds a source of 300 slots. Returns how many of them are open. */
async function publish(t: TestContext, service: RunningService): Promise<number> {
  const nowMs = Date.now()
  const publisher = await startPublisher({ port: 0, slots: 300, seed: 7, clock: () => nowMs })
  t.after(() => publisher.close())
  await service.run('source', 'add', 'sample', publisher.url)
  return naiveSelect(await naiveSlots(publisher.url, 'sample'), { status: 'free' }).length
}

/** The revision of an export, from which changes continue. */
async function exportedRevision(service: RunningService, secret: string): Promise<string> {
  const headers = { authorization: `Bearer ${secret}`, accept: 'application/x-ndjson' }
  const response = await fetch(`${service.origin}/v1/scheduling/slots`, { method: 'HEAD', headers })
  return response.headers.get('slots-revision') ?? ''
}

function changes(service: RunningService, secret: string, since: string): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}` }
  return fetch(`${service.origin}/v1/scheduling/changes?since=${since}`, { headers })
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at it by assertions
async function readiness(service: RunningService): Promise<any> {
  return (await fetch(`${service.origin}/readyz?verbose`)).json()
}

async function metric({ env }: RunningService, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

async function usesOf(visitor: Visitor, org: string, keyId: string): Promise<number> {
  const range = new URLSearchParams({
    fromMs: String(Date.now() - 7_200_000),
    toMs: String(Date.now() + 3_600_000),
  })
  const { hours } = await visitor.json('GET', `/api/organizations/${org}/usage?${range}`)
  return (hours as { keyId: string; requests: number }[])
    .filter((hour) => hour.keyId === keyId)
    .reduce((sum, { requests }) => sum + requests, 0)
}

/** Log events about the store, and all other warnings and errors. */
function storeLines(service: RunningService): unknown[] {
  return service
    .lines()
    .filter(({ msg, level }) => String(msg).startsWith('store became') || level === 'error')
    .map(({ msg }) => msg)
}
