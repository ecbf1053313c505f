import assert from 'node:assert/strict'
import { DAY_MS } from '../../../../src/lib/time.ts'
import type { AnomalyKind } from '../../../../src/shared/source-vocabulary.ts'
import type { Offering } from '../../../../src/slot/slot.ts'
import type { Anomaly } from '../../../../src/store/contracts/source-watch.ts'
import { CHANGE_GAP_DAYS_MAX } from '../../../../src/store/contracts/source-watch.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { addSource, begin, draftOf, END, keysOf, living, OFFERING, outcomeOf, sync } from './samples.ts'

const HELD = outcomeOf({ outcome: 'held', removed: 9 })

/** `SourceStore` and `SnapshotWriter`: held snapshots, approvals and change gaps. */
export const SOURCE_WATCH_GUARANTEES: Guarantees = {
  'keeps a held snapshot until a sync is committed or finds no changes, and does not change the slots': async ({
    store,
    clock,
  }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    const sinceMs = clock.nowMs
    await hold(store, source, 0)
    clock.nowMs += 60_000
    await hold(store, source, 1)
    const { watch, slotCount, failures, lastSync, lastCheckedAtMs } = await find(store)
    assert.deepEqual(watch.held, {
      anomalies: [finding('emptied')],
      sinceMs,
      atMs: clock.nowMs,
      before: 2,
      after: 1,
    })
    assert.deepEqual([slotCount, failures, lastSync, lastCheckedAtMs], [2, 0, HELD, clock.nowMs])
    assert.deepEqual([...(await living(store)).keys()].sort(), ['a', 'b'])
    const failed = outcomeOf({ outcome: 'failed', error: 'x' })
    await (await begin(store, source)).abandon({ ...END, outcome: failed })
    assert.notEqual((await find(store)).watch.held, undefined)
    await (await begin(store, source)).abandon({ ...END, outcome: outcomeOf({ unchanged: true }) })
    assert.equal((await find(store)).watch.held, undefined)
    await hold(store, source, 0)
    await sync(store, source, { deleted: ['a'] })
    assert.equal((await find(store)).watch.held, undefined)
  },

  'compares the served snapshot with the one that a sync has written': async ({ store, clock }) => {
    const source = await addSource(store)
    const first = await begin(store, source)
    const [boston, keene] = await first.putOfferings([at('Boston', 'MA'), at('Keene', 'NH')])
    const slot = (id: string, minute: number, offeringId: number) =>
      draftOf(id, { offeringId, startMs: clock.nowMs + minute * 60_000, endMs: clock.nowMs + (minute + 5) * 60_000 })
    await first.write({
      inserts: [
        slot('stays', 10, boston),
        slot('changes', 20, boston),
        slot('goes', 30, keene),
        slot('ended', -9, keene),
      ],
    })
    await first.commit({ ...END, connectorState: {} })
    const writer = await begin(store, source)
    const [goes, ended, changes] = await Promise.all(['goes', 'ended', 'changes'].map((id) => keysOf(writer, [id])))
    const changed = { ...slot('changes', 25, boston), replaces: changes[0] }
    await writer.write({ inserts: [changed, slot('comes', 40, boston)], deletes: [...goes, ...ended, ...changes] })
    const ms = (minute: number) => clock.nowMs + minute * 60_000
    assert.deepEqual(await writer.compare(), {
      served: { slots: 4, states: ['MA', 'NH'], firstStartMs: ms(-9), lastStartMs: ms(30) },
      held: { slots: 3, states: ['MA'], firstStartMs: ms(10), lastStartMs: ms(40) },
      lost: [{ startMs: ms(30), location: 'Keene Clinic', city: 'Keene', state: 'NH', serviceType: 'Immunization' }],
    })
    await writer.write({ deletes: await keysOf(writer, ['stays', 'changes', 'comes']) })
    assert.deepEqual((await writer.compare()).held, { slots: 0, states: [] })
    const comparison = await writer.compare()
    const held = { anomalies: [finding('emptied')], slotCount: 0, comparison }
    await writer.abandon({ ...END, outcome: HELD, held })
    assert.deepEqual((await find(store)).watch.held?.comparison, comparison)
  },

  'makes a source due now when its held snapshot is approved; the approval lasts until a commit': async ({
    store,
    clock,
  }) => {
    const source = await addSource(store)
    await hold(store, source, 0)
    assert.equal((await find(store)).watch.nextApproved, false)
    const accepted = await store.sources.approve('a', true)
    assert.deepEqual([accepted?.watch.nextApproved, accepted?.nextSyncAtMs], [true, clock.nowMs])
    const failed = outcomeOf({ outcome: 'failed', error: 'x' })
    await (await begin(store, source)).abandon({ ...END, outcome: failed })
    await hold(store, source, 0)
    assert.equal((await find(store)).watch.nextApproved, true)
    assert.equal((await store.sources.approve('a', false))?.watch.nextApproved, false)
    await store.sources.approve('a', true)
    await sync(store, source, {})
    assert.equal((await find(store)).watch.nextApproved, false)
    assert.equal(await store.sources.approve('b', true), undefined)
  },

  'is due now if a snapshot is approved while a sync holds it again': async ({ store, clock }) => {
    await hold(store, await addSource(store), 0)
    const running = await begin(store, await find(store))
    await store.sources.approve('a', true)
    const approvedAtMs = clock.nowMs
    clock.nowMs += 5
    const held = { anomalies: [finding('emptied')], slotCount: 0 }
    const end = { ...END, outcome: HELD, nextSyncAtMs: clock.nowMs + 1_000, held }
    await running.abandon(end)
    const { watch, nextSyncAtMs } = await find(store)
    assert.deepEqual([watch.nextApproved, nextSyncAtMs], [true, approvedAtMs])
    await (await begin(store, await find(store))).abandon({ ...end, held: { ...held, differsFromHeld: true } })
    const next = await find(store)
    assert.deepEqual([next.watch.nextApproved, next.nextSyncAtMs], [false, end.nextSyncAtMs])
  },

  'drops the approval of an anomaly once it is over, also one given during the sync': async ({ store }) => {
    const source = await addSource(store)
    await found(store, source, ['dropped', 'clock-stuck'])
    await store.sources.approve('a', true)
    const running = await begin(store, source)
    const accepted = async () => (await find(store)).watch.approved.toSorted()
    assert.deepEqual(await accepted(), ['clock-old', 'clock-stuck', 'dropped', 'ended'])
    await running.abandon({
      ...END,
      outcome: outcomeOf({ unchanged: true }),
      assessment: ongoing(['dropped']),
    })
    assert.deepEqual(await accepted(), ['dropped'])
    await found(store, source, ['clock-stuck'])
    assert.deepEqual(await accepted(), [])
    const writer = await begin(store, source)
    await store.sources.approve('a', true)
    await writer.commit({ ...END, connectorState: {}, assessment: ongoing(['clock-stuck']) })
    assert.deepEqual(await accepted(), ['clock-stuck'])
    const { anomalies, ...rest } = ongoing(['dropped', 'clock-old'])
    await (await begin(store, source)).commit({
      ...END,
      connectorState: {},
      assessment: { ...rest, anomalies, approved: true },
    })
    assert.deepEqual([await accepted(), (await find(store)).watch.anomalies], [['clock-old', 'dropped'], anomalies])
  },

  'stores the review policy that the operator chooses': async ({ store, open }) => {
    await addSource(store)
    assert.equal((await store.sources.setReviewPolicy('a', 'suspicious'))?.watch.reviewPolicy, 'suspicious')
    assert.equal((await (await open()).sources.find('a'))?.watch.reviewPolicy, 'suspicious')
    assert.equal(await store.sources.setReviewPolicy('b', 'nothing'), undefined)
  },

  'keeps the longest gap between two changes for each of the newest days with one': async ({ store, clock }) => {
    const source = await addSource(store)
    const change = async (afterMs: number) => {
      clock.nowMs += afterMs
      await sync(store, source, { inserted: [draftOf(`at ${clock.nowMs}`)] })
    }
    await change(0)
    const first = Math.floor(clock.nowMs / DAY_MS)
    await change(1000)
    await change(5000)
    await change(2000)
    await sync(store, source, {})
    assert.deepEqual((await find(store)).watch.changeGaps, [{ day: first, longestMs: 5000 }])
    for (let day = 0; day < CHANGE_GAP_DAYS_MAX; day++) await change(DAY_MS)
    const { changeGaps: pauses } = (await find(store)).watch
    assert.equal(pauses.length, CHANGE_GAP_DAYS_MAX)
    assert.deepEqual(pauses[0], { day: first + 1, longestMs: DAY_MS })
  },

  'returns when the last slot of the snapshot ends, and the outcome of the last committed sync': async ({ store }) => {
    const source = await addSource(store)
    const outcome = outcomeOf({ read: 3, rejected: 1 })
    await (await begin(store, source)).commit({ ...END, outcome, connectorState: {}, lastEndMs: 77_000 })
    await (await begin(store, source)).abandon({ ...END, outcome: outcomeOf({ unchanged: true }) })
    const { lastEndMs, lastRead } = (await find(store)).watch
    assert.deepEqual([lastEndMs, lastRead], [77_000, outcome])
    await (await begin(store, source)).commit({ ...END, connectorState: {} })
    assert.equal((await find(store)).watch.lastEndMs, undefined)
  },

  'returns when stored rows end, in any order': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a', { endMs: 5_000 }), draftOf('b', { endMs: 7_001 })] })
    const writer = await begin(store, source)
    assert.deepEqual([...(await writer.readStored()).ends], [5, 8])
    await writer.write({ deletes: [(await writer.readStored()).keys[0]] })
    assert.deepEqual([...(await writer.readStored()).ends], [5, 8])
  },

  'returns an overview of all sources without messages and connector state': async ({ store }) => {
    const source = await addSource(store, 'b')
    await addSource(store, 'a')
    await (await begin(store, source)).commit({ ...END, connectorState: { etag: 'x' } })
    const reading = await begin(store, source)
    const whole = (await store.sources.list()).map(({ connectorState: _, messages: __, ...rest }) => rest)
    assert.deepEqual(await store.sources.overview(), whole)
    assert.equal(whole[1].watch.readUntilMs !== undefined, true)
    await reading.abandon(END)
    assert.equal((await find(store, 'b')).watch.readUntilMs, undefined)
  },

  'returns the next due syncs, without paused, file and excluded sources': async ({ store, clock }) => {
    for (const slug of ['a', 'b', 'c', 'd', 'slow']) {
      const source = await addSource(store, slug)
      const durationMs = slug === 'slow' ? 10_001 : 10_000
      const outcome = outcomeOf({ durationMs })
      const nextSyncAtMs = clock.nowMs + slug.charCodeAt(0)
      await (await begin(store, source)).commit({ ...END, outcome, nextSyncAtMs, connectorState: {} })
    }
    await store.sources.add({ slug: 'files', format: 'files', url: '', strict: false })
    await store.sources.setPaused('b', true)
    const turns = async (slow: boolean, but: string[], limit: number) =>
      (await store.sources.dueSyncs({ slow, except: but, limit })).map(({ slug }) => slug)
    assert.deepEqual(await turns(false, [], 10), ['a', 'c', 'd'])
    assert.deepEqual(await turns(false, ['a'], 1), ['c'])
    assert.deepEqual(await turns(true, ['a'], 10), ['slow'])
    assert.deepEqual(await store.sources.dueSyncs({ slow: false, except: ['a', 'd'], limit: 5 }), [
      { slug: 'c', nextSyncAtMs: clock.nowMs + 99 },
    ])
  },
}

const at = (city: string, state: string): Offering => ({
  ...OFFERING,
  serviceTypeText: 'Immunization',
  location: { name: `${city} Clinic`, city, state },
})

const finding = (what: AnomalyKind): Anomaly => ({ kind: what, atMs: 5, before: 2, after: 0 })

function ongoing(whats: readonly AnomalyKind[]) {
  return { anomalies: whats.map(finding), ongoing: whats, approved: false }
}

async function found(store: Store, source: { id: number }, whats: readonly AnomalyKind[]): Promise<void> {
  await (await begin(store, source)).commit({ ...END, connectorState: {}, assessment: ongoing(whats) })
}

async function hold(store: Store, source: { id: number }, slotCount: number): Promise<void> {
  const writer = await begin(store, source)
  await writer.write({ inserts: [draftOf('held')] })
  await writer.abandon({ ...END, outcome: HELD, held: { anomalies: [finding('emptied')], slotCount } })
}

async function find(store: Store, slug = 'a') {
  return (await store.sources.find(slug)) ?? assert.fail(`no source ${slug}`)
}
