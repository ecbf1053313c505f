import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTempStore } from '../../../test/support/store/temp-store.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../lib/time.ts'
import { StoreUnavailable } from '../../store/contracts/store.ts'
import type { StatusHistory } from './health-history.ts'
import { HistoryReader } from './read-history.ts'

test('reads the events of a store once, and then the new ones', async (t) => {
  let nowMs = Date.now()
  const store = await openTempStore(t, () => nowMs)
  const { id } = await store.sources.add({ slug: 'clinic', url: 'https://clinic.example/private', strict: false })
  const read: number[] = []
  const health = {
    ...store.health,
    after: (after: number, limit: number) => {
      read.push(after)
      return store.health.after(after, limit)
    },
  }
  const reader = new HistoryReader({
    store: { health, sources: store.sources, revisionFeed: store.revisionFeed } as never,
    now: () => nowMs,
  })
  const history = async (): Promise<StatusHistory> => JSON.parse(Buffer.from((await reader.respond()).body).toString())
  nowMs += DAY_MS
  await store.health.record(id, {
    from: 'never-synced',
    to: 'failing',
    why: 'GET https://clinic.example failed',
    atMs: nowMs,
  })
  nowMs += 20 * MINUTE_MS
  const [first, shared] = await Promise.all([history(), history()])
  assert.deepEqual(first, shared)
  assert.deepEqual(
    first.incidents.map(({ publisher, status, toMs }) => [publisher, status, toMs]),
    [['clinic', 'failing', undefined]],
  )
  await store.health.record(id, { from: 'failing', to: 'healthy', why: '', atMs: nowMs })
  nowMs += 10 * SECOND_MS
  assert.equal((await history()).incidents[0].toMs, undefined)
  nowMs += 10 * SECOND_MS
  const last = await history()
  assert.equal(last.incidents[0].toMs, nowMs - 20 * SECOND_MS)
  assert.equal(read.length, 2)
  assert.ok(read[1] > read[0])
  assert.doesNotMatch(JSON.stringify(last), /clinic\.example/)
})

test('adds events once, also if a read takes long', async () => {
  let nowMs = 100 * DAY_MS
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const [failing, healthy] = [nowMs - 30 * MINUTE_MS, nowMs - 20 * MINUTE_MS]
  const events = [
    { id: 1, slug: 'clinic', from: 'healthy', to: 'failing', why: '', atMs: failing },
    { id: 2, slug: 'clinic', from: 'failing', to: 'healthy', why: '', atMs: healthy },
  ]
  const store = {
    health: {
      after: async (after: number) => {
        await held
        return events.filter(({ id }) => id > after)
      },
    },
    revisionFeed: { revisions: async () => ({ epoch: 1 }) },
    sources: { overview: async () => [{ slug: 'clinic', createdAtMs: 0, watch: { health: 'healthy' } }] },
  }
  const reader = new HistoryReader({ store: store as never, now: () => nowMs })
  const first = reader.respond()
  nowMs += MINUTE_MS
  const second = reader.respond()
  release()
  await first
  const history: StatusHistory = JSON.parse(Buffer.from((await second).body).toString())
  assert.deepEqual(history.publishers.clinic.days, [{ day: 99, status: 'failing', minutes: 10 }])
})

test('reads all events again after a standby took over, which reuses the IDs of lost ones', async () => {
  let nowMs = 100 * DAY_MS
  const from = 'healthy' as const
  const database = { epoch: 1, events: [{ id: 1, slug: 'clinic', from, to: 'late', why: '', atMs: nowMs - DAY_MS }] }
  const store = {
    health: { after: async (after: number) => database.events.filter(({ id }) => id > after) },
    revisionFeed: { revisions: async () => ({ epoch: database.epoch }) },
    sources: { overview: async () => [{ slug: 'clinic', createdAtMs: 0, watch: { health: 'healthy' } }] },
  }
  const reader = new HistoryReader({ store: store as never, now: () => nowMs })
  await reader.respond()
  database.epoch = 2
  database.events[0].to = 'failing'
  nowMs += MINUTE_MS
  const history: StatusHistory = JSON.parse(Buffer.from((await reader.respond()).body).toString())
  assert.deepEqual(
    history.incidents.map(({ status }) => status),
    ['failing'],
  )
})

test('responds 503 while the store is unavailable, and recovers', async () => {
  let isAvailable = false
  const store = {
    health: {
      after: async () => {
        if (!isAvailable) throw new StoreUnavailable('away')
        return []
      },
    },
    revisionFeed: { revisions: async () => ({ epoch: 1 }) },
    sources: { overview: async () => [] },
  }
  const reader = new HistoryReader({ store: store as never, now: () => 0 })
  assert.equal((await reader.respond()).status, 503)
  isAvailable = true
  assert.equal((await reader.respond()).status, 200)
})
