import assert from 'node:assert/strict'
import { DAY_MS, MINUTE_MS } from '../../../../src/lib/time.ts'
import type { SubscriptionEventType } from '../../../../src/shared/subscription-vocabulary.ts'
import {
  type ClaimedDelivery,
  DELIVERY_LANES,
  type DeliveryBatch,
  type DeliveryBatchResult,
  type DeliveryLane,
  type DueDelivery,
  type EndedDelivery,
} from '../../../../src/store/contracts/deliveries.ts'
import type { Subscription } from '../../../../src/store/contracts/subscriptions.ts'
import { openDatabase } from '../../../../src/store/open-store.ts'
import { WRITE_ROWS_MAX } from '../../../../src/store/sql/batches.ts'
import { queueEvent } from '../../../../src/store/sql/queue-event.ts'
import { type Guarantees, HARNESS_STARTS_MS, type StoreHarness } from './harness.ts'
import { found } from './people.ts'

const LEASE_MS = MINUTE_MS
const DELIVERED = { outcome: { kind: 'delivered' } } as const

/** `DeliveryStore`. */
export const DELIVERY_GUARANTEES: Guarantees = {
  'one node claims an event, and another the same event when the lease has ended': async (harness) => {
    const { clock } = harness
    const subscription = await subscribe(harness)
    const other = { clock, store: await harness.open() }
    assert.deepEqual(await dueOf(harness), [dueAs(subscription, 'new')])
    const both = await Promise.all([claim(harness, 'one', subscription), claim(other, 'two', subscription)])
    assert.deepEqual(both.map(({ length }) => length).toSorted(), [0, 1])
    const [[first]] = both.toSorted((left, right) => right.length - left.length)
    assert.deepEqual([first.type, first.attempts, first.secrets], ['subscription.verification', 0, ['cipher']])
    assert.deepEqual(await dueOf(harness), [])
    clock.nowMs += LEASE_MS
    const [again] = await claim(harness, 'three', subscription)
    assert.equal(again.id, first.id)
    await end(other, 'one', first, DELIVERED)
    assert.equal((await statusOf(harness, subscription)).status, 'pending', 'the lease of the first was over')
    await end(harness, 'three', again, DELIVERED)
    const verified = await statusOf(harness, subscription)
    assert.deepEqual([verified.status, verified.isVerified, verified.lastDeliveredAtMs], ['active', true, clock.nowMs])
    assert.deepEqual(await dueOf(harness), [])
  },

  'delivers in the order of events, one at a time, and tests first': async (harness) => {
    const { store } = harness
    const subscription = await activate(harness)
    const ids = [await queue(harness, subscription), await queue(harness, subscription)]
    const test = await queue(harness, subscription, 'subscription.test')
    const delivered: string[] = []
    for (let n = 0; n < 3; n++) {
      assert.deepEqual(await dueOf(harness), [dueAs(subscription, 'delivered')])
      const [claimed] = await claim(harness, 'one', subscription)
      delivered.push(claimed.id)
      assert.deepEqual(await claim(harness, 'one', subscription), [])
      await end(harness, 'one', claimed, DELIVERED)
    }
    assert.deepEqual(delivered, [test, ...ids])
    assert.deepEqual(await store.deliveries.backlog(), { queued: 0 })
  },

  'an event that failed is due again later, in the lane of failing ones, until it is delivered': async (harness) => {
    const { store, clock } = harness
    const subscription = await activate(harness)
    await queue(harness, subscription)
    const failedAtMs = clock.nowMs
    const [claimed] = await claim(harness, 'one', subscription)
    await end(harness, 'one', claimed, {
      outcome: { kind: 'retry', atMs: failedAtMs + 5000 },
      response: { error: 'No.', status: 500 },
    })
    assert.equal((await statusOf(harness, subscription)).failingSinceMs, failedAtMs)
    assert.deepEqual(await dueOf(harness), [])
    clock.nowMs += 5000
    assert.deepEqual(await dueOf(harness), [dueAs(subscription, 'failing')])
    const [again] = await claim(harness, 'one', subscription)
    assert.deepEqual([again.id, again.attempts, again.failingSinceMs], [claimed.id, 1, failedAtMs])
    await end(harness, 'one', again, { ...DELIVERED, response: { status: 200, body: 'thanks' } })
    assert.equal((await statusOf(harness, subscription)).failingSinceMs, undefined)
    const [last] = (await store.subscriptions.deliveries(subscription, { limit: 1 })) ?? []
    assert.deepEqual(
      [last.status, last.attempts, last.responseStatus, last.responseBody, last.responseMs, last.error],
      ['delivered', 2, 200, 'thanks', 7, undefined],
    )
  },

  'a test that fails neither delays the events behind it nor counts as failing': async (harness) => {
    const { clock } = harness
    const subscription = await activate(harness)
    await queue(harness, subscription, 'subscription.test')
    const [claimed] = await claim(harness, 'one', subscription)
    await queue(harness, subscription)
    await end(harness, 'one', claimed, {
      outcome: { kind: 'failed', atMs: clock.nowMs },
      response: { error: 'No.' },
    })
    assert.equal((await statusOf(harness, subscription)).failingSinceMs, undefined)
    assert.deepEqual(await dueOf(harness), [dueAs(subscription, 'delivered')])
  },

  'a subscription that is disabled has no queue, and an entry in the audit log': async (harness) => {
    const { store } = harness
    const subscription = await activate(harness)
    await queue(harness, subscription)
    await queue(harness, subscription)
    const [claimed] = await claim(harness, 'one', subscription)
    const { disabled } = await end(harness, 'one', claimed, {
      outcome: { kind: 'disabled', reason: 'gone' },
      response: { error: 'Gone.' },
    })
    const { id: subscriptionId, organizationId, url } = subscription
    assert.deepEqual(disabled, [{ subscriptionId, organizationId, url, reason: 'gone' }])
    const { status, statusReason } = await statusOf(harness, subscription)
    assert.deepEqual([status, statusReason], ['disabled', 'gone'])
    assert.deepEqual([await store.deliveries.backlog(), await dueOf(harness)], [{ queued: 0 }, []])
    const [entry] = await store.audit.list({ organizationId, limit: 1 })
    assert.deepEqual([entry.kind, entry.detail.reason], ['subscription.disabled', 'gone'])
  },

  'claims nothing of a subscription that is paused, expired or deleted, or of a suspended organization': async (
    harness,
  ) => {
    const { store, clock } = harness
    const [paused, expired, deleted, suspended] = await Promise.all(
      ['Paused', 'Expired', 'Deleted', 'Suspended'].map((name) => activate(harness, name)),
    )
    const by = { name: 'command line' }
    for (const each of [paused, expired, deleted, suspended]) await queue(harness, each)
    await store.subscriptions.edit(paused, { status: 'paused' }, by)
    await store.subscriptions.edit(expired, { expiresAtMs: clock.nowMs + 1 }, by)
    await store.subscriptions.remove(deleted, by)
    await store.organizations.suspend(suspended.organizationId, 'why', by)
    clock.nowMs++
    assert.deepEqual(await claim(harness, 'one', paused, expired, deleted, suspended), [])
    assert.equal((await statusOf(harness, expired)).statusReason, 'expired')
    assert.deepEqual(await dueOf(harness), [])
  },

  'a failing receiver of a suspended organization has all its attempts again when it is resumed': async (harness) => {
    const { store, clock } = harness
    const subscription = await activate(harness)
    await queue(harness, subscription)
    const [claimed] = await claim(harness, 'one', subscription)
    const outcome = { kind: 'retry', atMs: clock.nowMs + 5000 } as const
    await end(harness, 'one', claimed, { outcome, response: { error: 'No.' } })
    await store.organizations.suspend(subscription.organizationId, 'why', { name: 'command line' })
    clock.nowMs += 4 * DAY_MS
    await store.organizations.resume(subscription.organizationId, { name: 'command line' })
    assert.equal((await statusOf(harness, subscription)).failingSinceMs, undefined)
  },

  'disables subscriptions whose end has passed, also without events and during a pause': async (harness) => {
    const { store, clock } = harness
    const [active, paused] = [await activate(harness, 'One'), await activate(harness, 'Two')]
    const later = await activate(harness)
    const by = { name: 'command line' }
    for (const each of [active, paused]) await store.subscriptions.edit(each, { expiresAtMs: clock.nowMs + 1 }, by)
    await store.subscriptions.edit(later, { expiresAtMs: clock.nowMs + 2 }, by)
    await store.subscriptions.edit(paused, { status: 'paused' }, by)
    await queue(harness, active)
    assert.deepEqual(await store.deliveries.expire(clock.nowMs), [])
    const expired = await store.deliveries.expire(++clock.nowMs)
    assert.deepEqual(
      new Set(expired.map(({ subscriptionId, reason }) => `${subscriptionId} ${reason}`)),
      new Set([active, paused].map(({ id }) => `${id} expired`)),
    )
    assert.deepEqual(await store.deliveries.expire(clock.nowMs), [])
    const statuses = await Promise.all([active, paused, later].map((each) => statusOf(harness, each)))
    assert.deepEqual(
      statuses.map(({ status }) => status),
      ['disabled', 'disabled', 'active'],
    )
    assert.deepEqual(await store.deliveries.backlog(), { queued: 0 })
  },

  'leaves out organizations and subscriptions that the caller knows': async (harness) => {
    const { store } = harness
    const first = await activate(harness, 'First')
    const second = await activate(harness, 'Second')
    for (const each of [first, second]) await queue(harness, each)
    const base = { lane: 'delivered', nowMs: HARNESS_STARTS_MS, limit: 10 } as const
    const without = (organizations: string[], subscriptions: string[]) =>
      store.deliveries.due({ ...base, withoutOrganizations: organizations, withoutSubscriptions: subscriptions })
    assert.equal((await without([], [])).length, 2)
    assert.deepEqual(await without([first.organizationId], []), [dueAs(second, 'delivered')])
    assert.deepEqual(await without([], [second.id]), [dueAs(first, 'delivered')])
    assert.deepEqual(await without([first.organizationId], [second.id]), [])
  },

  'an event that was not sent after all is due again with all its attempts': async (harness) => {
    const { store, clock } = harness
    const subscription = await activate(harness)
    await queue(harness, subscription)
    const [claimed] = await claim(harness, 'one', subscription)
    await store.deliveries.exchange({ ...batchOf('other', clock.nowMs), released: [subscription.id] })
    await store.deliveries.exchange({ ...batchOf('one', clock.nowMs), released: [subscription.id] })
    clock.nowMs += 1000
    assert.deepEqual(await claim(harness, 'two', subscription), [claimed])
  },

  'deletes the events that ended before a time, and counts those that wait': async (harness) => {
    const { store, clock } = harness
    const subscription = await activate(harness)
    const queuedAtMs = clock.nowMs
    await queue(harness, subscription)
    await store.deliveries.purge(clock.nowMs + DAY_MS)
    assert.equal((await store.subscriptions.deliveries(subscription, { limit: 9 }))?.length, 1)
    assert.deepEqual(await store.deliveries.backlog(), { queued: 1, oldestAtMs: queuedAtMs })
  },

  'deletes more ended events than fit one transaction': async (harness) => {
    const { store, clock } = harness
    const { queries } = store.signIn
    const subscription = await activate(harness)
    const [event] = await queries.selectFrom('subscription_events').selectAll().execute()
    for (let batch = 0; batch <= WRITE_ROWS_MAX; batch += 1000) {
      const rows = Array.from({ length: 1000 }, (_, n) => ({ ...event, id: `e${batch + n}`, sequence: 10 + batch + n }))
      await queries.insertInto('subscription_events').values(rows).execute()
    }
    await queue(harness, subscription)
    await store.deliveries.purge(clock.nowMs + DAY_MS)
    assert.equal((await store.subscriptions.deliveries(subscription, { limit: 9 }))?.length, 1)
  },
}

