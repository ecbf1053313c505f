import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/lib/time.ts'
import { SYNC_HISTORY_MAX } from '../../../../src/store/contracts/sources.ts'
import type { Guarantees } from './harness.ts'
import { addSource, begin, draftOf, END, outcomeOf, sync } from './samples.ts'

/** `SourceStore`: pauses and sync history. */
export const SOURCE_HISTORY_GUARANTEES: Guarantees = {
  'pauses and resumes a source with all its slots': async ({ store, open }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a1')] })
    const paused = await store.sources.setPaused('a', true)
    assert.deepEqual([paused?.paused, paused?.slotCount], [true, 1])
    assert.deepEqual(await (await open()).sources.find('a'), paused)
    assert.equal((await store.sources.setPaused('a', false))?.paused, false)
    assert.equal(await store.sources.setPaused('b', true), undefined)
  },

  'makes a source due now, and keeps a paused source paused': async ({ store, clock }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a1')] })
    await store.sources.setPaused('a', true)
    const soon = await store.sources.syncSoon('a')
    assert.ok((soon?.nextSyncAtMs ?? Number.POSITIVE_INFINITY) <= clock.nowMs)
    assert.equal(soon?.paused, true)
    assert.equal(await store.sources.syncSoon('b'), undefined)
  },

  'is due again at the end of a sync during which it was made due': async ({ store, clock }) => {
    const source = await addSource(store)
    const outcome = outcomeOf({ outcome: 'failed', error: 'x' })
    const later = { ...END, nextSyncAtMs: clock.nowMs + DAY_MS }
    const plan = async () => (await store.sources.find('a'))?.nextSyncAtMs
    for (const end of ['commit', 'abandon'] as const) {
      const running = await begin(store, source)
      clock.nowMs++
      await store.sources.syncSoon('a')
      await (end === 'commit'
        ? running.commit({ ...later, connectorState: {} })
        : running.abandon({ ...later, outcome }))
      assert.equal(await plan(), clock.nowMs)
    }
    await (await begin(store, source)).commit({ ...later, connectorState: {} })
    assert.equal(await plan(), later.nextSyncAtMs)
  },

  'makes sources due that were planned by a clock that was ahead': async ({ store, clock }) => {
    const [right, ahead, failed] = [await addSource(store), await addSource(store, 'b'), await addSource(store, 'c')]
    const endAt = (nextSyncAtMs: number) => ({ ...END, nextSyncAtMs, connectorState: {} })
    await (await begin(store, right)).commit(endAt(clock.nowMs + 30 * DAY_MS))
    clock.nowMs += 10 * DAY_MS
    await (await begin(store, ahead)).commit(endAt(clock.nowMs + HOUR_MS))
    const outcome = outcomeOf({ outcome: 'failed' })
    await (await begin(store, failed)).abandon({ outcome, rejections: [], nextSyncAtMs: clock.nowMs + MINUTE_MS })
    clock.nowMs -= 10 * DAY_MS
    assert.equal(await store.sources.resetFuturePlans(), 2)
    const plans = await Promise.all(['a', 'b', 'c'].map(async (slug) => (await store.sources.find(slug))?.nextSyncAtMs))
    assert.deepEqual(plans, [clock.nowMs + 30 * DAY_MS, clock.nowMs, clock.nowMs])
    assert.equal(await store.sources.resetFuturePlans(), 0)
  },

  'returns when a source was last read, and the publication time that its publisher states': async ({
    store,
    clock,
  }) => {
    const source = await addSource(store)
    const times = async () => {
      const { lastCheckedAtMs, publishedAtMs } = (await store.sources.find('a')) ?? source
      return [lastCheckedAtMs, publishedAtMs]
    }
    assert.deepEqual(await times(), [undefined, undefined])
    await (await begin(store, source)).commit({ ...END, publishedAtMs: 5, connectorState: {} })
    const readAtMs = clock.nowMs
    assert.deepEqual(await times(), [readAtMs, 5])
    clock.nowMs += 60_000
    await (await begin(store, source)).abandon({
      ...END,
      outcome: outcomeOf({ outcome: 'failed', error: 'gone' }),
    })
    assert.deepEqual(await times(), [readAtMs, 5])
    await (await begin(store, source)).abandon({
      ...END,
      outcome: outcomeOf({ unchanged: true }),
      publishedAtMs: 6,
    })
    assert.deepEqual(await times(), [readAtMs + 60_000, 6])
  },

  'keeps the messages of the last good sync': async ({ store }) => {
    const source = await addSource(store)
    const texts = async () => (await store.sources.find('a'))?.messages.map(({ text }) => text)
    const messages = [{ severity: 'warning', text: 'one\0' }] as const
    assert.deepEqual(await texts(), [])
    await (await begin(store, source)).commit({ ...END, messages, connectorState: {} })
    assert.deepEqual(await texts(), ['one\0'])
    const other = [{ severity: 'error', text: 'two' }] as const
    const outcome = outcomeOf({ outcome: 'failed', error: 'gone' })
    await (await begin(store, source)).abandon({ ...END, outcome, messages: other })
    await (await begin(store, source)).abandon({ ...END, outcome: outcomeOf({ unchanged: true }) })
    assert.deepEqual(await texts(), ['one\0'])
    await (await begin(store, source)).abandon({ ...END, outcome: outcomeOf({ unchanged: true }), messages: other })
    assert.deepEqual(await texts(), ['two'])
    await (await begin(store, source)).commit({ ...END, connectorState: {} })
    assert.deepEqual(await texts(), [])
  },

  'keeps the outcome and slot count of each sync, newest first': async ({ store }) => {
    const source = await addSource(store)
    assert.deepEqual(await store.sources.syncHistory(source.id), [])
    await sync(store, source, { inserted: [draftOf('a1'), draftOf('a2')] })
    const failed = outcomeOf({ outcome: 'failed', error: 'no answer' })
    const failing = await begin(store, { id: source.id })
    await failing.write({ inserts: [draftOf('a3')] })
    await failing.abandon({ ...END, outcome: failed })
    await sync(store, source, { deleted: ['a1'] })
    assert.deepEqual(await store.sources.syncHistory(source.id), [
      { ...END.outcome, slotCount: 1 },
      { ...failed, slotCount: 2 },
      { ...END.outcome, slotCount: 2 },
    ])
  },

  'keeps only the newest syncs of each source, and none of a removed one': async ({ store }) => {
    const [a, b] = [await addSource(store, 'a'), await addSource(store, 'b')]
    await (await begin(store, b)).commit({ ...END, connectorState: {} })
    const oldest = JSON.stringify(outcomeOf({}))
    await sql`insert into sync_history (sync_id, source_id, outcome, slot_count)
      with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < ${sql.lit(SYNC_HISTORY_MAX)})
      select n, ${sql.lit(a.id)}, ${sql.lit(oldest)}, 0 from numbers`.execute(store.signIn.queries)
    await sql`update counters set value = ${sql.lit(SYNC_HISTORY_MAX)} where name = 'sync_ids'`.execute(
      store.signIn.queries,
    )
    for (const read of [1, 2, 3]) {
      await (await begin(store, a)).commit({ ...END, outcome: outcomeOf({ read }), connectorState: {} })
    }
    const history = await store.sources.syncHistory(a.id)
    assert.deepEqual(
      history.map(({ read }) => read),
      [3, 2, 1, ...Array.from({ length: SYNC_HISTORY_MAX - 3 }, () => 0)],
    )
    assert.equal((await store.sources.syncHistory(b.id)).length, 1)
    await store.sources.remove('a')
    assert.deepEqual(await store.sources.syncHistory(a.id), [])
  },

  'remembers how many slots a source had, however long it has had none': async ({ store }) => {
    const source = await addSource(store)
    const commit = async (changes: Parameters<typeof sync>[2]) => {
      await sync(store, source, changes)
      const log = await store.changeLog.open()
      const [logged] = await log.commits({ after: log.newest - 1, until: log.newest })
      await log.close()
      return [logged?.slotsBefore, logged?.slotsOnce]
    }
    await commit({ inserted: [draftOf('a1'), draftOf('a2')] })
    await commit({ deleted: ['a1', 'a2'] })
    for (let n = 0; n < SYNC_HISTORY_MAX; n++)
      await (await begin(store, source)).abandon({ ...END, outcome: outcomeOf({ unchanged: true }) })
    assert.equal((await store.sources.syncHistory(source.id)).length, SYNC_HISTORY_MAX)
    assert.deepEqual(await commit({ inserted: [draftOf('a3')] }), [0, 2])
  },

  'keeps nothing of a sync that lost its lease': async ({ store, clock }) => {
    const source = await addSource(store)
    const lost = await begin(store, source)
    clock.nowMs += 120_000
    await (await begin(store, source, { owner: 'two', leaseMs: 60_000 })).commit({
      ...END,
      connectorState: {},
    })
    await assert.rejects(lost.abandon(END))
    await assert.rejects(lost.commit({ ...END, connectorState: {} }))
    assert.equal((await store.sources.syncHistory(source.id)).length, 1)
  },
}
