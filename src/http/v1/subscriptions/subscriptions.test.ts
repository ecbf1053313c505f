import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { RunningService } from '../../../../test/support/running-service.ts'
import { mintApiKey } from '../../../keys/mint-key.ts'
import { COMMAND_LINE } from '../../../store/contracts/audit.ts'
import { SUBSCRIPTION_EDITS_MAX } from '../../../store/contracts/subscriptions.ts'
import { openStore } from '../../../store/open-store.ts'

const PATH = '/v1/scheduling/subscriptions'
const NEW = { url: 'https://app.example.com/hook', filters: { state: ['MA', 'NY'], isVirtual: true } }

const { ask, other, audit } = await start()
/** Of the subscription that the first test creates. */
let id = ''

test('creates one and shows its secret once', async () => {
  const { status, headers, body } = await ask('POST', PATH, NEW)
  assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store'])
  id = String(body.id)
  assert.match(id, /^sub_[0-9a-f]{20}$/)
  assert.match(String(headers.get('location')), new RegExp(`${PATH}/${id}$`))
  const { secret, createdAt, updatedAt, createdBy, ...rest } = body
  assert.match(String(secret), /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.match(String(createdBy), /^key web \(….{4}\)$/)
  assert.equal(createdAt, updatedAt)
  const settings = { ...NEW, events: ['slots.opened'], minIntervalSeconds: 60 }
  assert.deepEqual(rest, { id, ...settings, status: 'pending', heldBack: {} })
  const shown = await ask('GET', `${PATH}/${id}`)
  assert.deepEqual([shown.status, shown.body], [200, { ...rest, createdAt, updatedAt, createdBy }])
  assert.deepEqual((await ask('GET', PATH)).body, { subscriptions: [shown.body] })
  const head = await ask('HEAD', `${PATH}/${id}`)
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('has the errors of the list for filters', async () => {
  const { status, body } = await ask('POST', PATH, { ...NEW, filters: { state: 'M' } })
  assert.deepEqual([status, body.error, body.parameter], [400, 'Invalid parameter', 'filters.state'])
  assert.match(String(body.message), /^filters\.state must be a US state .*: got "M"\.$/)
})

test('reports a field that is too long in any body within the limit', async () => {
  const withDescription = (length: number) => ask('POST', PATH, { ...NEW, description: 'x'.repeat(length) })
  const { status, body } = await withDescription(60_000)
  assert.deepEqual([status, body.parameter], [400, 'description'])
  const tooLarge = await withDescription(70_000)
  assert.deepEqual([tooLarge.status, tooLarge.body.message], [413, 'The body must be at most 65536 bytes.'])
})

test('refuses other bodies, methods and addresses', async () => {
  const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status
  assert.equal(await statusOf('POST', PATH, { ...NEW, url: 'https://127.0.0.1/' }), 400)
  assert.equal(await statusOf('POST', PATH, undefined), 400)
  assert.equal(await statusOf('POST', PATH, 'state=MA', 'text/plain'), 415)
  assert.equal(await statusOf('GET', `${PATH}?state=MA`), 400)
  assert.equal(await statusOf('GET', `${PATH}/sub_%00`), 404)
  for (const [path, allow] of [
    [PATH, 'GET, HEAD, POST, OPTIONS'],
    [`${PATH}/${id}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    [`${PATH}/${id}/test`, 'POST, OPTIONS'],
    ['/v1/scheduling/slots', 'GET, HEAD, OPTIONS'],
  ]) {
    const put = await ask('PUT', path, NEW)
    assert.deepEqual([put.status, put.headers.get('allow')], [405, allow])
    const options = await ask('OPTIONS', path)
    assert.deepEqual([options.status, options.headers.get('allow')], [204, allow])
  }
})

test('changes, tests, rotates and lists deliveries', async () => {
  const changed = await ask('PATCH', `${PATH}/${id}`, { description: 'Boston', status: 'paused' })
  assert.deepEqual([changed.status, changed.body.description, changed.body.status], [200, 'Boston', 'paused'])
  const rotated = await ask('POST', `${PATH}/${id}/rotate-secret`)
  assert.equal(rotated.status, 200)
  assert.match(String(rotated.body.secret), /^whsec_/)
  assert.ok(Date.parse(String(rotated.body.previousSecretUntil)) > Date.now())
  const sent = await ask('POST', `${PATH}/${id}/test`)
  assert.deepEqual([sent.status, sent.body.type, sent.body.status], [202, 'subscription.verification', 'queued'])
  const page = await ask('GET', `${PATH}/${id}/deliveries?limit=1`)
  const [first] = page.body.deliveries as { id: string; type: string }[]
  assert.deepEqual([first.id, first.type], [sent.body.id, 'subscription.verification'])
  const [, next] = /<[^>]*(\?[^>]*)>; rel="next"/.exec(String(page.headers.get('link'))) ?? []
  const [second] = (await ask('GET', `${PATH}/${id}/deliveries${next}`)).body.deliveries as (typeof first)[]
  assert.equal(second.type, 'subscription.verification')
  const again = await ask('POST', `${PATH}/${id}/deliveries/${second.id}/retry`)
  assert.deepEqual([again.status, again.body.id], [202, second.id])
})

test('answers 404 to another organization and 429 to a flood', async () => {
  const [event] = (await ask('GET', `${PATH}/${id}/deliveries?limit=1`)).body.deliveries as { id: string }[]
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/rotate-secret'],
    ['GET', '/deliveries'],
    ['POST', `/deliveries/${event.id}/retry`],
  ])
    assert.equal((await other(method, `${PATH}/${id}${path}`, method === 'PATCH' ? {} : undefined)).status, 404)
  assert.deepEqual((await other('GET', PATH)).body, { subscriptions: [] })
  for (let count = 0; count < 8; count++) await ask('POST', `${PATH}/${id}/test`)
  const flood = await ask('POST', `${PATH}/${id}/test`)
  assert.deepEqual([flood.status, flood.headers.get('retry-after')], [429, '60'])
  const moved = await ask('PATCH', `${PATH}/${id}`, { url: 'https://other.example.com/hook', status: 'active' })
  assert.deepEqual([moved.status, moved.body.error], [429, 'Too many requests'])
  const { id: second } = (await ask('POST', PATH, NEW)).body
  const rotate = () => ask('POST', `${PATH}/${second}/rotate-secret`)
  for (let count = 0; count < SUBSCRIPTION_EDITS_MAX; count++) await rotate()
  const rotated = await rotate()
  assert.deepEqual([rotated.status, rotated.body.error], [429, 'Too many requests'])
  const beyond = await ask('POST', PATH, NEW)
  assert.deepEqual([beyond.status, beyond.body.error], [429, 'Too many subscriptions'])
  const page = await ask('GET', `${PATH}?limit=1`)
  const [, next] = /<[^>]*(\?[^>]*)>; rel="next"/.exec(String(page.headers.get('link'))) ?? []
  const rest = (await ask('GET', `${PATH}${next}`)).body.subscriptions as { id: string }[]
  assert.deepEqual(
    rest.map((one) => one.id),
    [id],
  )
})

test('deletes one, and the audit log names the key', async () => {
  assert.equal((await ask('DELETE', `${PATH}/${id}`)).status, 204)
  assert.equal((await ask('GET', `${PATH}/${id}`)).status, 404)
  const entries = (await audit()).filter(({ subject }) => subject === id).toReversed()
  assert.deepEqual(
    entries.map(({ kind }) => kind.replace('subscription.', '')),
    ['created', 'edited', 'paused', 'secret-rotated', 'deleted'],
  )
  assert.ok(entries.every(({ actor }) => actor.name.startsWith('key web (…') && actor.requestId !== undefined))
  assert.ok(!JSON.stringify(entries).includes('whsec_'))
})

async function start() {
  const service = await RunningService.prepare()
  after(() => service[Symbol.asyncDispose]())
  service.env.SUBSCRIPTIONS_MAX = '2'
  const store = await openStore(String(service.env.DATABASE_URL))
  after(() => store.close())
  const organizations = await Promise.all(
    ['Acme', 'Other'].map((name) => store.organizations.create(name, COMMAND_LINE)),
  )
  const callers = organizations.map(async ({ id }) => {
    const { secret, key } = mintApiKey({ organizationId: id, name: 'web' }, Date.now())
    await store.keys.put(key)
    return (method: string, path: string, body?: unknown, type = 'application/json') =>
      call(`${service.origin}${path}`, { method, key: secret, body, type })
  })
  const [ask, other] = await Promise.all(callers)
  await service.serve()
  return { ask, other, audit: () => store.audit.list({ organizationId: organizations[0].id, limit: 200 }) }
}

async function call(
  url: string,
  { method, key, body, type }: { method: string; key: string; body: unknown; type: string },
) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url, {
    method,
    headers: { 'x-api-key': key, ...(sent !== undefined && { 'content-type': type }) },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}
