import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import type { NodeQuery, OpenSlotCounts } from '../http/node-query.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { HOUR_MS } from '../lib/time.ts'
import { openStore } from '../store/open-store.ts'
import { countOpenSlots, type OpenSlotCounterOptions, openSlotCounter } from './open-slot-counter.ts'

const COUNTS: OpenSlotCounts = { clinic: { all: 7, byState: { MA: 5, NH: 4 } } }

async function openCounted(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'slots-counter-'))
  t.after(() => rm(folder, { recursive: true }))
  const clock = { nowMs: Date.UTC(2026, 5, 1, 12) }
  const store = await openStore(`sqlite:${join(folder, 'slots.db')}`, { now: () => clock.nowMs })
  t.after(() => store.close())
  const { id } = await store.sources.add({ slug: 'clinic', url: 'https://clinic.example/', strict: false })
  const node = { status: 200, asked: [] as NodeQuery[] }
  const events: LogEvent[] = []
  const options: OpenSlotCounterOptions = {
    store,
    now: () => clock.nowMs,
    onEvent: (event) => events.push(event),
    query: async (query) => {
      node.asked.push(query)
      return { status: node.status, headers: [], body: new TextEncoder().encode(JSON.stringify(COUNTS)) }
    },
  }
  const last = async () => {
    const { series } = await store.openSlotHistory.read(id, 'hours', clock.nowMs)
    return Object.fromEntries([...series].map(([state, points]) => [state, points.at(-1)]))
  }
  return { options, clock, node, events, last, store }
}

test('counts the open slots once an hour, in all and by state', async (t) => {
  const { options, clock, node, last } = await openCounted(t)
  assert.equal(await countOpenSlots(options, 'one'), true)
  assert.deepEqual(await last(), { '': 7, MA: 5, NH: 4 })
  clock.nowMs += HOUR_MS - 1
  assert.equal(await countOpenSlots(options, 'two'), false)
  clock.nowMs += 1
  assert.equal(await countOpenSlots(options, 'two'), true)
  assert.deepEqual(node.asked, [{ about: 'open-slots' }, { about: 'open-slots' }])
})

test('does not count while another node is counting or the slots are loading', async (t) => {
  const { options, node, last, store } = await openCounted(t)
  node.status = 503
  assert.equal(await countOpenSlots(options, 'one'), false)
  node.status = 200
  await store.jobLocks.acquire('open slots', 'another node', HOUR_MS)
  assert.equal(await countOpenSlots(options, 'one'), false)
  assert.deepEqual(await last(), { '': null })
})

test('counts at the start, reports errors, and stops', async (t) => {
  const { options, events, last } = await openCounted(t)
  const broken = openSlotCounter({ ...options, query: () => Promise.reject(new Error('no reply')) })
  broken.start()
  await eventually(() => events.length > 0)
  await broken.close()
  assert.deepEqual(
    events.map(({ level, message }) => [level, message]),
    [['error', 'open slots could not be counted']],
  )
  const counter = openSlotCounter(options)
  counter.start()
  await eventually(async () => (await last())[''] !== null)
  await counter.close()
})
