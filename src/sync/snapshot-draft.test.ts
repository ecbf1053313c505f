import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { firstSlots, OFFERING, openTempStore, readAll, slotOf } from '../../test/support/store/temp-store.ts'
import type { SnapshotDraft } from '../feeds/connector.ts'
import type { Slot } from '../slot/slot.ts'
import type { SnapshotWriter } from '../store/contracts/snapshots.ts'
import type { SyncOutcome } from '../store/contracts/sources.ts'
import type { Store } from '../store/contracts/store.ts'
import { type DraftCounts, StoredDraft } from './snapshot-draft.ts'

const AT_REST = new AbortController().signal

/** Drafts and commits one snapshot; returns its numbers. */
async function snapshot(
  store: Store,
  sourceId: number,
  read: (draft: SnapshotDraft) => void | Promise<void>,
): Promise<DraftCounts & { reasons: string[]; revision: number }> {
  const writer = await begin(store, sourceId)
  const draft = new StoredDraft(writer, AT_REST)
  await read(draft)
  await draft.finish()
  const outcome: SyncOutcome = {
    outcome: 'ok',
    startedAtMs: 0,
    durationMs: 0,
    unchanged: false,
    ...draft.counts,
  }
  const { rejections } = draft
  const revision = await writer.commit({ outcome, rejections, nextSyncAtMs: 0, connectorState: {} })
  return { ...draft.counts, reasons: rejections.map((rejection) => rejection.reason), revision }
}

async function begin(store: Store, sourceId: number): Promise<SnapshotWriter> {
  const writer = await store.snapshots.begin(sourceId, { owner: 'test', leaseMs: 60_000 })
  assert.ok(writer)
  return writer
}

async function openClinic(t: TestContext): Promise<{ store: Store; sourceId: number }> {
  const store = await openTempStore(t)
  const { id } = await store.sources.add({ slug: 'clinic', url: 'https://clinic.test/', strict: false })
  return { store, sourceId: id }
}

const origin = (line: number, part = 1) => ({ file: 'slots.ndjson', line, part, fingerprint: 1000 + line })

function putAll(draft: SnapshotDraft, slots: readonly Slot[]): void {
  for (const [at, slot] of slots.entries()) draft.put(slot, origin(at))
}

test('adds, changes, removes and keeps slots, and counts each', async (t) => {
  const { store, sourceId } = await openClinic(t)
  const first = await snapshot(store, sourceId, (draft) => putAll(draft, firstSlots(10)))
  assert.deepEqual([first.read, first.added, first.changed, first.removed], [10, 10, 0, 0])
  const next = [...firstSlots(8), slotOf(20), slotOf(21)]
  next[3] = slotOf(3, { status: 'busy' })
  next[4] = slotOf(4, { offering: { ...OFFERING, scheduleId: 'schedule-2' } })
  const second = await snapshot(store, sourceId, (draft) => putAll(draft, next))
  assert.deepEqual([second.read, second.added, second.changed, second.removed], [10, 2, 2, 2])
  assert.deepEqual([...(await readAll(store)).keys()].sort(), next.map((slot) => slot.id).sort())
  assert.equal((await readAll(store)).get(slotOf(3).id)?.status, 'busy')
})

test('writes nothing for unchanged slots, also with an equal offering', async (t) => {
  const { store, sourceId } = await openClinic(t)
  const first = await snapshot(store, sourceId, (draft) => putAll(draft, firstSlots(10)))
  const again = firstSlots(10).map((slot) => ({ ...slot, offering: { ...OFFERING } }))
  const second = await snapshot(store, sourceId, (draft) => putAll(draft, again))
  assert.deepEqual([second.read, second.added, second.changed, second.removed], [10, 0, 0, 0])
  assert.equal(second.revision, first.revision)
})

test('keeps lines by fingerprint and parts as a whole, and removes the others', async (t) => {
  const { store, sourceId } = await openClinic(t)
  await snapshot(store, sourceId, (draft) => {
    for (const n of [0, 1, 2, 3]) draft.put(slotOf(n), origin(n, n < 2 ? 1 : 2))
  })
  const second = await snapshot(store, sourceId, async (draft) => {
    await draft.recall()
    assert.equal(draft.keepPart(2, 3), false)
    assert.equal(draft.keepPart(2, 2), true)
    assert.equal(draft.keep(1001), true)
    assert.equal(draft.keep(1001), false)
  })
  assert.deepEqual([second.read, second.added, second.changed, second.removed], [3, 0, 0, 1])
})

