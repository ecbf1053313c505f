import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, mock, test } from 'node:test'
import fc from 'fast-check'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { openStore } from '../open-store.ts'
import { ServerClock } from './server-clock.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

const LEASE_MS = 30_000

for (const aheadMs of [HOUR_MS, -HOUR_MS]) {
  test(`a node whose clock is ${aheadMs / HOUR_MS} h ahead judges leases and jobs by the server's clock`, async (t) => {
    const url = await server.createDatabase()
    t.after(() => server.dropDatabase(url))
    const right = await openStore(url)
    t.after(() => right.close())
    const { id } = await right.sources.add({ slug: 'a', url: 'https://a.example/', strict: false })

    const { now } = Date
    const wrongClock = mock.method(Date, 'now', () => now() + aheadMs)
    t.after(() => wrongClock.mock.restore())
    const wrong = await openStore(url)
    t.after(() => wrong.close())

    const lease = { owner: randomUUID(), leaseMs: LEASE_MS }
    const [first, second] = aheadMs > 0 ? [right, wrong] : [wrong, right]
    assert.ok(await first.snapshots.begin(id, lease))
    assert.equal(await second.snapshots.begin(id, { ...lease, owner: randomUUID() }), undefined)
    assert.equal(await first.jobLocks.acquire('alerts', 'first', LEASE_MS), true)
    assert.equal(await second.jobLocks.acquire('alerts', 'second', LEASE_MS), false)
    assert.ok(Math.abs(wrong.now() - now()) < LEASE_MS)
  })
}

test('the offset stays within the bounds of each sample, however slow the answers are', () => {
  const delayMs = fc.integer({ min: 0, max: 30_000 })
  const sample = fc.record({ pauseMs: fc.integer({ min: 0, max: 60_000 }), toMs: delayMs, fromMs: delayMs })
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.array(sample, { minLength: 1 }), (trueOffsetMs, samples) => {
      let atMs = 0
      const clock = new ServerClock(() => atMs, 0)
      let bestMs = Number.POSITIVE_INFINITY
      for (const { pauseMs, toMs, fromMs } of samples) {
        const sentMs = atMs + pauseMs
        atMs = sentMs + toMs + fromMs
        clock.note(sentMs + toMs + trueOffsetMs, sentMs)
        bestMs = Math.min(bestMs, toMs + fromMs)
        assert.ok(Math.abs(clock.now() - (atMs + trueOffsetMs)) <= bestMs)
      }
    }),
  )
})

test('follows a server whose clock was set', () => {
  let atMs = 0
  const clock = new ServerClock(() => atMs, 0)
  clock.note(1_000_000, atMs)
  atMs = 10
  clock.note(1_000_010 - HOUR_MS, atMs - 2)
  assert.ok(Math.abs(clock.now() - (1_000_010 - HOUR_MS)) <= 2)
})
