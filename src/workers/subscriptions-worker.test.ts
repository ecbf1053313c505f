import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { DeliveryService, STORE_SECRET } from '../../test/support/subscriptions/delivery-service.ts'
import { EventReceiver } from '../../test/support/subscriptions/event-receiver.ts'
import type { EventSlotsHead } from '../http/node-query.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { UNNAMED_SERVICE } from '../shared/service-identity.ts'
import { type DeliveryGauges, startSubscriptionsWorker } from './subscriptions-worker.ts'

/** A thread as a node starts it, which has loaded one slot. */
async function start(t: TestContext, smtpUrl?: string) {
  const receiver = await EventReceiver.open()
  const service = await DeliveryService.open()
  const events: LogEvent[] = []
  const gauges: DeliveryGauges[] = []
  const head: EventSlotsHead = { store: 1, revision: 9 }
  const slot = '{"id":"one","status":"free"}'
  const worker = startSubscriptionsWorker(
    {
      databaseUrl: service.databaseUrl,
      baseUrl: 'https://slots.example',
      dashboardUrl: 'https://slots.example/',
      service: UNNAMED_SERVICE,
      allowPrivate: true,
      account: { authSecret: STORE_SECRET, mailFrom: 'slots@slots.example', ...(smtpUrl && { smtpUrl }) },
    },
    {
      query: async () => ({ status: 200, headers: [], body: Buffer.from(`${JSON.stringify(head)}\n${slot}`) }),
      onEvent: (event) => events.push(event),
      onDeliveries: (each) => gauges.push(each),
    },
  )
  t.after(async () => {
    await worker.stop()
    await service.close()
    await receiver[Symbol.asyncDispose]()
  })
  return { receiver, service, worker, events, gauges }
}

test('the thread verifies the address and delivers events with the slots of the node', async (t) => {
  const { receiver, service, events, gauges } = await start(t)
  const subscription = await service.subscribe(receiver.url())
  await eventually(async () => (await service.find(subscription)).status === 'active')
  const id = await service.announce(subscription, { ids: ['one', 'gone'], revision: 9 })
  const [event] = await receiver.whenReceived(1)
  assert.deepEqual([event.id, event.body.data.slots], [id, [{ id: 'one', status: 'free' }]])
  await eventually(() => gauges.some(({ delivered, queued }) => delivered === 2 && queued === 0))
  assert.deepEqual(events, [])
})

test('a node that drains begins no delivery', async (t) => {
  const { receiver, service, worker } = await start(t)
  const subscription = await service.subscribe(receiver.url())
  await eventually(async () => (await service.find(subscription)).status === 'active')
  worker.post('drain', undefined)
  await service.announce(subscription)
  await worker.stop()
  assert.deepEqual([receiver.events.length, (await service.deliveriesOf(subscription))[0].status], [0, 'queued'])
})