test('stores the new line of a slot when only the line changed', async (t) => {
  const { store, sourceId } = await openClinic(t)
  const first = await snapshot(store, sourceId, (draft) => draft.put(slotOf(0), origin(1)))
  const moved = await snapshot(store, sourceId, (draft) => draft.put(slotOf(0), origin(2, 7)))
  assert.equal(moved.revision, first.revision)
  const third = await snapshot(store, sourceId, async (draft) => {
    await draft.recall()
    assert.equal(draft.keep(1001), false)
    assert.equal(draft.keepPart(1, 1), false)
    assert.equal(draft.keepPart(7, 1), true)
  })
  assert.equal(third.removed, 0)
})

test('rejects the second slot of an id: in a piece, in another piece, beside a kept line', async (t) => {
  const { store, sourceId } = await openClinic(t)
  for (const sync of ['first', 'second']) {
    const run = await snapshot(store, sourceId, async (draft) => {
      await draft.recall()
      if (sync === 'second') assert.equal(draft.keep(1000), true)
      else draft.put(slotOf(0), origin(0))
      putAll(draft, firstSlots(5000).slice(1))
      draft.put(slotOf(5, { capacity: 2 }), origin(5000))
      await draft.flush()
      for (const n of [0, 7, 7]) draft.put(slotOf(n, { capacity: 2 }), origin(6000 + n))
      putAll(draft, firstSlots(6000).slice(5000))
      await draft.flush()
    })
    assert.equal(run.rejected, 4, sync)
    assert.equal(run.read, 6004)
    assert.match(run.reasons[0], /is published twice: Schedule, Slot.id, start and end must be unique/)
    assert.deepEqual([run.added, run.changed, run.removed], [sync === 'first' ? 6000 : 0, 0, 0])
    assert.ok([...(await readAll(store)).values()].every(({ json }) => !json.includes('"capacity":2')))
  }
})

test('serves as busy a slot that is published as free and as busy, in any order, and is then unchanged', async (t) => {
  for (const statuses of [
    ['free', 'busy'],
    ['busy', 'free'],
    ['free', 'busy-unavailable', 'free'],
  ] as const) {
    for (const isFlushed of [false, true]) {
      const { store, sourceId } = await openClinic(t)
      const publish = () =>
        snapshot(store, sourceId, async (draft) => {
          await draft.recall()
          for (const [line, status] of statuses.entries()) {
            if (!draft.keep(1000 + line)) draft.put(slotOf(0, { status }), origin(line))
            if (!isFlushed) continue
            for (let n = 1 + line * 4000; n <= (line + 1) * 4000; n++) draft.put(slotOf(n), origin(10 + n))
            await draft.flush()
          }
        })
      const first = await publish()
      assert.equal(
        (await readAll(store)).get(slotOf(0).id)?.status,
        statuses.find((status) => status !== 'free'),
      )
      assert.match(
        first.reasons.join(),
        /published as free and as not free, and served as not free: Schedule, Slot\.id/,
      )
      const second = await publish()
      assert.deepEqual([second.added, second.changed, second.removed, second.rejected], [0, 0, 0, first.rejected])
      assert.equal(second.revision, first.revision)
    }
  }
})

test('serves as free a slot that was busy', async (t) => {
  const { store, sourceId } = await openClinic(t)
  const busy = firstSlots(5000).map((_, n) => slotOf(n, { status: 'busy' }))
  await snapshot(store, sourceId, (draft) => putAll(draft, busy))
  const run = await snapshot(store, sourceId, async (draft) => {
    putAll(draft, firstSlots(5000))
    await draft.flush()
  })
  assert.deepEqual([run.added, run.changed, run.rejected], [0, 5000, 0])
  assert.ok([...(await readAll(store)).values()].every(({ status }) => status === 'free'))
})

