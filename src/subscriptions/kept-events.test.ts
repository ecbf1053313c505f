import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { DeliveryService } from '../../test/support/subscriptions/delivery-service.ts'
import { EventReceiver } from '../../test/support/subscriptions/event-receiver.ts'

test('deletes events that have ended before a time, and none that wait', async (t) => {
  await using receiver = await EventReceiver.open()
  const service = await DeliveryService.open(t)
  const node = service.node()
  const subscription = await service.subscribe(receiver.url())
  await eventually(async () => (await service.find(subscription)).status === 'active')
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