async function subscribe({ store }: StoreHarness, organization = 'Good Health'): Promise<Subscription> {
  const { organization: of, owner } = await found(store, organization)
  const draft = {
    organizationId: of.id,
    url: `https://${organization.toLowerCase().replace(' ', '-')}.example/hook`,
    filters: { state: 'MA' },
    query: 'state=MA',
    events: ['slots.opened'],
    minIntervalMs: MINUTE_MS,
    secret: 'cipher',
  } as const
  return store.subscriptions.create(draft, owner, 10)
}

/** A subscription whose address is verified. */
async function activate(harness: StoreHarness, organization?: string): Promise<Subscription> {
  const subscription = await subscribe(harness, organization)
  const [claimed] = await claim(harness, 'setup', subscription)
  await end(harness, 'setup', claimed, DELIVERED)
  return subscription
}

async function queue(
  { url, clock }: StoreHarness,
  { id: subscriptionId, organizationId, url: receiver }: Subscription,
  type: SubscriptionEventType = 'slots.opened',
): Promise<string> {
  const database = await openDatabase(url)
  const event = { subscriptionId, organizationId, url: receiver, type, nowMs: clock.nowMs }
  const slots = { fromRevision: 1, toRevision: 2, total: 1, ids: ['slot'] }
  try {
    return await database.transaction('kill', ({ queries }) => queueEvent(queries, { ...event, ...slots }))
  } finally {
    await database.close()
  }
}

