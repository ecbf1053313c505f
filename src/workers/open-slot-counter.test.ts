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
import { type CounterParts, countOpenSlots, startOpenSlotCounter } from './open-slot-counter.ts'

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
  const parts: CounterParts = {
    store,
    now: () => clock.nowMs,
    onEvent: (event) => events.push(event),
    ask: async (question) => {
      node.asked.push(question)
      return { status: node.status, headers: [], body: new TextEncoder().encode(JSON.stringify(COUNTS)) }
    },
  }
  const last = async () => {
    const { series } = await store.openSlotHistory.read(id, 'hours', clock.nowMs)
    return Object.fromEntries([...series].map(([state, points]) => [state, points.at(-1)]))
  }
  return { parts, clock, node, events, last, store }
}

test('counts once an hour what the node says, in all and by state', async (t) => {
  const { parts, clock, node, last } = await openCounted(t)
  assert.equal(await countOpenSlots(parts, 'one'), true)
  assert.deepEqual(await last(), { '': 7, MA: 5, NH: 4 })
  clock.nowMs += HOUR_MS - 1
  assert.equal(await countOpenSlots(parts, 'two'), false)
  clock.nowMs += 1
  assert.equal(await countOpenSlots(parts, 'two'), true)
  assert.deepEqual(node.asked, [{ about: 'open-slots' }, { about: 'open-slots' }])
})

test('leaves it to whoever is at it, and counts nothing before the slots are loaded', async (t) => {
  const { parts, node, last, store } = await openCounted(t)
  node.status = 503
  assert.equal(await countOpenSlots(parts, 'one'), false)
  node.status = 200
  await store.jobLocks.acquire('open slots', 'another node', HOUR_MS)
  assert.equal(await countOpenSlots(parts, 'one'), false)
  assert.deepEqual(await last(), { '': null })
})

test('counts at its start, tells what went wrong, and ends when it is told to', async (t) => {
  const { parts, events, last } = await openCounted(t)
  const broken = startOpenSlotCounter({ ...parts, ask: () => Promise.reject(new Error('no answer')) })
  await broken.stop()
  assert.deepEqual(
    events.map(({ level, message }) => [level, message]),
    [['error', 'open slots could not be counted']],
  )
  const counter = startOpenSlotCounter(parts)
  await eventually(async () => (await last())[''] !== null)
  await counter.stop()
})
