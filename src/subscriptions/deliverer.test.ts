import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { slotOf } from '../../test/support/store/temp-store.ts'
import { knownSlots, openActive, openDelivery } from '../../test/support/subscriptions/delivery-service.ts'
import { EventReceiver, isVerified } from '../../test/support/subscriptions/event-receiver.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import type { Subscription } from '../store/contracts/subscriptions.ts'

test('verifies the address, then sends events that the reference implementation accepts', async (t) => {
  const { service, receiver } = await openDelivery(t)
  const slots = [slotOf(0), slotOf(1)]
  service.node({ readSlots: async () => knownSlots(slots) })
  const [subscription] = await service.subscribeActive(receiver.url())
  const gone = slotOf(2).id
  const id = await service.announce(subscription, { ids: [...slots.map(({ id }) => id), gone], revision: 71 })
  const [event] = await receiver.whenReceived(1)
  assert.equal(event.id, id)
  assert.ok(isVerified(event, service.secretOf(subscription)))
  assert.ok(!isVerified({ ...event, text: `${event.text} ` }, service.secretOf(subscription)))
  const { type, data } = event.body
  assert.deepEqual(
    [type, data.subscriptionId, data.revision, data.total, data.ids?.length],
    ['slots.opened', subscription.id, 'z.1z', 3, 3],
  )
  assert.deepEqual(
    data.slots?.map(({ id }) => id),
    slots.map(({ id }) => id),
  )
  assert.equal(data.changes, 'https://slots.example/v1/scheduling/changes?state=MA&since=z.1y')
  const verification = receiver.received[0]
  assert.ok(isVerified(verification, service.secretOf(subscription)))
})

test('signs with both secrets for a day after a rotation, then with the new one', async (t) => {
  const { service, receiver, node, subscription } = await openActive(t)
  const before = await service.rotate(subscription)
  await service.announce(subscription)
  const [rotating] = await receiver.whenReceived(1)
  assert.deepEqual([isVerified(rotating, before), isVerified(rotating, service.secretOf(subscription))], [true, true])
  service.pass(DAY_MS)
  await service.announce(subscription)
  node.wake()
  const [, later] = await receiver.whenReceived(2)
  assert.equal(String(later.headers['webhook-signature']).split(' ').length, 1)
})

test('keeps the events of a secret that it cannot decrypt, and blames no receiver', async (t) => {
  const { service, receiver } = await openDelivery(t)
  const events: string[] = []
  const wrong = service.node({
    authSecret: 'another secret of the tests, which is long enough',
    onEvent: ({ message }) => events.push(message),
  })
  const subscription = await service.subscribe(receiver.url())
  await eventually(() => events.length > 0)
  service.pass(5 * DAY_MS)
  wrong.wake()
  await wrong.close()
  assert.deepEqual([events, wrong.counts.failed, service.disabled], [['events could not be signed'], 0, []])
  assert.deepEqual((await service.deliveriesOf(subscription))[0].attempts, 0)
  service.pass(MINUTE_MS)
  service.node()
  await service.whenActive(subscription)
})

test('a receiver that does not return the challenge is not activated, and disabled after a day', async (t) => {
  const { service, receiver } = await openDelivery(t)
  const node = service.node()
  receiver.echoes = false
  const subscription = await service.subscribe(receiver.url())
  await eventually(async () => (await service.deliveriesOf(subscription))[0].attempts === 1)
  const [first] = await service.deliveriesOf(subscription)
  assert.deepEqual([first.status, first.responseStatus], ['queued', 200])
  assert.match(first.error ?? '', /challenge/)
  service.pass(DAY_MS)
  node.wake()
  await eventually(() => service.disabled.length === 1)
  const { status, statusReason } = await service.find(subscription)
  assert.deepEqual([status, statusReason], ['disabled', 'unverified'])
})

