import assert from 'node:assert/strict'
import fc from 'fast-check'
import { MINUTE_MS, SECOND_MS } from '../../../../src/lib/time.ts'
import type { SubscriptionEvent } from '../../../../src/shared/subscription-vocabulary.ts'
import type { Slot } from '../../../../src/slot/slot.ts'
import type { SlotFilters } from '../../../../src/slot/slot-filters.ts'
import { query as filters, slotIn } from '../../slot-index/index-samples.ts'
import { SLOTS_START_MS, SOURCES, SubscriptionOracle } from '../subscription-oracle.ts'
import { slotOf } from '../temp-store.ts'
import { type Guarantees, scaled } from './harness.ts'
import { EVERYTHING, many, openSubscribed } from './subscription-gaps.ts'

const BOTH: SubscriptionEvent[] = ['slots.opened', 'slots.closed']
const OPENED: SubscriptionEvent[] = ['slots.opened']

const slots = fc.uniqueArray(slotIn, { selector: ({ id }) => id.slice(1), maxLength: 25 })
const source = fc.constantFrom(...SOURCES)
const published = fc.oneof({ weight: 4, arbitrary: slots }, { weight: 1, arbitrary: fc.constant([]) })
const subscription = filters
  .filter(({ languages }) => !languages?.includes('español'))
  .map(subscriptionOf)
  .chain((one) =>
    fc.record({
      filters: fc.constant(one.filters),
      query: fc.constant(one.query),
      events: fc.constantFrom(BOTH, OPENED),
    }),
  )

