import assert from 'node:assert/strict'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import { encodeHorizons } from '../../../../src/slot/planning-horizon.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { addSource, begin, changesSince, draftOf, END, keysOf, OFFERING, sync } from './samples.ts'

const YEAR = { start: '2030-01-01', end: '2030-12-31' }
const horizons = (...ids: string[]) => encodeHorizons(new Map(ids.map((id) => [id, YEAR])))
const commit = async (store: Store, source: { id: number }, content?: string) =>
  (await begin(store, source)).commit({
    ...END,
    connectorState: {},
    ...(content !== undefined && { horizons: content }),
  })

/** The planning horizons of Schedules, which change beside the slots. */
export const HORIZON_GUARANTEES: Guarantees = {
  'replaces the planning horizons of a source in a commit that changes no slot': async ({ store }) => {
    const [a, b] = [await addSource(store, 'a'), await addSource(store, 'b')]
    const one = await sync(store, a, { inserted: [draftOf('x')] })
    const two = await commit(store, a, horizons('s1'))
    assert.equal(await commit(store, a, horizons('s1')), two)
    assert.equal(await commit(store, a), two)
    const three = await commit(store, b, horizons('s2'))
    assert.deepEqual([two - one, three - two], [1, 1])
    assert.deepEqual(await changesSince(store, one), { whole: false, revision: three, inserted: [], deleted: [] })
    assert.deepEqual(await newSince(store, one), [
      { publisher: 'a', revision: two, content: horizons('s1') },
      { publisher: 'b', revision: three, content: horizons('s2') },
    ])
    assert.deepEqual(
      (await newSince(store, two)).map(({ publisher }) => publisher),
      ['b'],
    )
    assert.equal((await newSince(store, undefined)).length, 2)
    const writer = await begin(store, a)
    assert.equal(await writer.readHorizons(), horizons('s1'))
  },

  'keeps the planning horizons when a sync is abandoned': async ({ store }) => {
    const source = await addSource(store)
    const one = await commit(store, source, horizons('s1'))
    await (await begin(store, source)).abandon(END)
    assert.deepEqual(await newSince(store, one), [])
  },

  'lists the Schedules whose planning horizons changed, as of each revision': async ({ store }) => {
    const source = await addSource(store)
    const one = await commit(store, source, horizons('s1', 's2'))
    const writer = await begin(store, source)
    const [id = 0] = await writer.putOfferings([OFFERING])
    const two = await writer.commit({ ...END, connectorState: {}, horizons: horizons('s2', 's3') })
    await (await begin(store, source)).putOfferings([{ ...OFFERING, scheduleId: 'later' }])
    const log = await store.changeLog.open(two)
    const [change, ...others] = await log.horizonChanges({ after: one, until: two })
    assert.ok(change)
    assert.deepEqual([change.publisher, [...change.schedules].sort(), others], ['a', ['s1', 's3'], []])
    const offerings: number[] = []
    for await (const rows of log.offeringsOf(change)) offerings.push(...rows.map((row) => row.id))
    assert.deepEqual(offerings, [id])
    assert.deepEqual([...(await log.horizons('a')).keys()], ['s2', 's3'])
    await log.close()
    const before = await store.changeLog.open(one)
    assert.deepEqual([...(await before.horizons('a')).keys()], ['s1', 's2'])
    await before.close()
  },

  'lists the offerings that slots refer to, as of each revision': async ({ store }) => {
    const [source, other] = [await addSource(store), await addSource(store, 'b')]
    const usedAt = async (revision: number) => {
      const log = await store.changeLog.open(revision)
      const used = new Set<number>()
      for await (const ids of log.usedOfferings(source.id)) for (const id of ids) used.add(id)
      await log.close()
      return [...used].sort()
    }
    const writer = await begin(store, source)
    const ids = await writer.putOfferings(['s1', 's2'].map((scheduleId) => ({ ...OFFERING, scheduleId })))
    const [offeringId, second] = ids
    await writer.write({
      inserts: [draftOf('x', { offeringId }), draftOf('y', { offeringId: second })],
      deletes: [],
    })
    const one = await writer.commit({ ...END, connectorState: {} })
    await sync(store, other, { inserted: [draftOf('z')] })
    const deleting = await begin(store, source)
    await deleting.write({ inserts: [], deletes: await keysOf(deleting, ['x']) })
    assert.deepEqual(await usedAt(one), ids)
    const two = await deleting.commit({ ...END, connectorState: {} })
    await store.sources.remove('a')
    assert.deepEqual([await usedAt(one), await usedAt(two), await usedAt(two + 1)], [ids, [second], []])
  },

  'ends the planning horizons with their source, and purges what nobody can read': async ({ store, clock }) => {
    const source = await addSource(store)
    await commit(store, source, horizons('s1'))
    const two = await commit(store, source, horizons('s2'))
    clock.nowMs += HOUR_MS
    await store.revisionFeed.purge(0, clock.nowMs)
    assert.deepEqual(await newSince(store, undefined), [{ publisher: 'a', revision: two, content: horizons('s2') }])
    await store.sources.remove('a')
    assert.deepEqual(await newSince(store, two), [{ publisher: 'a', revision: two + 1, content: '' }])
    clock.nowMs += HOUR_MS
    await store.revisionFeed.purge(0, clock.nowMs)
    assert.deepEqual(await newSince(store, undefined), [])
  },
}

async function newSince(store: Store, since: number | undefined) {
  const delta = await store.revisionFeed.open(since)
  try {
    return (await delta.horizons()).map((each) => ({ ...each }))
  } finally {
    await delta.close()
  }
}