test('repeats a failed event with its id, before any later event', async (t) => {
  const { service, receiver, node, subscription } = await openActive(t)
  receiver.answer = (response) => response.writeHead(503).end('busy')
  const first = await service.announce(subscription)
  const second = await service.announce(subscription)
  await eventually(async () => (await service.find(subscription)).failingSinceMs !== undefined)
  receiver.answer = (response) => response.end('thanks')
  service.pass(5000)
  node.wake()
  const events = await receiver.whenReceived(3)
  assert.deepEqual(
    events.map(({ id }) => id),
    [first, first, second],
  )
  await eventually(async () => (await service.deliveriesOf(subscription))[0].status === 'delivered')
  const [, delivered] = await service.deliveriesOf(subscription)
  assert.deepEqual([delivered.attempts, delivered.responseStatus, delivered.responseBody], [2, 200, 'thanks'])
  assert.deepEqual([node.counts.failed, node.counts.inFlight], [1, 0])
})

test('the end of an attempt starts the next one, while others of its batch are under way', async (t) => {
  const { service, receiver } = await openDelivery(t)
  const [dead, healthy] = [await service.subscribe(receiver.url()), await service.subscribe(receiver.url())]
  const node = service.node({ timeoutMs: HOUR_MS, lookEveryMs: HOUR_MS })
  await service.whenActive(dead, healthy)
  receiver.answer = (response, { body }) => {
    if (body.data.subscriptionId === healthy.id) response.end()
  }
  const ids = [await service.announce(dead)]
  for (let n = 0; n < 5; n++) ids.push(await service.announce(healthy))
  node.wake()
  const events = await receiver.whenReceived(6)
  assert.deepEqual(new Set(events.map(({ id }) => id)), new Set(ids))
  // Its end would have started them, too.
  assert.equal((await service.deliveriesOf(dead))[0].attempts, 0)
  receiver.answer = (response) => response.end()
  receiver.hangUp()
})

test('repeats no event before the time that a busy receiver asks for', async (t) => {
  const { service, receiver } = await openDelivery(t)
  const node = service.node()
  const [busy, broken] = await service.subscribeActive(receiver.url(), receiver.url())
  receiver.answer = (response, { body }) =>
    response.writeHead(body.data.subscriptionId === busy.id ? 429 : 500, { 'retry-after': '3600' }).end()
  for (const each of [busy, broken]) await service.announce(each)
  for (const each of [busy, broken]) await eventually(async () => (await service.deliveriesOf(each))[0].attempts === 1)
  assert.deepEqual(await service.store.deliveries.backlog(), { queued: 2 })
  service.pass(MINUTE_MS)
  node.wake()
  await eventually(async () => (await service.deliveriesOf(broken))[0].attempts === 2)
  assert.equal((await service.deliveriesOf(busy))[0].attempts, 1)
  service.pass(HOUR_MS)
  node.wake()
  await eventually(async () => (await service.deliveriesOf(busy))[0].attempts === 2)
})

test('410 disables a subscription at once, and failures after three days', async (t) => {
  const { service, receiver } = await openDelivery(t)
  const node = service.node()
  const [gone, failing] = await service.subscribeActive(receiver.url(), receiver.url())
  receiver.answer = (response, { body }) => response.writeHead(body.data.subscriptionId === gone.id ? 410 : 500).end()
  await service.announce(gone)
  await service.announce(failing)
  await eventually(async () => (await service.find(gone)).statusReason === 'gone')
  await eventually(async () => (await service.find(failing)).failingSinceMs !== undefined)
  service.pass(71 * HOUR_MS)
  node.wake()
  await eventually(async () => (await service.deliveriesOf(failing))[0].attempts === 2)
  assert.equal((await service.find(failing)).status, 'active')
  service.pass(HOUR_MS)
  node.wake()
  await eventually(async () => (await service.find(failing)).statusReason === 'failing')
  assert.deepEqual(
    service.disabled.map(({ subscriptionId, reason }) => [subscriptionId, reason]),
    [
      [gone.id, 'gone'],
      [failing.id, 'failing'],
    ],
  )
})

test('sends nothing that was paused or deleted between two attempts', async (t) => {
  const { service, receiver } = await openDelivery(t)
  const node = service.node()
  const [paused, deleted] = await service.subscribeActive(receiver.url(), receiver.url())
  receiver.answer = (response) => response.writeHead(500).end()
  for (const each of [paused, deleted]) await service.announce(each)
  for (const each of [paused, deleted])
    await eventually(async () => (await service.find(each)).failingSinceMs !== undefined)
  await service.store.subscriptions.edit(paused, { status: 'paused' }, COMMAND_LINE)
  await service.store.subscriptions.remove(deleted, COMMAND_LINE)
  service.pass(DAY_MS)
  const other = await service.subscribe(receiver.url())
  node.wake()
  await service.whenActive(other)
  assert.equal(receiver.events.length, 2)
})

