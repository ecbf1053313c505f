import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { begin, END } from '../../test/support/store/conformance/samples.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import type { NodeQuery, OpenSlotCounts } from '../http/node-query.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { HOUR_MS } from '../lib/time.ts'
import { openStore } from '../store/open-store.ts'
import { OpenSlotCounter, type OpenSlotCounterOptions, openSlotCounter } from './open-slot-counter.ts'

const COUNTS: OpenSlotCounts = { clinic: { all: 7, byState: { MA: 5, NH: 4 } } }

async function openCounted(t: TestContext) {
  const folder = tempFolder(t)
  const clock = { nowMs: Date.UTC(2026, 5, 1, 12) }
  const store = await openStore(`sqlite:${join(folder, 'slots.db')}`, { now: () => clock.nowMs })
  t.after(() => store.close())
  const read = async (slug: string) => {
    const { id } = await store.sources.add({ slug, url: `https://${slug}.example/`, strict: false })
    const writer = await begin(store, { id })
    await writer.commit({ ...END, connectorState: {} })
    return id
  }
  const id = await read('clinic')
  clock.nowMs += 1
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
  const last = async (source = id) => {
    const { series } = await store.openSlotHistory.read(source, 'hours', clock.nowMs)
    return Object.fromEntries([...series].map(([state, points]) => [state, points.at(-1)]))
  }
  return { options, clock, node, events, last, store, read }
}

test('counts the open slots once an hour, in all and by state', async (t) => {
  const { options, clock, node, last } = await openCounted(t)
  const [one, two] = [new OpenSlotCounter(options), new OpenSlotCounter(options)]
  assert.deepEqual(await one.count(), ['clinic'])
  assert.deepEqual(await last(), { '': 7, MA: 5, NH: 4 })
  clock.nowMs += HOUR_MS - 2
  assert.deepEqual([await one.count(), await two.count()], [[], []])
  clock.nowMs += 1
  assert.deepEqual([await one.count(), await two.count()], [['clinic'], []])
  assert.deepEqual(node.asked, [{ about: 'open-slots' }, { about: 'open-slots' }])
})

test('leaves out a source until its first good sync, then counts it within the hour', async (t) => {
  const { options, node, last, store, read } = await openCounted(t)
  const { id } = await store.sources.add({ slug: 'waiting', url: 'https://waiting.example/', strict: false })
  const counter = new OpenSlotCounter(options)
  assert.deepEqual(await counter.count(), ['clinic'])
  assert.deepEqual([await counter.count(), await last(id)], [[], { '': null }])
  const fresh = await read('fresh')
  // Its slots may not be in memory yet.
  assert.deepEqual([await counter.count(), await last(fresh)], [[], { '': null }])
  assert.deepEqual([await counter.count(), await last(fresh)], [['fresh'], { '': 0 }])
  assert.deepEqual([await counter.count(), node.asked.length], [[], 2])
})

test('counts a source without slots as 0, whatever its name', async (t) => {
  const { options, last, read } = await openCounted(t)
  const id = await read('constructor')
  const counter = new OpenSlotCounter(options)
  await counter.count()
  await counter.count()
  assert.deepEqual([await last(), await last(id)], [{ '': 7, MA: 5, NH: 4 }, { '': 0 }])
})

test('does not count while another node is counting or the slots are loading', async (t) => {
  const { options, node, last, store } = await openCounted(t)
  const counter = new OpenSlotCounter(options)
  node.status = 503
  assert.deepEqual(await counter.count(), [])
  node.status = 200
  await store.jobLocks.acquire('open slots', 'another node', HOUR_MS)
  assert.deepEqual(await counter.count(), [])
  assert.deepEqual(await last(), { '': null })
})

test('counts at the start, reports an error once until it has ended, and stops', async (t) => {
  const { options, events, last } = await openCounted(t)
  let failed = 0
  const query = async () => {
    failed++
    throw new Error('no reply')
  }
  const broken = openSlotCounter({ ...options, query })
  broken.start()
  await eventually(() => {
    broken.wake()
    return failed > 2
  })
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
