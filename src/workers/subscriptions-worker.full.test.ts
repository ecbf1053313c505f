import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.ts'
import { PostOffice } from '../../test/support/mail/smtp-server.ts'
import { addPerson, join } from '../../test/support/store/conformance/people.ts'
import { DeliveryService, STORE_SECRET } from '../../test/support/subscriptions/delivery-service.ts'
import { EventReceiver } from '../../test/support/subscriptions/event-receiver.ts'
import type { EventSlotsHead } from '../http/node-query.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { UNNAMED_SERVICE } from '../shared/service-identity.ts'
import type { Subscription } from '../store/contracts/subscriptions.ts'
import { type DeliveryGauges, startSubscriptionsWorker } from './subscriptions-worker.ts'

type Before = (service: DeliveryService) => Promise<void>

/** A thread as a node starts it, which has loaded one slot. */
async function start(t: TestContext, { smtpUrl, before }: { smtpUrl?: string; before?: Before } = {}) {
  const receiver = await EventReceiver.open()
  const service = await DeliveryService.open()
  await before?.(service)
  const events: LogEvent[] = []
  const gauges: DeliveryGauges[] = []
  const head: EventSlotsHead = { store: 1, revision: 9 }
  const slot = '{"id":"one","status":"free"}'
  const worker = startSubscriptionsWorker(
    {
      databaseUrl: service.databaseUrl,
      baseUrl: 'https://slots.example',
      dashboardUrl: 'https://slots.example/start',
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
  const [subscription] = await service.subscribeActive(receiver.url())
  const id = await service.announce(subscription, { ids: ['one', 'gone'], revision: 9 })
  const [event] = await receiver.whenReceived(1)
  assert.deepEqual([event.id, event.body.data.slots], [id, [{ id: 'one', status: 'free' }]])
  await eventually(() => gauges.some(({ delivered, queued }) => delivered === 2 && queued === 0))
  assert.deepEqual(events, [])
})

test('a node that drains begins no delivery', async (t) => {
  const { receiver, service, worker } = await start(t)
  const [subscription] = await service.subscribeActive(receiver.url())
  await worker.request('drain', undefined)
  await service.announce(subscription)
  // A node that does not drain looks for events every 200 ms.
  await sleep(1000)
  await worker.stop()
  assert.deepEqual([receiver.events.length, (await service.deliveriesOf(subscription))[0].status], [0, 'queued'])
})

test('mails the owners and the admins, and no member, when a subscription is disabled', async (t) => {
  const office = await PostOffice.open(t)
  const { receiver, service } = await start(t, { smtpUrl: office.smtpUrl })
  const owner = await addPerson(service.store, 'Owner')
  const organization = await service.store.organizations.create('Good Health', owner)
  await join(service.store, { organization, owner }, 'Admin', 'admin')
  await join(service.store, { organization, owner }, 'Member')
  const [subscription] = await service.subscribeActive(receiver.url())
  receiver.answer = (response) => response.writeHead(410).end()
  await service.announce(subscription)
  await office.mailTo('owner@example.org')
  await office.mailTo('admin@example.org')
  for (const { to, subject, whole } of office.mails) {
    assert.deepEqual(
      [to.includes('member@example.org'), subject],
      [false, 'A subscription of Good Health was disabled'],
    )
    assert.match(whole, /The receiver responded 410/)
    assert.ok(whole.includes(`https://slots.example/app/o/${organization.id}/webhooks/${subscription.id}`))
    assert.ok(!whole.includes(new URL(receiver.url()).pathname), 'the path of the receiver may be a secret')
  }
})

test('disables a subscription whose end has passed without any event', async (t) => {
  const expired: Subscription[] = []
  const { service, events } = await start(t, {
    before: async (service) => {
      const subscription = await service.subscribe('http://127.0.0.1:9/')
      const edit = { status: 'paused', expiresAtMs: Date.now() - 1 } as const
      await service.store.subscriptions.edit(subscription, edit, { name: 'command line' })
      expired.push(subscription)
    },
  })
  await eventually(async () => (await service.find(expired[0])).statusReason === 'expired')
  await eventually(() => events.some(({ message }) => message === 'subscription was disabled'))
})

test('a thread that dies is restarted, and repeats what it had in flight with the same id', async (t) => {
  const { receiver, service, worker, events } = await start(t)
  const [subscription, other] = await service.subscribeActive(receiver.url(), receiver.url())
  receiver.answer = () => undefined
  const id = await service.announce(subscription)
  await receiver.whenReceived(1)
  // A notice without a handler ends the thread.
  worker.post('fail' as 'drain', undefined)
  await eventually(() => events.some(({ message }) => message === 'thread died'))
  receiver.hangUp()
  receiver.answer = (response) => response.end()
  const next = await service.announce(other)
  const [, second] = await receiver.whenReceived(2)
  assert.equal(second.id, next)
  await service.endLeases()
  const [, , repeated] = await receiver.whenReceived(3)
  assert.equal(repeated.id, id)
  await eventually(async () => (await service.deliveriesOf(subscription))[0].status === 'delivered')
  assert.deepEqual(
    events.filter(({ level }) => level === 'error').map(({ message }) => message),
    ['thread died'],
  )
})
