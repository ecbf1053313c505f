import assert from 'node:assert/strict'
import type { SourceHealth } from '../../../../src/slot/source-freshness.ts'
import { HEALTH_EVENTS_MAX } from '../../../../src/store/contracts/source-watch.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { addSource } from './samples.ts'

/** `HealthLog` and `JobLockStore`. */
export const HEALTH_GUARANTEES: Guarantees = {
  'stores a health change and its event once, even if several nodes detect it': async ({ store, open, clock }) => {
    const { id } = await addSource(store)
    const other = await open()
    const change = { from: 'never-synced', to: 'failing', why: 'It is gone.', atMs: clock.nowMs } as const
    const stored = await Promise.all([store.health.record(id, change), other.health.record(id, change)])
    assert.deepEqual(stored.toSorted(), [false, true])
    const events = [{ id: 1, slug: 'a', ...change }]
    assert.deepEqual(await store.health.ofSource(id), events)
    assert.deepEqual(await other.health.after(0, 10), events)
    const { watch } = (await store.sources.find('a')) ?? assert.fail()
    assert.deepEqual([watch.health, watch.healthSinceMs], ['failing', clock.nowMs])
  },

  'lists events after an id oldest first, and those of a source newest first': async ({ store }) => {
    const [a, b] = [await addSource(store, 'a'), await addSource(store, 'b')]
    await walk(store, a.id, 2)
    await walk(store, b.id, 1)
    await walk(store, a.id, 3, 2)
    const ids = (events: readonly { id: number }[]) => events.map(({ id }) => id)
    assert.deepEqual(ids(await store.health.after(1, 2)), [2, 3])
    assert.deepEqual(ids(await store.health.after(3, 10)), [4])
    assert.deepEqual(ids(await store.health.ofSource(a.id)), [4, 2, 1])
    assert.deepEqual((await store.health.after(2, 1))[0].slug, 'b')
  },

  'keeps the newest events of each source, and none of a removed one': async ({ store }) => {
    const [a, b] = [await addSource(store, 'a'), await addSource(store, 'b')]
    await walk(store, b.id, 1)
    await walk(store, a.id, HEALTH_EVENTS_MAX + 3)
    assert.equal((await store.health.ofSource(a.id)).length, HEALTH_EVENTS_MAX)
    assert.equal((await store.health.ofSource(b.id)).length, 1)
    await store.sources.remove('a')
    assert.deepEqual(
      (await store.health.after(0, 500)).map(({ slug }) => slug),
      ['b'],
    )
    assert.equal(await store.health.record(a.id, { from: 'late', to: 'stale', why: '', atMs: 1 }), false)
  },

  'grants a job lock to one owner at a time, until it expires': async ({ store, open, clock }) => {
    const other = await open()
    const [one, two] = await Promise.all([
      store.jobLocks.acquire('chore', 'one', 1000),
      other.jobLocks.acquire('chore', 'two', 1000),
    ])
    assert.equal(Number(one) + Number(two), 1)
    const [winner, loser] = one ? ['one', 'two'] : ['two', 'one']
    assert.equal(await store.jobLocks.acquire('chore', winner, 5000), true)
    assert.equal(await other.jobLocks.acquire('another chore', loser, 1000), true)
    clock.nowMs += 4999
    assert.equal(await other.jobLocks.acquire('chore', loser, 1000), false)
    clock.nowMs += 1
    assert.equal(await other.jobLocks.acquire('chore', loser, 1000), true)
    assert.equal(await store.jobLocks.acquire('chore', winner, 1000), false)
  },
}

/** Toggles the health from change `done` up to the given total. */
async function walk(store: Store, sourceId: number, times: number, done = 0): Promise<void> {
  const stations: readonly SourceHealth[] = ['never-synced', 'healthy']
  for (let step = done; step < times; step++) {
    const [from, to] = [stations[step % 2], stations[(step + 1) % 2]]
    assert.equal(await store.health.record(sourceId, { from, to, why: `step ${step}`, atMs: step }), true)
  }
}
