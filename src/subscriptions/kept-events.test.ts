import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.ts'
import { openActive, openDelivery } from '../../test/support/subscriptions/delivery-service.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'

test('deletes events that have ended before a time, and none that wait', async (t) => {
  const { service, node, subscription } = await openActive(t)
  node.drain()
  const waiting = await service.announce(subscription)
  await service.store.deliveries.purge(0)
  assert.equal((await service.deliveriesOf(subscription)).length, 2)
  service.pass(1000)
  await service.store.deliveries.purge(service.now())
  assert.deepEqual(
    (await service.deliveriesOf(subscription)).map(({ id }) => id),
    [waiting],
  )
})

test('repeats a failed event after the clock was set back', async (t) => {
  const { service, receiver, node, subscription } = await openActive(t)
  service.pass(-HOUR_MS)
  receiver.answer = (response) => response.writeHead(500).end()
  await service.announce(subscription)
  node.wake()
  await eventually(
    async () => (await service.deliveriesOf(subscription))[0].attempts === 1 && node.counts.inFlight === 0,
  )
  receiver.answer = (response) => response.end()
  // The looks that the end of the attempt wakes find nothing.
  await sleep(200)
  service.pass(5000)
  await receiver.whenReceived(2)
})

test('sends an event whose next attempt was put off by a clock that was ahead', async (t) => {
  const { service, receiver } = await openDelivery(t)
  service.pass(DAY_MS)
  const node = service.node()
  const [subscription] = await service.subscribeActive(receiver.url())
  receiver.answer = (response) => response.writeHead(500).end()
  await service.announce(subscription)
  await eventually(async () => (await service.deliveriesOf(subscription))[0].attempts === 1)
  receiver.answer = (response) => response.end()
  service.pass(-DAY_MS)
  await service.store.deliveries.expire(service.now())
  node.wake()
  await receiver.whenReceived(2)
})
