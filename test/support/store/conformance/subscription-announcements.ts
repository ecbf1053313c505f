import assert from 'node:assert/strict'
import { MINUTE_MS, SECOND_MS } from '../../../../src/lib/time.ts'
import type { SubscriptionEdit } from '../../../../src/store/contracts/subscriptions.ts'
import type { Guarantees, StoreHarness } from './harness.ts'
import { many, openSubscribed } from './subscription-gaps.ts'

/** `SubscriptionMatchStore` when subscriptions change while their events are queued. */
export const SUBSCRIPTION_ANNOUNCEMENT_GUARANTEES: Guarantees = {
  'announces the matches of a subscription that is edited while its event is queued': async (harness) => {
    const { oracle, receiver } = await openSubscribed(harness, 1)
    await oracle.publish('plain', many(3))
    const { subscriptions } = harness.store
    await oracle.turnWhile(() => subscriptions.edit(receiver.subscription, { description: 'Edited' }, oracle.owner))
    assert.deepEqual(receiver.log, [])
    await oracle.settle()
    assert.deepEqual([receiver.log, await oracle.heldBackOf(receiver)], [[['slots.opened', 2]], {}])
    assert.deepEqual(await harness.store.subscriptionMatches.keys(), [])
  },

  'announces what waits after an edit to a shorter interval, also if nothing else is committed': async (harness) => {
    const { clock, store } = harness
    const { oracle, receiver } = await announceOneOfTwo(harness)
    await store.subscriptions.edit(receiver.subscription, { minIntervalMs: SECOND_MS }, oracle.owner)
    clock.nowMs += SECOND_MS
    await oracle.turn(0)
    assert.deepEqual(receiver.log, [
      ['slots.opened', 1],
      ['slots.opened', 1],
    ])
  },

  'announces a slot that was gone at the end of its first interval and returns within ten minutes': async (harness) => {
    const { clock, store } = harness
    const { oracle, receiver } = await openSubscribed(harness, 1, { events: ['slots.opened'] })
    await oracle.publish('plain', many(2))
    await oracle.turn(0)
    for (const count of [3, 2]) {
      clock.nowMs += SECOND_MS
      await oracle.publish('plain', many(count))
    }
    clock.nowMs += MINUTE_MS
    await oracle.turn(0)
    assert.deepEqual(receiver.log, [['slots.opened', 1]])
    assert.notDeepEqual(await store.subscriptionMatches.keys(), [])
    // The other node loads what is carried.
    clock.nowMs += MINUTE_MS
    await oracle.publish('plain', many(3))
    await oracle.turn(1)
    assert.deepEqual(receiver.log.slice(1), [['slots.opened', 1]])
    await oracle.publish('plain', many(2))
    await oracle.settle()
    await oracle.publish('plain', many(3))
    await oracle.settle()
    assert.deepEqual([receiver.log.length, await oracle.heldBackOf(receiver)], [2, { flap: 1 }])
    assert.deepEqual(await store.subscriptionMatches.keys(), [])
  },

  'forgets slots that were gone at the end of an interval with a pause, other filters or a deletion': async (
    harness,
  ) => {
    const { clock, store } = harness
    const { oracle, receiver } = await openSubscribed(harness, 1, { events: ['slots.opened'] })
    const { subscription } = receiver
    const edit = (changes: SubscriptionEdit) => store.subscriptions.edit(subscription, changes, oracle.owner)
    const refilter = () => edit({ filters: { status: 'free' }, query: 'minDurationMinutes=1' })
    const pause = () => edit({ status: 'paused' })
    const remove = () => store.subscriptions.remove(subscription, oracle.owner)
    for (const [n, change] of [refilter, pause, remove].entries()) {
      for (const count of [3 + n, 2]) {
        clock.nowMs += SECOND_MS
        await oracle.publish('plain', many(count))
      }
      clock.nowMs += MINUTE_MS
      await oracle.turn(0)
      const carried = async () =>
        (await store.subscriptionMatches.keys()).filter(({ filtersKey }) => filtersKey === subscription.id)
      assert.equal((await carried()).length, 1)
      await change()
      assert.deepEqual(await carried(), [])
      if (change === pause) await edit({ status: 'active' })
    }
  },

  'announces nothing that waits when an organization is suspended, also after it is resumed': async (harness) => {
    const { clock, store } = harness
    const { oracle, receiver } = await announceOneOfTwo(harness)
    const { organizationId } = receiver.subscription
    await store.organizations.suspend(organizationId, 'Too many requests', oracle.owner)
    clock.nowMs += MINUTE_MS
    await oracle.turn(0)
    await store.organizations.resume(organizationId, oracle.owner)
    await oracle.settle()
    assert.deepEqual(receiver.log, [['slots.opened', 1]])
    assert.deepEqual(await store.subscriptionMatches.keys(), [])
  },
}

/** Two slots opened: the first was announced, the second waits for the interval. */
async function announceOneOfTwo(harness: StoreHarness) {
  const { oracle, receiver } = await openSubscribed(harness, 1)
  for (const count of [2, 3]) {
    await oracle.publish('plain', many(count))
    await oracle.turn(0)
  }
  return { oracle, receiver }
}