test('throws when keeping lines before recall(), and recalls once', async (t) => {
  const { store, sourceId } = await openClinic(t)
  await snapshot(store, sourceId, (draft) => putAll(draft, firstSlots(2)))
  const second = await snapshot(store, sourceId, async (draft) => {
    assert.throws(() => draft.keep(1000), /recall\(\) was not awaited/)
    assert.throws(() => draft.keepPart(1, 1), /recall\(\) was not awaited/)
    await Promise.all([draft.recall(), draft.recall()])
    assert.equal(draft.keep(1000), true)
    await draft.recall()
    assert.equal(draft.keep(1000), false)
  })
  assert.deepEqual([second.read, second.added, second.changed, second.removed], [1, 0, 0, 1])
})

test('includes rejected and withheld lines in the read count', async (t) => {
  const { store, sourceId } = await openClinic(t)
  const run = await snapshot(store, sourceId, (draft) => {
    draft.reject({ code: 'invalid', file: 'slots.ndjson', line: 3, reason: 'Cannot read Slot', sample: '{' })
    draft.withhold()
    draft.put(slotOf(0), origin(1))
  })
  assert.deepEqual([run.read, run.added, run.rejected, run.withheld], [3, 1, 1, 1])
  assert.equal((await store.sources.rejections(sourceId))[0].line, 3)
})

test('throws the reason of an aborted signal, and leaves nothing visible', async (t) => {
  const { store, sourceId } = await openClinic(t)
  const stop = new AbortController()
  const writer = await begin(store, sourceId)
  const draft = new StoredDraft(writer, stop.signal)
  putAll(draft, firstSlots(5000))
  await draft.flush()
  stop.abort(new Error('stopped'))
  await assert.rejects(draft.flush(), /stopped/)
  await assert.rejects(draft.finish(), /stopped/)
  await assert.rejects(new StoredDraft(writer, stop.signal).recall(), /stopped/)
  assert.equal((await readAll(store)).size, 0)
})

/** One publication: slots by number with a capacity and a status, some of them several times, some offered to be kept first. */
const publication = fc.array(
  fc.record({ n: fc.nat({ max: 12 }), capacity: fc.nat({ max: 2 }), isBusy: fc.boolean(), flush: fc.boolean() }),
  { maxLength: 20 },
)

test('stores the last publication after any sequence of publications, and nothing if it is repeated', async (t) => {
  const { store } = await openClinic(t)
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(publication, { minLength: 1, maxLength: 4 }), async (publications) => {
      const slug = `clinic-${++runs}`
      const { id } = await store.sources.add({ slug, url: 'https://clinic.test/', strict: false })
      let before = new Set<number>()
      for (const lines of publications) {
        const now = new Set(lines.map(({ n }) => n))
        const publish = () =>
          snapshot(store, id, async (draft) => {
            await draft.recall()
            for (const [at, { n, capacity, isBusy, flush }] of lines.entries()) {
              const fingerprint = n * 10 + capacity * 2 + Number(isBusy)
              const own = { capacity, id: slotOf(n + runs * 100).id, status: isBusy ? 'busy' : 'free' } as const
              if (!draft.keep(fingerprint)) draft.put(slotOf(n, own), { ...origin(at), fingerprint })
              if (flush) await draft.flush()
            }
          })
        const run = await publish()
        assert.equal((await store.sources.find(slug))?.slotCount, now.size)
        assert.equal(run.rejected, lines.length - now.size)
        assert.equal(run.added, [...now].filter((n) => !before.has(n)).length)
        assert.equal(run.removed, [...before].filter((n) => !now.has(n)).length)
        for (const { json, status } of (await readAll(store)).values()) {
          const { start, capacity } = JSON.parse(`${json}}`)
          const own = lines.filter((line) => slotOf(line.n).start === start)
          assert.equal(status, own.some(({ isBusy }) => isBusy) ? 'busy' : 'free')
          assert.ok(own.some((line) => line.capacity === capacity && line.isBusy === (status === 'busy')))
        }
        const again = await publish()
        assert.deepEqual([again.revision, again.rejected], [run.revision, run.rejected])
        before = now
      }
      await store.sources.remove(slug)
    }),
    { numRuns: 30 },
  )
})