async function dueOf({ store, clock }: StoreHarness): Promise<DueDelivery[]> {
  const query = { nowMs: clock.nowMs, limit: 10, withoutOrganizations: [], withoutSubscriptions: [] }
  return (await Promise.all(DELIVERY_LANES.map((lane) => store.deliveries.due({ ...query, lane })))).flat()
}

function dueAs({ id: subscriptionId, organizationId, url }: Subscription, lane: DeliveryLane): DueDelivery {
  return { subscriptionId, organizationId, host: new URL(url).hostname, lane }
}

async function claim(
  { store, clock }: Pick<StoreHarness, 'store' | 'clock'>,
  owner: string,
  ...subscriptions: Subscription[]
): Promise<readonly ClaimedDelivery[]> {
  const batch = { ...batchOf(owner, clock.nowMs), claim: subscriptions.map(({ id }) => id) }
  return (await store.deliveries.exchange(batch)).claimed
}

function end(
  { store, clock }: Pick<StoreHarness, 'store' | 'clock'>,
  owner: string,
  delivery: ClaimedDelivery,
  { outcome, response = {} }: { outcome: EndedDelivery['outcome']; response?: Partial<EndedDelivery['attempt']> },
): Promise<DeliveryBatchResult> {
  const attempt = { atMs: clock.nowMs, latencyMs: 7, ...response }
  return store.deliveries.exchange({ ...batchOf(owner, clock.nowMs), ended: [{ delivery, attempt, outcome }] })
}

function batchOf(owner: string, nowMs: number): DeliveryBatch {
  return { owner, nowMs, leaseMs: LEASE_MS, ended: [], released: [], claim: [] }
}

async function statusOf({ store }: Pick<StoreHarness, 'store'>, { id }: Subscription): Promise<Subscription> {
  return (await store.subscriptions.find({ id })) ?? assert.fail('the subscription must exist')
}