/** `turn` of a node; `wait` lets its lock expire, or slots return too late to be a flap; `return` to the slots before the last. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('publish' as const), source, slots: published }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('return' as const), source }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('subscribe' as const), subscription }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      node: fc.nat(1),
      kill: fc.constantFrom(undefined, undefined, 'before' as const, 'after' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(SECOND_MS, 20 * SECOND_MS, MINUTE_MS, 11 * MINUTE_MS),
    }),
  },
)

/** `SubscriptionMatchStore`, with the matcher that uses it. */
export const SUBSCRIPTION_MATCH_GUARANTEES: Guarantees = {
  'announces what opens and closes after the subscription, and nothing from before': async (harness) => {
    const oracle = await SubscriptionOracle.open(harness)
    await oracle.publish('plain', [slotOf(1)])
    const receiver = await oracle.subscribe(EVERYTHING)
    await oracle.publish('plain', [slotOf(1), slotOf(2), slotOf(3, { status: 'busy' })])
    await oracle.turn(0)
    assert.deepEqual(receiver.log, [['slots.opened', 1]])
    const sentAtMs = harness.clock.nowMs
    await oracle.publish('plain', [slotOf(1, { status: 'busy' }), slotOf(2, { capacity: 2 }), slotOf(3)])
    for (const passedMs of [0, MINUTE_MS - 1, MINUTE_MS]) {
      harness.clock.nowMs = sentAtMs + passedMs
      await oracle.turn(0)
      assert.equal(receiver.log.length, passedMs < MINUTE_MS ? 1 : 3, `after ${passedMs} ms`)
    }
    assert.deepEqual(receiver.log.slice(1), [
      ['slots.opened', 1],
      ['slots.closed', 1],
    ])
    assert.deepEqual(receiver.told, oracle.matching(EVERYTHING.filters))
    assert.deepEqual(await harness.store.subscriptionMatches.keys(), [])
  },

  'waits for the interval after the delivery of an event that was repeated': async (harness) => {
    const { oracle, receiver } = await openSubscribed(harness, 1)
    await oracle.publish('plain', many(2))
    await oracle.turn(0)
    // The event was queued now, and is delivered by a later attempt.
    harness.clock.nowMs += MINUTE_MS - 1
    const deliveredAtMs = harness.clock.nowMs
    await oracle.noteDelivery(receiver)
    await oracle.publish('plain', many(3))
    for (const passedMs of [1, MINUTE_MS - 1, MINUTE_MS]) {
      harness.clock.nowMs = deliveredAtMs + passedMs
      await oracle.turn(0)
      assert.equal(receiver.log.length, passedMs < MINUTE_MS ? 1 : 2, `after ${passedMs} ms`)
    }
  },

  'counts the slots of a first snapshot, and of one after all slots were lost, instead of announcing them': async (
    harness,
  ) => {
    const { oracle, receiver } = await openSubscribed(harness, 12, { events: OPENED })
    await oracle.publish('late', many(3))
    await oracle.settle()
    assert.deepEqual([receiver.log, await oracle.heldBackOf(receiver)], [[], { firstSync: 3 }])
    await oracle.publish('plain', [])
    await oracle.settle()
    harness.clock.nowMs += 11 * MINUTE_MS
    await oracle.publish('plain', many(14))
    await oracle.settle()
    assert.deepEqual([receiver.log, await oracle.heldBackOf(receiver)], [[], { firstSync: 17 }])
    await oracle.publish('plain', many(15))
    await oracle.settle()
    assert.deepEqual(receiver.log, [['slots.opened', 1]])
  },

  'announces the only slot of a source that was fully booked': async (harness) => {
    const oracle = await SubscriptionOracle.open(harness)
    await oracle.publish('plain', many(2))
    await oracle.publish('plain', [])
    const receiver = await oracle.subscribe(EVERYTHING)
    harness.clock.nowMs += 11 * MINUTE_MS
    await oracle.publish('plain', many(1))
    await oracle.settle()
    assert.deepEqual(receiver.log, [['slots.opened', 1]])
  },

  'does not announce a slot that returns within ten minutes, also after a restart': async (harness) => {
    const { oracle, receiver } = await openSubscribed(harness, 2, { events: OPENED })
    await oracle.publish('plain', many(1))
    await oracle.turn(0)
    harness.clock.nowMs += 9 * MINUTE_MS
    await oracle.publish('plain', many(2))
    await oracle.turn(1)
    await oracle.settle()
    assert.deepEqual([receiver.log, await oracle.heldBackOf(receiver)], [[], { flap: 1 }])
    await oracle.publish('plain', many(1))
    await oracle.settle()
    harness.clock.nowMs += 11 * MINUTE_MS
    await oracle.publish('plain', many(2))
    await oracle.settle()
    assert.deepEqual(receiver.log, [['slots.opened', 1]])
  },

  'counts the matches of a source whose newest snapshot is held': async (harness) => {
    const oracle = await SubscriptionOracle.open(harness)
    await oracle.publish('careful', many(20))
    const receiver = await oracle.subscribe(EVERYTHING)
    await oracle.publish('careful', many(22))
    await oracle.publish('careful', [])
    await oracle.settle()
    assert.deepEqual([receiver.log, await oracle.heldBackOf(receiver)], [[], { heldSource: 2 }])
  },

  'sends nothing when slots end and are removed afterwards': async (harness) => {
    const { oracle, receiver } = await openSubscribed(harness, 3)
    await oracle.turn(0)
    harness.clock.nowMs = slotOf(2).endMs + SLOTS_START_MS
    await oracle.publish('plain', [slotOf(3)])
    await oracle.settle()
    assert.deepEqual(receiver.log, [['slots.opened', 1]])
  },

  'announces only the number of more than 1,000 slots': async (harness) => {
    const { oracle, receiver } = await openSubscribed(harness, 1)
    await oracle.publish('plain', many(2502))
    await oracle.settle()
    assert.deepEqual(receiver.log, [['slots.opened', 2501]])
  },

  'announces what has matched since its creation once its address is verified': async (harness) => {
    const { oracle, receiver } = await openSubscribed(harness, 1, { status: 'pending' })
    await oracle.publish('plain', many(3))
    await oracle.settle()
    assert.deepEqual(receiver.log, [])
    await oracle.activate(receiver)
    await oracle.settle()
    assert.deepEqual(receiver.log, [['slots.opened', 2]])
  },

  'keeps a bounded number of rows for a subscription that cannot announce, and announces all of them': async (
    harness,
  ) => {
    const { oracle, receiver: waiting } = await openSubscribed(harness, 1, { status: 'pending' })
    const rowsOf = async () => {
      const [{ filtersKey }] = await harness.store.subscriptionMatches.keys()
      return harness.store.subscriptionMatches.ofFilters(filtersKey, { after: 0, until: Number.MAX_SAFE_INTEGER })
    }
    for (let commits = 0; commits < 80; commits++) {
      await oracle.publish('plain', many(2 + commits))
      await oracle.turn(0)
    }
    assert.ok((await rowsOf()).length < 50, 'one row per commit')
    const later = await oracle.subscribe(EVERYTHING, 'pending')
    for (let commits = 0; commits < 80; commits++) {
      await oracle.publish('plain', many(81 + ((commits + 2) % 3)))
      await oracle.turn(0)
    }
    assert.ok((await rowsOf()).length < 100, 'one row per commit')
    for (const receiver of [waiting, later]) await oracle.activate(receiver)
    await oracle.settle()
    assert.deepEqual(waiting.log, [['slots.opened', 80]])
    assert.deepEqual(later.log, [])
    for (const receiver of [waiting, later]) await oracle.compare(receiver)
    assert.deepEqual(await harness.store.subscriptionMatches.keys(), [])
  },

  'announces what a mirror sees, whichever node matches and is killed, less what quiet rules hold back': async (
    harness,
  ) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(subscription, { minLength: 1, maxLength: 4 }),
        slots,
        fc.array(step, { maxLength: 40 }),
        async (subscriptions, first, steps) => {
          const oracle = await SubscriptionOracle.open(harness)
          for (const one of SOURCES.slice(0, 2)) await oracle.publish(one, first)
          for (const one of subscriptions) await oracle.subscribe(one)
          const versions: Record<string, (readonly Slot[])[]> = Object.fromEntries(
            SOURCES.map((each) => [each, [first, first]]),
          )
          const publish = (of: (typeof SOURCES)[number], next: readonly Slot[] = versions[of][0]) => {
            versions[of] = [versions[of][1], next]
            return oracle.publish(of, next)
          }
          for (const each of steps) {
            harness.clock.nowMs += SECOND_MS
            if (each.do === 'publish') await publish(each.source, each.slots)
            else if (each.do === 'return') await publish(each.source)
            else if (each.do === 'wait') harness.clock.nowMs += each.ms
            else if (each.do === 'turn') await oracle.turn(each.node, each.kill)
            else await oracle.subscribe(each.subscription)
          }
          await oracle.settle()
          for (const receiver of oracle.receivers) await oracle.compare(receiver)
          await oracle.close()
        },
      ),
      { numRuns: scaled(60) },
    )
  },
}

