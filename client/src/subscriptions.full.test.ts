import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BROKEN, faultServer, json, type Step } from '../../test/support/client/error-server.ts'
import { eventually } from '../../test/support/eventually.ts'
import { RunningService } from '../../test/support/running-service.ts'
import { EventReceiver } from '../../test/support/subscriptions/event-receiver.ts'
import type { Delivery, NewSubscription } from './query.ts'
import { SlotsClient } from './slots-client.ts'
import { verifyWebhook } from './verify-webhook.ts'

/** Tried on the service itself. */
let service: RunningService
let receiver: EventReceiver
let client: SlotsClient

before(async () => {
  receiver = await EventReceiver.open()
  service = await RunningService.prepare()
  service.env.ALLOW_PRIVATE_WEBHOOKS = 'true'
  service.env.SUBSCRIPTIONS_MAX = '2'
  const apiKey = await service.createKey()
  await service.serve()
  client = new SlotsClient({ url: service.origin, apiKey })
})

after(async () => {
  await service?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

test('creates, verifies, tests, changes and deletes a subscription', { timeout: 60_000 }, async () => {
  const wanted: NewSubscription = { url: receiver.url(), filters: { state: ['MA'], isVirtual: true } }
  const { secret, ...created } = await client.createSubscription(wanted)
  const { id } = created
  assert.deepEqual([created.status, created.filters], ['pending', wanted.filters])
  await eventually(async () => (await client.subscription(id))?.status === 'active')

  const sent = await client.testSubscription(id)
  assert.deepEqual([sent.type, sent.status], ['subscription.test', 'queued'])
  const [{ headers, text }] = await receiver.whenReceived(1)
  const event = await verifyWebhook({ headers, body: text, secret })
  assert.deepEqual([headers['webhook-id'], event.type, event.data], [sent.id, sent.type, { subscriptionId: id }])
  const last = await eventually(async () => {
    const { value } = await client.deliveries(id, { pageSize: 1 }).next()
    return value?.status === 'delivered' && value
  })
  assert.deepEqual([last.id, last.responseStatus], [sent.id, 204])
  const all: Delivery[] = []
  for await (const delivery of client.deliveries(id, { pageSize: 1 })) all.push(delivery)
  assert.deepEqual(
    all.map(({ type }) => type),
    ['subscription.test', 'subscription.verification'],
  )
  assert.equal((await client.retryDelivery(id, all[1].id)).id, all[1].id)
  await assert.rejects(client.retryDelivery(id, sent.id), { kind: 'too-many-requests', status: 429 })

  const rotated = await client.rotateSubscriptionSecret(id)
  assert.notEqual(rotated.secret, secret)
  const paused = await client.editSubscription(id, { status: 'paused', description: 'Boston' })
  assert.deepEqual([paused.status, paused.description], ['paused', 'Boston'])
  assert.deepEqual(await client.subscription(id), paused)
  const other = await client.createSubscription({ ...wanted, filters: {} })
  const listed: string[] = []
  for await (const one of client.subscriptions({ pageSize: 1 })) listed.push(one.id)
  assert.deepEqual(listed.toSorted(), [id, other.id].toSorted())

  await assert.rejects(client.createSubscription(wanted), { kind: 'too-many-subscriptions', status: 429 })
  await client.deleteSubscription(id)
  await client.deleteSubscription(id)
  assert.equal(await client.subscription(id), undefined)
  await assert.rejects(client.testSubscription(id), { kind: 'not-found', status: 404 })
  await assert.rejects(client.deliveries(id).next(), { kind: 'not-found' })
})

test('rejects with the invalid field, and with a TypeError for an invalid ID', async () => {
  const wrong = { url: receiver.url(), filters: { state: 'M' } }
  await assert.rejects(client.createSubscription(wrong), { kind: 'invalid-parameter', parameter: 'filters.state' })
  for (const call of [
    () => client.subscription('..'),
    () => client.deleteSubscription('../slots'),
    () => client.deliveries('').next(),
    () => client.retryDelivery('sub_1', 'a/b'),
  ])
    await assert.rejects(call(), /^TypeError: Invalid (subscription|delivery) id/)
})

test('repeats no POST that may have taken effect, and everything else', async (t) => {
  const unavailable = json(503, { error: 'Not ready', message: 'Later.' }, { 'retry-after': '0' })
  const limited = json(429, { error: 'Too many requests', message: 'Later.' }, { 'retry-after': '0' })
  const NEW = { url: 'https://app.example/hook', filters: {} }
  const posts: readonly ((client: SlotsClient) => Promise<unknown>)[] = [
    (client) => client.createSubscription(NEW),
    (client) => client.testSubscription('sub_1'),
    (client) => client.rotateSubscriptionSecret('sub_1'),
    (client) => client.retryDelivery('sub_1', 'evt_1'),
  ]
  const countOf = async (steps: readonly Step[], call: (client: SlotsClient) => Promise<unknown>) => {
    const { client, requests } = await faultServer(t, [...steps, json(200, {})])
    await call(client).catch(() => undefined)
    return requests.length
  }
  for (const post of posts) {
    for (const step of [BROKEN, unavailable, json(502, {}), json(504, {})]) assert.equal(await countOf([step], post), 1)
    assert.equal(await countOf([limited], post), 2)
  }
  assert.equal(await countOf([BROKEN, unavailable], (client) => client.editSubscription('sub_1', {})), 3)
  assert.equal(await countOf([BROKEN, unavailable], (client) => client.deleteSubscription('sub_1')), 3)
})
