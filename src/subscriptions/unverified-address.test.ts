import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { openActive } from '../../test/support/subscriptions/delivery-service.ts'
import { EventReceiver } from '../../test/support/subscriptions/event-receiver.ts'
import { DAY_MS, MINUTE_MS } from '../lib/time.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { LimitReached } from '../store/contracts/store.ts'
import { VERIFICATIONS_MAX } from '../store/contracts/subscriptions.ts'

const EVERYTHING = {
  lane: 'delivered',
  nowMs: Number.MAX_SAFE_INTEGER,
  limit: 1,
  withoutOrganizations: [],
  withoutSubscriptions: [],
} as const

test('the challenge of one address does not verify another that a paused subscription gets meanwhile', async (t) => {
  const { service, receiver, node, subscription, subscriptions } = await openActive(t)
  await using other = await EventReceiver.open()
  await subscriptions.edit(subscription, { status: 'paused' }, COMMAND_LINE)
  const held = Promise.withResolvers<ServerResponse>()
  receiver.answerVerification = (response) => held.resolve(response)
  const [verification] = await service.deliveriesOf(subscription)
  await subscriptions.retry(subscription, verification.id, COMMAND_LINE)
  node.wake()
  const response = await held.promise
  await subscriptions.edit(subscription, { url: other.url() }, COMMAND_LINE)
  response.end(receiver.received.at(-1)?.body.data.challenge)
  await eventually(() => node.counts.delivered === 2 && node.counts.inFlight === 0)
  assert.equal((await service.find(subscription)).isVerified, false)
  const resumed = await subscriptions.edit(subscription, { status: 'active' }, COMMAND_LINE)
  assert.equal(resumed?.status, 'pending')
})

test('a paused subscription sends no test to an address that is not verified', async (t) => {
  const { service, receiver, subscription, subscriptions } = await openActive(t)
  await subscriptions.edit(subscription, { status: 'paused' }, COMMAND_LINE)
  await subscriptions.edit(subscription, { url: receiver.url('127.0.0.2') }, COMMAND_LINE)
  assert.equal((await subscriptions.sendTest(subscription, COMMAND_LINE))?.type, 'subscription.verification')
  await eventually(async () => (await service.find(subscription)).isVerified)
  assert.equal((await service.find(subscription)).status, 'paused')
})

test('a disabled subscription sends no test to an address that is not verified', async (t) => {
  const { service, receiver, subscription, subscriptions } = await openActive(t)
  receiver.answer = (response) => response.writeHead(410).end()
  await service.announce(subscription)
  await eventually(() => service.disabled.length === 1)
  await subscriptions.edit(subscription, { url: receiver.url('127.0.0.2') }, COMMAND_LINE)
  assert.equal((await subscriptions.sendTest(subscription, COMMAND_LINE))?.type, 'subscription.verification')
})

test('a test that is sent again waits until a new address is verified', async (t) => {
  const { service, receiver, node, subscription, subscriptions, sent } = await deliverTest(t)
  receiver.echoes = false
  await subscriptions.edit(subscription, { url: receiver.url('127.0.0.2') }, COMMAND_LINE)
  service.pass(MINUTE_MS)
  await subscriptions.retry(subscription, sent?.id ?? '', COMMAND_LINE)
  node.wake()
  await eventually(() => node.counts.failed === 1 && node.counts.inFlight === 0)
  assert.deepEqual(
    receiver.received.map(({ body }) => body.type),
    ['subscription.verification', 'subscription.test', 'subscription.verification'],
  )
})

test('an event that is asked for before its address is verified counts as a verification', async (t) => {
  const { service, receiver, subscription, subscriptions, sent } = await deliverTest(t)
  service.pass(2 * MINUTE_MS)
  for (let n = 0; n < VERIFICATIONS_MAX - 1; n++)
    await subscriptions.remove(await service.subscribe(receiver.url()), COMMAND_LINE)
  await subscriptions.edit(subscription, { url: receiver.url('127.0.0.2') }, COMMAND_LINE)
  await assert.rejects(subscriptions.retry(subscription, sent?.id ?? '', COMMAND_LINE), LimitReached)
})

test('an event is queued again once in a minute', async (t) => {
  const { service, node, subscription, subscriptions } = await openActive(t)
  const id = await service.announce(subscription)
  const isDelivered = async () => (await subscriptions.delivery(subscription, id))?.status === 'delivered'
  await eventually(isDelivered)
  await subscriptions.retry(subscription, id, COMMAND_LINE)
  node.wake()
  await eventually(isDelivered)
  await assert.rejects(subscriptions.retry(subscription, id, COMMAND_LINE), LimitReached)
  service.pass(MINUTE_MS)
  assert.equal((await subscriptions.retry(subscription, id, COMMAND_LINE))?.status, 'queued')
})

