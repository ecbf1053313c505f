import assert from 'node:assert/strict'
import { DAY_MS } from '../../../../src/lib/time.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'

const RULE = { free: 2, firstMs: 1_000, maxMs: 5_000, forgetMs: 60_000 }

/** `ThrottleStore`. */
export const THROTTLE_GUARANTEES: Guarantees = {
  'allows the first failures, then doubles the wait up to its maximum': async ({ store, clock }) => {
    const waits: number[] = []
    for (let failure = 0; failure < 7; failure++) {
      const untilMs = await store.throttles.fail('ann', RULE)
      waits.push(untilMs === 0 ? 0 : untilMs - clock.nowMs)
    }
    assert.deepEqual(waits, [0, 0, 1_000, 2_000, 4_000, 5_000, 5_000])
  },

  'refuses one name until its time, in every store, and no other name': async ({ store, open, clock }) => {
    for (let failure = 0; failure < 3; failure++) await store.throttles.fail('ann', RULE)
    const { throttles } = await open()
    assert.equal(await throttles.refusedUntil('ann'), HARNESS_STARTS_MS + 1_000)
    assert.equal(await throttles.refusedUntil('bob'), 0)
    clock.nowMs += 1_000
    assert.equal(await throttles.refusedUntil('ann'), 0)
  },

  'allows as many uses in a window as given, over all stores, and as many in the next one': async ({
    store,
    open,
    clock,
  }) => {
    const stores = [store, await open()]
    const take = (at: number) => stores[at % 2].throttles.take('ann', { max: 3, ms: 1_000 })
    const untils = await Promise.all([0, 1, 2, 3, 4, 5].map(take))
    const endMs = HARNESS_STARTS_MS + 1_000
    assert.deepEqual(untils.sort(), [0, 0, 0, endMs, endMs, endMs])
    assert.equal(await store.throttles.take('bob', { max: 3, ms: 1_000 }), 0)
    clock.nowMs = endMs - 1
    assert.equal(await take(0), endMs)
    clock.nowMs = endMs
    assert.deepEqual([await take(0), await take(1), await take(2)], [0, 0, 0])
    assert.equal(await take(3), endMs + 1_000)
  },

  'counts the failures of all stores together, also concurrent ones': async ({ store, open, clock }) => {
    const stores = [store, await open(), await open()]
    const untils = await Promise.all(stores.map(({ throttles }) => throttles.fail('ann', RULE)))
    assert.deepEqual(untils.sort(), [0, 0, clock.nowMs + 1_000])
  },

  'resets the failures after a success or enough time without a failure': async ({ store, clock }) => {
    for (let failure = 0; failure < 3; failure++) await store.throttles.fail('ann', RULE)
    await store.throttles.clear('ann')
    assert.equal(await store.throttles.refusedUntil('ann'), 0)
    for (let failure = 0; failure < 2; failure++) assert.equal(await store.throttles.fail('ann', RULE), 0)
    clock.nowMs += RULE.forgetMs - 1
    assert.notEqual(await store.throttles.fail('ann', RULE), 0)
    clock.nowMs += RULE.forgetMs
    assert.equal(await store.throttles.fail('ann', RULE), 0)
    await store.throttles.clear('nobody')
  },

  'keeps refusing for a wait longer than the retention of failures': async ({ store, clock }) => {
    const rule = { free: 0, firstMs: 10_000, maxMs: 10_000, forgetMs: 1_000 }
    await store.throttles.fail('ann', rule)
    clock.nowMs += 5_000
    await store.throttles.fail('bob', rule)
    assert.equal(await store.throttles.refusedUntil('ann'), HARNESS_STARTS_MS + 10_000)
  },

  'neither refuses nor counts what a clock that was ahead has counted': async ({ store, clock }) => {
    const window = { max: 1, ms: DAY_MS }
    clock.nowMs += 10 * DAY_MS
    for (let use = 0; use < 3; use++) await store.throttles.fail('ann', RULE)
    for (let use = 0; use < 2; use++) await store.throttles.take('bob', window)
    await store.throttles.take('eve', window)
    clock.nowMs -= 10 * DAY_MS
    assert.equal(await store.throttles.refusedUntil('ann'), 0)
    assert.deepEqual([await store.throttles.take('bob', window), await store.throttles.take('eve', window)], [0, 0])
    assert.equal(await store.throttles.fail('ann', RULE), 0)
  },

  'deletes a name after the retention': async ({ store, clock }) => {
    for (let name = 0; name < 50; name++) await store.throttles.fail(`guess ${name}`, RULE)
    clock.nowMs += RULE.forgetMs
    await store.throttles.fail('ann', RULE)
    const rows = await store.signIn.queries.selectFrom('throttles').select('name').execute()
    assert.deepEqual(
      rows.map((row) => row.name),
      ['ann'],
    )
  },
}
