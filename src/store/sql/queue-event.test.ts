import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { DeliveryService } from '../../../test/support/subscriptions/delivery-service.ts'
import type { Subscription } from '../contracts/subscriptions.ts'
import { openDatabase } from '../open-store.ts'
import { queueEvent } from './queue-event.ts'
import type { Schema } from './schema.ts'

test('keeps about a thousand events of a subscription, whatever others have, and each that waits', async (t) => {
  const service = await DeliveryService.open(t)
  const [many, other] = [await service.subscribe('http://127.0.0.1:9/'), await service.subscribe('http://127.0.0.1:9/')]
  const waiting = await service.announce(many)
  const database = await openDatabase(service.databaseUrl)
  t.after(() => database.close())
  await database.transaction('kill', async ({ queries }) => {
    // As if 64 subscriptions were announced in turn, of which another one always has the events with round numbers.
    for (let n = 0; n < 2000; n++) await addDelivered(queries, (await lastSequence(queries)) % 64 === 63 ? other : many)
  })
  const kept = await service.deliveriesOf(many, 3000)
  assert.ok(kept.length >= 1000 && kept.length < 1900, `${kept.length} are kept`)
  assert.equal(kept.find(({ id }) => id === waiting)?.status, 'queued')
})

async function lastSequence(queries: Kysely<Schema>): Promise<number> {
  const counter = queries.selectFrom('counters').select('value').where('name', '=', 'event_ids')
  return (await counter.executeTakeFirstOrThrow()).value
}

async function addDelivered(queries: Kysely<Schema>, { id: subscriptionId, organizationId, url }: Subscription) {
  const about = { type: 'slots.opened', nowMs: 0, fromRevision: 1, toRevision: 2, total: 1, ids: [] } as const
  const id = await queueEvent(queries, { subscriptionId, organizationId, url, ...about })
  await queries.updateTable('subscription_events').set({ status: 'delivered' }).where('id', '=', id).execute()
}
