import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Subscription } from '../src/store/contracts/subscriptions.ts'
import { PostgresServer } from './postgres/postgres-server.ts'
import { eventually } from './support/eventually.ts'
import { DeliveryService } from './support/subscriptions/delivery-service.ts'
import { EventReceiver } from './support/subscriptions/event-receiver.ts'

/** The primary writes its log this late unless a transaction waits for it: a standby lacks all commits that need not survive a power cut. */
const LATE = { wal_writer_delay: '10s' }

const EVENTS = 5

test('after the promotion of a standby, no event is lost, and none but those in flight are repeated, with their ids', async () => {
  await using primary = await PostgresServer.start(LATE)
  const url = await primary.createDatabase()
  await using standby = await primary.createStandby()
  await using receiver = await EventReceiver.open()
  const hosts = `:${primary.port},127.0.0.1:${standby.port}/`
  const service = await DeliveryService.open(undefined, url.replace(`:${primary.port}/`, hosts))
  try {
    service.node({ onEvent: () => undefined })
    const subscriptions = [await service.subscribe(receiver.url()), await service.subscribe(receiver.url('127.0.0.2'))]
    for (const each of subscriptions) await eventually(async () => (await service.find(each)).status === 'active')

    // The first event of each subscription ends when all are queued, and the last one after the promotion.
    const [allQueued, promoted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    receiver.answer = async (response, { body }) => {
      await (body.data.revision === `z.${EVENTS}` ? promoted : allQueued).promise
      response.end()
    }
    const queued = new Map<Subscription, string[]>(subscriptions.map((each) => [each, []]))
    for (const [subscription, ids] of queued)
      for (let revision = 1; revision <= EVENTS; revision++)
        ids.push(await service.announce(subscription, { revision }))
    allQueued.resolve()
    await receiver.whenReceived(EVENTS * subscriptions.length)

    await primary.kill()
    await standby.promote()
    promoted.resolve()
    await eventually(async () => (await service.store.deliveries.backlog().catch(() => undefined))?.queued === 0)
    for (const [subscription, ids] of queued) {
      const delivered = (await service.deliveriesOf(subscription)).filter(({ type }) => type === 'slots.opened')
      assert.deepEqual(delivered.map(({ id }) => id).reverse(), ids)
      const arrived = receiver.events.filter(({ body }) => body.data.subscriptionId === subscription.id)
      const isRepeated = arrived.length > EVENTS
      assert.deepEqual(
        arrived.map(({ id }) => id),
        isRepeated ? [...ids, ids[EVENTS - 1]] : ids,
      )
    }
  } finally {
    await service.close()
  }
})
