import assert from 'node:assert/strict'
import { SubscriptionOracle } from '../subscription-oracle.ts'
import type { Guarantees } from './harness.ts'
import { EVERYTHING, many } from './subscription-gaps.ts'

/** `SubscriptionMatchStore` when subscriptions change while their events are queued. */
export const SUBSCRIPTION_ANNOUNCEMENT_GUARANTEES: Guarantees = {
  'announces the matches of a subscription that is edited while its event is queued': async (harness) => {
    const oracle = await SubscriptionOracle.open(harness)
    await oracle.publish('plain', many(1))
    const receiver = await oracle.subscribe(EVERYTHING)
    await oracle.publish('plain', many(3))
    const { subscriptions } = harness.store
    await oracle.turnWhile(() => subscriptions.edit(receiver.subscription, { description: 'Edited' }, oracle.owner))
    assert.deepEqual(receiver.log, [])
    await oracle.settle()
    assert.deepEqual([receiver.log, await oracle.heldBackOf(receiver)], [[['slots.opened', 2]], {}])
    assert.deepEqual(await harness.store.subscriptionMatches.keys(), [])
  },
}
