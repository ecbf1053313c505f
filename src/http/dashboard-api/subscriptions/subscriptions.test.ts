import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness, SUBSCRIPTIONS_MAX } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lib/time.ts'
import type { SubscriptionWithSecret } from '../../../shared/contract/subscriptions.ts'
import { SUBSCRIPTION_EDITS_MAX, VERIFICATIONS_MAX } from '../../../store/contracts/subscriptions.ts'

const URL = 'https://receiver.example/slots?token=1'

/** An organization of Ada, and a subscription. */
async function open(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['ada', 'eve']) await harness.addPerson(id)
  const { id: org } = await harness.addOrganization('ada')
  const path = `/api/organizations/${org}/subscriptions`
  const ask = (method: string, below = '', body?: object) => harness.ask(method, `${path}${below}`, { as: 'ada', body })
  const create = async (body: object = { url: URL, filters: 'state=MA&state=NY' }): Promise<SubscriptionWithSecret> =>
    harness.get('POST', path, { as: 'ada', body })
  return { harness, ask, create, path, org }
}

test('creates a subscription, shows its secret once, and stores it encrypted', async (t) => {
  const { harness, ask, create, org } = await open(t)
  const expiresAtMs = harness.nowMs + HOUR_MS
  const { subscription, secret } = await create({
    url: URL,
    filters: 'state=MA&state=NY&isVirtual=true',
    description: 'Our clinic',
    events: ['slots.closed', 'slots.opened'],
    minIntervalSeconds: 300,
    expiresAtMs,
  })
  assert.match(secret, /^whsec_[\w+/]{43}=$/)
  const { id, filters, events, status, minIntervalSeconds, createdBy } = subscription
  assert.deepEqual(
    { filters, events, status, minIntervalSeconds, createdBy, expiresAtMs: subscription.expiresAtMs },
    {
      filters: 'isVirtual=true&state=MA&state=NY',
      events: ['slots.opened', 'slots.closed'],
      status: 'pending',
      minIntervalSeconds: 300,
      createdBy: 'ada@example.org',
      expiresAtMs,
    },
  )
  const [stored] = await harness.store.subscriptions.secrets()
  assert.deepEqual(stored, { id, secret: `encrypted ${secret}` })
  for (const below of ['', `/${id}`]) assert.doesNotMatch((await ask('GET', below)).text, /whsec_/)
  const entries = await harness.get('GET', `/api/organizations/${org}/audit?subject=${id}`, { as: 'ada' })
  assert.deepEqual(
    [entries.entries[0].kind, entries.entries[0].detail.host],
    ['subscription.created', 'receiver.example'],
  )
  assert.doesNotMatch(JSON.stringify(entries), /whsec_|token=1/)
})

test('names the field that is invalid, with the message of the list for filters', async (t) => {
  const { ask } = await open(t)
  for (const [change, field, message] of [
    [{ url: 'http://receiver.example/' }, 'url', /https/],
    [{ url: 'https://10.0.0.1/' }, 'url', /public/],
    [{ filters: 'state=Nowhere' }, 'state', /must be a US state/],
    [{ filters: 'color=red' }, 'color', /color/],
    [{ filters: 'status=busy' }, 'status', /free/],
    [{ expiresAtMs: 1000 }, 'expiresAtMs', /future/],
    [{ minIntervalSeconds: 0 }, 'minIntervalSeconds', /from 1/],
    [{ events: [] }, 'events', /events/],
  ] as const) {
    const { status, body } = await ask('POST', '', { url: URL, filters: '', ...change })
    assert.deepEqual([status, body.code, body.field], [400, 'invalid-field', field])
    assert.match(body.detail, message)
  }
})

test('edits, pauses, resumes and deletes a subscription', async (t) => {
  const { ask, create } = await open(t)
  const { id } = (await create({ url: URL, filters: 'state=MA', description: 'Old' })).subscription
  const { body } = await ask('PATCH', `/${id}`, { description: null, minIntervalSeconds: 10 })
  assert.deepEqual([body.description, body.minIntervalSeconds, body.filters], [undefined, 10, 'state=MA'])
  assert.equal((await ask('PATCH', `/${id}`, { status: 'paused' })).body.status, 'paused')
  assert.equal((await ask('PATCH', `/${id}`, { status: 'active' })).body.status, 'pending')
  assert.equal((await ask('DELETE', `/${id}`, {})).status, 204)
  for (const method of ['GET', 'PATCH', 'DELETE'])
    assert.equal((await ask(method, `/${id}`, method === 'GET' ? undefined : {})).status, 404)
})