/** Filters as a query string, and as the list parses it. */
function subscriptionOf({
  sort: _,
  limit: _limit,
  offset: _offset,
  cursor: _cursor,
  ...asked
}: SlotFilters & {
  sort: string
  limit: number
  offset: number
  cursor?: unknown
}): { filters: SlotFilters; query: string } {
  const { startAfterMs, startBeforeMs, near } = asked
  const own: SlotFilters = {
    ...asked,
    status: 'free',
    ...(startAfterMs !== undefined && { startAfterMs: startAfterMs + SLOTS_START_MS }),
    ...(startBeforeMs !== undefined && { startBeforeMs: startBeforeMs + SLOTS_START_MS }),
  }
  const instant = (ms: number | undefined) => ms && [new Date(ms).toISOString()]
  const parameters = {
    state: own.states,
    isVirtual: own.isVirtual,
    startAfter: instant(own.startAfterMs),
    startBefore: instant(own.startBeforeMs),
    minDurationMinutes: own.minDurationMs && own.minDurationMs / MINUTE_MS,
    serviceTypeCode: own.serviceTypeCodes,
    appointmentType: own.appointmentType,
    acceptingPatients: own.acceptingPatients,
    city: own.city,
    postalCode: own.postalCodePrefix,
    near: near && `${near.latitude},${near.longitude}`,
    radiusKm: near?.radiusKm,
    specialty: own.specialty,
    providerNpi: own.providerNpi,
    language: own.languages,
    identifier: own.identifiers,
    publisher: own.publishers,
    scheduleId: own.scheduleId,
    actorKey: own.actorKey,
  }
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  )
  return { filters: own, query: new URLSearchParams(pairs).toString().replaceAll('+', '%20') }
}
