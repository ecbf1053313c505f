import assert from 'node:assert/strict'
import { MINUTE_MS } from '../../../../src/lib/time.ts'
import type { SubscriptionEvent } from '../../../../src/shared/subscription-vocabulary.ts'
import { SubscriptionOracle } from '../subscription-oracle.ts'
import { slotOf } from '../temp-store.ts'
import type { Guarantees, StoreHarness } from './harness.ts'

export const EVERYTHING = { filters: { status: 'free' }, query: '', events: ['slots.opened', 'slots.closed'] } as const

/** `SubscriptionMatchStore` when the change log does not reach back to its position, or is of another epoch. */
export const SUBSCRIPTION_GAP_GUARANTEES: Guarantees = {
  'skips changes that the log no longer has, and counts the gap': async (harness) => {
    const { oracle, receiver } = await openSubscribed(harness, 3)
    await oracle.turn(0)
    await oracle.publish('plain', many(5))
    await oracle.publish('plain', many(4))
    await purge(harness)
    await oracle.settle()
    assert.deepEqual([receiver.log, await oracle.heldBackOf(receiver)], [[], { logGap: 1 }])
    assert.deepEqual(oracle.messages(), ['changes were skipped: the change log does not reach back'])
    await oracle.publish('plain', many(6))
    await oracle.settle()
    assert.deepEqual(receiver.log, [['slots.opened', 2]])
  },

  'a gap of the log concerns only subscriptions that had not announced it': async (harness) => {
    const { oracle, receiver: old } = await openSubscribed(harness, 3)
    await oracle.turn(0)
    await oracle.publish('plain', many(5))
    await purge(harness)
    const later = await oracle.subscribe(EVERYTHING)
    await oracle.publish('plain', many(6))
    await oracle.settle()
    assert.deepEqual([old.log, await oracle.heldBackOf(old)], [[], { logGap: 1 }])
    assert.deepEqual([later.log, await oracle.heldBackOf(later)], [[['slots.opened', 1]], {}])
    assert.deepEqual(oracle.messages(), ['changes were skipped: the change log does not reach back'])
  },

  'a gap of the log that no subscription misses is not logged': async (harness) => {
    const oracle = await SubscriptionOracle.open(harness)
    await oracle.publish('plain', many(3))
    await oracle.turn(0)
    await oracle.publish('plain', many(5))
    await purge(harness)
    const receiver = await oracle.subscribe(EVERYTHING)
    await oracle.publish('plain', many(6))
    await oracle.settle()
    assert.deepEqual([receiver.log, await oracle.heldBackOf(receiver)], [[['slots.opened', 1]], {}])
    assert.deepEqual(oracle.messages(), [])
  },

  'continues in a new epoch of the store, with what is matched and not announced': async (harness) => {
    const { oracle, receiver } = await openSubscribed(harness, 3, { status: 'pending' })
    await oracle.publish('plain', many(5))
    await oracle.turn(0)
    await harness.store.signIn.queries.updateTable('counters').set({ value: 7 }).where('name', '=', 'store').execute()
    await oracle.publish('plain', many(6))
    await oracle.activate(receiver)
    await oracle.settle()
    assert.deepEqual([receiver.log, await oracle.heldBackOf(receiver)], [[['slots.opened', 3]], {}])
    assert.deepEqual(oracle.messages(), [])
  },

  'the first matcher of a store counts the changes that the log no longer has': async (harness) => {
    const oracle = await SubscriptionOracle.open(harness)
    await harness.store.signIn.queries.deleteFrom('subscription_cursor').execute()
    await oracle.publish('plain', many(3))
    const old = await oracle.subscribe(EVERYTHING)
    await oracle.publish('plain', many(5))
    await purge(harness)
    const later = await oracle.subscribe(EVERYTHING)
    await oracle.publish('plain', many(6))
    await oracle.settle()
    assert.deepEqual([old.log, await oracle.heldBackOf(old)], [[], { logGap: 1 }])
    assert.deepEqual([later.log, await oracle.heldBackOf(later)], [[['slots.opened', 1]], {}])
    assert.deepEqual(oracle.messages(), ['changes were skipped: the change log does not reach back'])
  },
}

/** A source with so many slots, and then a subscription to all slots, or another one. */
export async function openSubscribed(
  harness: StoreHarness,
  slots: number,
  { status, ...asked }: { events?: readonly SubscriptionEvent[]; status?: 'pending' } = {},
) {
  const oracle = await SubscriptionOracle.open(harness)
  await oracle.publish('plain', many(slots))
  return { oracle, receiver: await oracle.subscribe({ ...EVERYTHING, ...asked }, status) }
}

/** Deletes from the log all that is older than a minute. */
async function purge({ store, clock }: StoreHarness): Promise<void> {
  clock.nowMs += MINUTE_MS
  await store.revisionFeed.purge(0, clock.nowMs)
}

/** The first slots of a clinic. */
export function many(count: number) {
  return Array.from({ length: count }, (_, n) => slotOf(n))
}