test('rotates the secret and says until when the previous one signs', async (t) => {
  const { harness, ask, create } = await open(t)
  const { subscription, secret } = await create()
  const { body } = await ask('POST', `/${subscription.id}/rotate-secret`, {})
  assert.notEqual(body.secret, secret)
  assert.equal(body.subscription.previousSecretUntilMs, harness.nowMs + 24 * HOUR_MS)
  harness.advance(24 * HOUR_MS)
  assert.equal((await ask('GET', `/${subscription.id}`)).body.previousSecretUntilMs, undefined)
})

test('lists by search and status in pages, with the queue of the organization', async (t) => {
  const { harness, ask, create } = await open(t)
  for (const state of ['MA', 'NY', 'VT']) {
    await create({ url: URL, filters: `state=${state}`, description: `Clinics in ${state}` })
    harness.advance(1)
  }
  const urls = async (query: string) =>
    (await ask('GET', query)).body.subscriptions.map(({ filters }: { filters: string }) => filters)
  assert.deepEqual(await urls(''), ['state=VT', 'state=NY', 'state=MA'])
  assert.deepEqual(await urls('?search=clinics%20in%20ny'), ['state=NY'])
  assert.deepEqual(await urls('?status=active'), [])
  assert.deepEqual(await urls('?sort=undelivered'), (await urls('')).toReversed())
  const first = (await ask('GET', '?limit=2')).body
  assert.deepEqual([first.subscriptions.length, first.queue.queued, first.queue.failed], [2, 3, 0])
  assert.deepEqual(await urls(`?limit=2&cursor=${first.next}`), ['state=MA'])
})

test('shows the request of a delivery without challenge, and limits tests', async (t) => {
  const { ask, create } = await open(t)
  const { id } = (await create()).subscription
  const { deliveries } = (await ask('GET', `/${id}/deliveries`)).body
  assert.deepEqual(
    [deliveries.length, deliveries[0].type, deliveries[0].status],
    [1, 'subscription.verification', 'queued'],
  )
  const { body } = await ask('GET', `/${id}/deliveries/${deliveries[0].id}`)
  assert.deepEqual(JSON.parse(body.request).data, { subscriptionId: id })
  assert.equal((await ask('GET', `/${id}/deliveries/evt_none`)).status, 404)
  assert.equal((await ask('POST', `/${id}/deliveries/evt_none/retry`, {})).status, 404)
  for (let n = 0; n < 10; n++) assert.equal((await ask('POST', `/${id}/test`, {})).status, 200)
  const refused = await ask('POST', `/${id}/test`, {})
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60'])
  const moved = await ask('PATCH', `/${id}`, { url: 'https://other.example/slots' })
  assert.deepEqual([moved.status, moved.body.code, moved.headers.get('retry-after')], [429, 'too-many-changes', '60'])
})

test('limits new secrets in a minute', async (t) => {
  const { ask, create } = await open(t)
  const { id } = (await create()).subscription
  const rotate = () => ask('POST', `/${id}/rotate-secret`, {})
  for (let n = 0; n < SUBSCRIPTION_EDITS_MAX; n++) assert.equal((await rotate()).status, 200)
  const refused = await rotate()
  assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-changes'])
})

test('limits new subscriptions in a minute', async (t) => {
  const { harness, ask, create } = await open(t)
  for (let n = 0; n < VERIFICATIONS_MAX; n++) await create()
  const refused = await ask('POST', '', { url: URL, filters: '' })
  assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-changes'])
  assert.match(refused.body.detail, /60 addresses of an organization per minute\. Wait 60 seconds/)
  harness.advance(MINUTE_MS)
  await create()
})

test('limits the subscriptions of an organization, and hides them from others', async (t) => {
  const { harness, ask, create, path } = await open(t)
  const { subscription } = await create()
  for (let n = 1; n < SUBSCRIPTIONS_MAX; n++) {
    harness.advance(SECOND_MS)
    await create()
  }
  const { status, body } = await ask('POST', '', { url: URL, filters: '' })
  assert.deepEqual([status, body.code], [409, 'limit-reached'])
  const { id: other } = await harness.addOrganization('eve')
  for (const target of [`${path}/${subscription.id}`, `/api/organizations/${other}/subscriptions/${subscription.id}`]) {
    for (const [method, below] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ]) {
      const asking = { as: 'eve', ...(method !== 'GET' && { body: {} }) }
      assert.equal((await harness.ask(method, `${target}${below}`, asking)).status, 404, `${method} ${target}${below}`)
    }
  }
})
