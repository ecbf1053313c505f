import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HARNESS_STARTS_MS } from '../../test/support/store/conformance/harness.ts'
import { EVERYTHING, many } from '../../test/support/store/conformance/subscription-gaps.ts'
import { SubscriptionOracle } from '../../test/support/store/subscription-oracle.ts'
import { openTempStore, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { openStore } from '../store/open-store.ts'

for (const node of [0, 1]) {
  const which = node === 0 ? 'the same node' : 'another node'
  test(`${which} announces what opens after a clock that was ahead is set back`, async (t) => {
    const clock = { nowMs: HARNESS_STARTS_MS + 5 * HOUR_MS }
    const url = tempDatabaseUrl()
    const store = await openTempStore(t, () => clock.nowMs, url)
    const oracle = await SubscriptionOracle.open({ url, store, clock, open: () => openStore(url) })
    await oracle.publish('plain', many(1))
    const receiver = await oracle.subscribe(EVERYTHING)
    for (const slots of [2, 3]) {
      await oracle.publish('plain', many(slots))
      await oracle.turn(0)
    }
    assert.deepEqual(receiver.log, [['slots.opened', 1]], 'the second waits for the end of the interval')
    clock.nowMs -= 5 * HOUR_MS
    await oracle.publish('plain', many(4))
    await oracle.turn(node)
    assert.deepEqual(receiver.log.slice(1), [['slots.opened', 2]])
    await oracle.publish('plain', many(5))
    clock.nowMs += MINUTE_MS - 1
    await oracle.turn(node)
    assert.equal(receiver.log.length, 2)
    clock.nowMs += 1
    await oracle.turn(node)
    assert.deepEqual(receiver.log.slice(2), [['slots.opened', 1]])
  })
}