test('an event that waits for its next attempt is sent now if it is asked for', async (t) => {
  const { service, receiver, node, subscription, subscriptions } = await openActive(t)
  receiver.answer = (response) => response.writeHead(503, { 'retry-after': '3600' }).end()
  const id = await service.announce(subscription)
  await eventually(async () => (await service.find(subscription)).failingSinceMs !== undefined)
  receiver.answer = (response) => response.end()
  await subscriptions.retry(subscription, id, COMMAND_LINE)
  node.wake()
  await eventually(async () => (await subscriptions.delivery(subscription, id))?.status === 'delivered')
})

test('an event that is asked for during a pause has no next attempt until the subscription resumes', async (t) => {
  const { service, receiver, node, subscription, subscriptions } = await openActive(t)
  const id = await service.announce(subscription)
  await receiver.whenReceived(1)
  await eventually(() => node.counts.inFlight === 0)
  await subscriptions.edit(subscription, { status: 'paused' }, COMMAND_LINE)
  const asked = await subscriptions.retry(subscription, id, COMMAND_LINE)
  assert.deepEqual([asked?.status, asked?.nextAttemptAtMs], ['queued', undefined])
  const test = await subscriptions.sendTest(subscription, COMMAND_LINE)
  assert.equal(typeof test?.nextAttemptAtMs, 'number')
  const listed = await subscriptions.deliveries(subscription, { limit: 10 })
  assert.equal(listed?.find((one) => one.id === id)?.nextAttemptAtMs, undefined)
  node.wake()
  await eventually(async () => (await service.store.deliveries.due(EVERYTHING)).length === 0)
  await subscriptions.edit(subscription, { status: 'active' }, COMMAND_LINE)
  node.wake()
  const [, , again] = await receiver.whenReceived(3)
  assert.equal(again.id, id)
})

test('a test of a subscription that has expired ends, and notifies nobody', async (t) => {
  const { service, node, subscription, subscriptions } = await openActive(t)
  await subscriptions.edit(subscription, { expiresAtMs: service.now() + MINUTE_MS }, COMMAND_LINE)
  service.pass(MINUTE_MS)
  await service.announce(subscription)
  node.wake()
  await eventually(async () => (await service.find(subscription)).statusReason === 'expired')
  const sent = await subscriptions.sendTest(subscription, COMMAND_LINE)
  node.wake()
  await eventually(async () => (await subscriptions.delivery(subscription, sent?.id ?? ''))?.status === 'canceled')
  assert.equal(service.disabled.length, 1)
})

test('a subscription that is disabled is not disabled again by a test', async (t) => {
  const { service, receiver, node, subscription, subscriptions } = await openActive(t)
  receiver.answer = (response) => response.writeHead(410).end()
  await service.announce(subscription)
  await eventually(() => service.disabled.length === 1)
  const sent = await subscriptions.sendTest(subscription, COMMAND_LINE)
  node.wake()
  const status = async () => (await subscriptions.delivery(subscription, sent?.id ?? ''))?.status
  await eventually(async () => (await status()) === 'failed')
  await eventually(() => node.counts.inFlight === 0)
  assert.equal(service.disabled.length, 1)
})

test('a verification that is sent again to a verified address is tried once, and changes nothing when it fails', async (t) => {
  const { service, receiver, node, subscription, subscriptions } = await openActive(t)
  const [{ id }] = await service.deliveriesOf(subscription)
  service.pass(2 * DAY_MS)
  receiver.echoes = false
  await subscriptions.retry(subscription, id, COMMAND_LINE)
  node.wake()
  await eventually(async () => (await subscriptions.delivery(subscription, id))?.status === 'failed')
  const { status, failingSinceMs } = await service.find(subscription)
  assert.deepEqual([status, failingSinceMs, service.disabled], ['active', undefined, []])
  await service.announce(subscription)
  await receiver.whenReceived(1)
})

test('a verification that is sent again to a new address has a day from then on', async (t) => {
  const { service, receiver, node, subscription, subscriptions } = await openActive(t)
  const [{ id }] = await service.deliveriesOf(subscription)
  const attempts = async () => (await subscriptions.delivery(subscription, id))?.attempts
  service.pass(2 * DAY_MS)
  receiver.echoes = false
  await subscriptions.edit(subscription, { url: receiver.url('127.0.0.2') }, COMMAND_LINE)
  await subscriptions.retry(subscription, id, COMMAND_LINE)
  node.wake()
  await eventually(async () => (await attempts()) === 1)
  assert.equal((await service.find(subscription)).status, 'pending')
  service.pass(DAY_MS)
  node.wake()
  await eventually(() => service.disabled.length === 1)
  assert.equal((await service.find(subscription)).statusReason, 'unverified')
})

/** An active subscription whose test has been delivered. */
async function deliverTest(t: TestContext) {
  const opened = await openActive(t)
  const { node, subscription, subscriptions } = opened
  const sent = await subscriptions.sendTest(subscription, COMMAND_LINE)
  node.wake()
  await eventually(() => node.counts.delivered === 2 && node.counts.inFlight === 0)
  return { ...opened, sent }
}