test('receivers that do not respond delay no other organization', async (t) => {
  const { service, receiver } = await openDelivery(t)
  service.node({ timeoutMs: 10_000 })
  const dead: Subscription[] = []
  for (let n = 1; n <= 40; n++) dead.push(await service.subscribe(receiver.url(`127.0.1.${n}`), 'Dead'))
  const healthy = await service.subscribe(receiver.url(), 'Healthy')
  await service.whenActive(...dead, healthy)
  receiver.answer = (response, { body }) => {
    if (body.data.subscriptionId === healthy.id) response.end()
  }
  for (const each of dead) await service.announce(each)
  await receiver.whenReceived(16)
  const id = await service.announce(healthy)
  await eventually(() => receiver.events.some((event) => event.id === id))
  assert.equal(receiver.events.length, 17)
  receiver.answer = (response) => response.end()
  receiver.hangUp()
})

test('a node that ends lets sends in flight finish, and begins no other', async (t) => {
  const { service, receiver, node, subscription } = await openActive(t)
  const answered = Promise.withResolvers<() => void>()
  receiver.answer = (response) => answered.resolve(() => response.end())
  await service.announce(subscription)
  await service.announce(subscription)
  const answer = await answered.promise
  const closed = node.close()
  answer()
  await closed
  const [waiting, delivered] = await service.deliveriesOf(subscription)
  assert.deepEqual([waiting.status, delivered.status, receiver.events.length], ['queued', 'delivered', 1])
})

test('waits for a node that is loading its slots', async (t) => {
  const { service, receiver } = await openDelivery(t)
  let isReady = false
  service.node({ readSlots: async () => (isReady ? knownSlots([]) : undefined) })
  const [subscription] = await service.subscribeActive(receiver.url())
  const id = await service.announce(subscription)
  await eventually(async () => (await service.deliveriesOf(subscription))[0].attempts === 0)
  isReady = true
  const [event] = await receiver.whenReceived(1)
  assert.equal(event.id, id)
  await eventually(async () => (await service.deliveriesOf(subscription))[0].attempts === 1)
})

const SWITCHES_PROTOCOLS = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'

test('follows no redirect, and says why an event was not delivered', async (t) => {
  const { service, receiver } = await openDelivery(t)
  service.node({ timeoutMs: 200 })
  await using closed = await EventReceiver.open()
  const urls = [receiver.url(), receiver.url('127.0.0.2'), closed.url('127.0.0.3'), receiver.url('127.0.0.4')]
  const subscriptions = await service.subscribeActive(...urls)
  closed.close()
  receiver.answer = (response, { body }) => {
    const { subscriptionId } = body.data
    if (subscriptionId === subscriptions[0].id) response.writeHead(302, { location: '/' }).end()
    if (subscriptionId === subscriptions[3].id) response.socket?.write(SWITCHES_PROTOCOLS)
  }
  for (const each of subscriptions) await service.announce(each)
  const errors: (string | undefined)[] = []
  for (const each of subscriptions) {
    await eventually(async () => (await service.deliveriesOf(each))[0].attempts === 1)
    errors.push((await service.deliveriesOf(each))[0].error)
  }
  assert.deepEqual(errors, [
    'The receiver responded 302. Redirects are not followed.',
    'The receiver did not respond in time.',
    'The connection was refused.',
    'The receiver closed the connection.',
  ])
  receiver.hangUp()
})

test('refuses private addresses and http unless they are allowed, without telling the address', async (t) => {
  const { service, receiver } = await openDelivery(t)
  service.node({ allowPrivate: false })
  const subscription = await service.subscribe(receiver.url())
  await eventually(async () => (await service.deliveriesOf(subscription))[0].attempts === 1)
  const [{ error }] = await service.deliveriesOf(subscription)
  assert.equal(error, 'The host name leads to a private address.')
  assert.equal(receiver.received.length, 0)
})
