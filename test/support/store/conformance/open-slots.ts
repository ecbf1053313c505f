import assert from 'node:assert/strict'
import { DAY_MS, HOUR_MS } from '../../../../src/lib/time.ts'
import { HISTORY_POINTS } from '../../../../src/store/contracts/open-slot-history.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addSource } from './samples.ts'

const MIDNIGHT_MS = HARNESS_STARTS_MS - 8 * HOUR_MS

/** `OpenSlotHistory`. */
export const OPEN_SLOTS_GUARANTEES: Guarantees = {
  'keeps the counts of each hour by state, and which sources were not counted': async ({ store }) => {
    const { id } = await addSource(store)
    const isUncounted = async (atMs: number) =>
      (await store.openSlotHistory.uncounted(atMs, ['a', 'gone'])).length === 1
    assert.equal(await isUncounted(HARNESS_STARTS_MS), true)
    await put(store, HARNESS_STARTS_MS, { '': 5, MA: 5 })
    assert.equal(await isUncounted(HARNESS_STARTS_MS + HOUR_MS - 1), false)
    assert.equal(await isUncounted(HARNESS_STARTS_MS + HOUR_MS), true)
    assert.equal(await isUncounted(HARNESS_STARTS_MS - 1), true)
    await put(store, HARNESS_STARTS_MS + 2 * HOUR_MS, { '': 9, NH: 4 })
    const { fromMs, stepMs, series } = await store.openSlotHistory.read(
      id,
      'hours',
      HARNESS_STARTS_MS + 3 * HOUR_MS - 1,
    )
    const last = (state: string) => series.get(state)?.slice(-4)
    assert.deepEqual([stepMs, fromMs], [HOUR_MS, HARNESS_STARTS_MS - (HISTORY_POINTS.hours - 3) * HOUR_MS])
    assert.deepEqual(
      [last(''), last('MA'), last('NH')],
      [
        [null, 5, null, 9],
        [null, 5, null, 0],
        [null, 0, null, 4],
      ],
    )
    for (const line of series.values()) assert.equal(line.length, HISTORY_POINTS.hours)
  },

  'replaces the count of an hour, and counts a day as the mean of its hours': async ({ store }) => {
    const { id } = await addSource(store)
    await put(store, MIDNIGHT_MS, { '': 100, MA: 100 })
    await put(store, MIDNIGHT_MS + HOUR_MS, { '': 1 })
    await put(store, MIDNIGHT_MS + HOUR_MS, { '': 21, MA: 20 })
    await put(store, MIDNIGHT_MS + DAY_MS, { '': 7 })
    const { series, fromMs } = await store.openSlotHistory.read(id, 'days', MIDNIGHT_MS + DAY_MS)
    assert.equal(fromMs, MIDNIGHT_MS - (HISTORY_POINTS.days - 2) * DAY_MS)
    assert.deepEqual(
      [series.get('')?.slice(-3), series.get('MA')?.slice(-3)],
      [
        [null, 61, 7],
        [null, 60, 0],
      ],
    )
  },

  'has no counts of a source that was not counted or was removed': async ({ store }) => {
    const [a, b] = [await addSource(store, 'a'), await addSource(store, 'b')]
    await put(store, HARNESS_STARTS_MS, { '': 5 })
    const last = async (id: number) =>
      (await store.openSlotHistory.read(id, 'hours', HARNESS_STARTS_MS)).series.get('')?.at(-1)
    assert.deepEqual([await last(a.id), await last(b.id)], [5, null])
    assert.deepEqual(await store.openSlotHistory.uncounted(HARNESS_STARTS_MS, ['a', 'b']), ['b'])
    await store.sources.remove('a')
    assert.equal(await last(a.id), null)
    await store.openSlotHistory.put(HARNESS_STARTS_MS, new Map([['a', new Map([['', 3]])]]))
    assert.equal(await last(a.id), null)
  },

  'deletes counts older than the retention': async ({ store }) => {
    const { id } = await addSource(store)
    for (let day = 0; day < 460; day += 10) await put(store, MIDNIGHT_MS + day * DAY_MS, { '': day })
    const nowMs = MIDNIGHT_MS + 450 * DAY_MS
    const counted = async (span: 'hours' | 'days', atMs: number) =>
      (await store.openSlotHistory.read(id, span, atMs)).series.get('')?.filter((point) => point !== null)
    assert.deepEqual(await counted('hours', nowMs), [440, 450])
    assert.equal((await counted('days', nowMs))?.length, 40)
    assert.deepEqual(await counted('hours', MIDNIGHT_MS + 420 * DAY_MS), [])
    assert.deepEqual(await counted('days', MIDNIGHT_MS + 5 * DAY_MS), [])
  },

  'counts a thousand sources in a few statements': async ({ store }) => {
    await addSource(store, 's0')
    const first = await store.signIn.queries.selectFrom('sources').selectAll().executeTakeFirst()
    const others = Array.from({ length: 599 }, (_, at) => ({ ...first, id: at + 2, slug: `s${at + 1}` }))
    await store.signIn.queries.insertInto('sources').values(others).execute()
    const counts = new Map(Array.from({ length: 600 }, (_, at) => [`s${at}`, new Map([['', at]])]))
    await store.openSlotHistory.put(HARNESS_STARTS_MS, counts)
    const { id } = (await store.sources.find('s599')) ?? assert.fail()
    assert.equal((await store.openSlotHistory.read(id, 'hours', HARNESS_STARTS_MS)).series.get('')?.at(-1), 599)
  },
}

async function put(store: Store, atMs: number, counts: Readonly<Record<string, number>>): Promise<void> {
  await store.openSlotHistory.put(atMs, new Map([['a', new Map(Object.entries(counts))]]))
}
