import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectorsOf } from '../src/feeds/connectors.ts'
import type { ApiKey } from '../src/keys/key.ts'
import { SLOT_STATUSES } from '../src/slot/slot.ts'
import type { Store } from '../src/store/contracts/store.ts'
import { openStore } from '../src/store/open-store.ts'
import { syncSource } from '../src/sync/sync-source.ts'
import { manifest, ndjson, Publisher } from './support/feeds/publisher.ts'
import { tempFolder } from './support/temp-folder.ts'

const KILLS = 50
const SLOTS = 5000

/** Short, so that the next process does not wait long for the lease of the killed one. */
const LEASE_MS = 150

const START_MS = Date.UTC(2030, 0, 7, 8)

// This file is also the program that is killed; its argument is the store to sync.
const databaseToSync = process.argv[2]
if (databaseToSync !== undefined) await syncOverAndOver(databaseToSync)
else test('a sync killed at 50 random moments leaves the old or the new snapshot, and every key', killOften)

async function killOften(t: TestContext): Promise<void> {
  const folder = tempFolder(t)
  const databaseUrl = `sqlite:${join(folder, 'slots.db')}`
  const feed = await openMovingFeed(t)
  const organizationId = await setUp(databaseUrl, feed.url)
  const firstSyncMs = await timeOf(() => inStore(databaseUrl, syncOnce))
  const first = feed.generation

  const keyIds: string[] = []
  let interrupted = 0
  /** Adapts to the speed of the machine, so that about half of the processes finish a sync. */
  let killWithinMs = firstSyncMs * 2
  let before = first
  let next = startChild(t, databaseUrl)
  for (let kill = 0; kill < KILLS; kill++) {
    const child = next
    next = startChild(t, databaseUrl)
    await once(child, 'message')
    child.send('go')
    await sleep(LEASE_MS + Math.random() * killWithinMs)
    keyIds.push(await inStore(databaseUrl, (store) => putKey(store, organizationId, kill)))
    child.kill('SIGKILL')
    await once(child, 'exit')

    const held = await inStore(databaseUrl, readSnapshot)
    // The process may have synced several generations since.
    let generation = feed.generation
    while (generation >= before && snapshotOf(generation) !== held) generation--
    assert.ok(generation >= before, `kill ${kill} left no generation from ${before} to ${feed.generation}`)
    if (generation < feed.generation) interrupted++
    killWithinMs *= generation > before ? 0.8 : 1.25
    before = generation
  }
  next.kill('SIGKILL')

  assert.ok(interrupted > 0, 'no kill came in the middle of a sync')
  assert.ok(before > first, 'no sync came to its end')
  const keys = await inStore(databaseUrl, (store) => store.keys.list())
  assert.deepEqual(keys.map(({ id }) => id).sort(), keyIds.sort())
  t.diagnostic(`${interrupted} of ${KILLS} kills came in the middle of a sync of about ${Math.round(firstSyncMs)} ms`)
}

/** A feed with other slots at each read; `generation` is that of the last read. */
async function openMovingFeed(t: TestContext): Promise<{ url: string; readonly generation: number }> {
  const feed = { url: '', generation: 0 }
  const publisher = await Publisher.open({
    '/$bulk-publish': manifest({ '/locations': 'Location', '/schedules': 'Schedule', '/slots': 'Slot' }),
    '/locations': ndjson({ resourceType: 'Location', id: '1', address: { state: 'MA' } }),
    '/schedules': ndjson({ resourceType: 'Schedule', id: '1', actor: [{ reference: 'Location/1' }] }),
    '/slots': (_request, response: ServerResponse) => response.end(ndjson(...slotsOf(++feed.generation))),
  })
  t.after(() => publisher[Symbol.asyncDispose]())
  feed.url = `${publisher.origin}/$bulk-publish`
  return feed
}

/** In each generation, a seventh of the slots is missing and a fifth has another status. */
function* slotsOf(generation: number) {
  for (let n = 0; n < SLOTS; n++) {
    if ((n + generation) % 7 === 0) continue
    yield {
      resourceType: 'Slot',
      id: `slot-${n}`,
      schedule: { reference: 'Schedule/1' },
      status: SLOT_STATUSES[Math.floor((n + generation) / 5) % 4],
      start: new Date(START_MS + n * 60_000).toISOString(),
      end: new Date(START_MS + n * 60_000 + 900_000).toISOString(),
    }
  }
}

function snapshotOf(generation: number): string {
  return Array.from(slotsOf(generation), ({ start, status }) => `${Date.parse(start)} ${status}`).join('\n')
}

async function readSnapshot(store: Store): Promise<string> {
  const changes = await store.revisionFeed.open(undefined)
  try {
    const slots: { startMs: number; status: string }[] = []
    for await (const piece of changes.inserted()) slots.push(...piece)
    slots.sort((a, b) => a.startMs - b.startMs)
    return slots.map(({ startMs, status }) => `${startMs} ${status}`).join('\n')
  } finally {
    await changes.close()
  }
}

async function setUp(databaseUrl: string, url: string): Promise<string> {
  return inStore(databaseUrl, async (store) => {
    await store.sources.add({ slug: 'clinic', url, strict: false })
    const { id } = await store.organizations.create('Clinic watchers')
    await syncOnce(store)
    return id
  })
}

async function putKey(store: Store, organizationId: string, n: number): Promise<string> {
  const key: ApiKey = {
    id: `key-${n}`,
    organizationId,
    name: `Key ${n}`,
    hash: String(n).padStart(64, '0'),
    lastFour: 'abcd',
    createdAtMs: START_MS,
  }
  await store.keys.put(key)
  return key.id
}

function startChild(t: TestContext, databaseUrl: string): ChildProcess {
  const child = spawn(process.execPath, [import.meta.filename, databaseUrl], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** The child process: reports that it is ready and syncs on request until it is killed. */
async function syncOverAndOver(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl)
  const told = once(process, 'message')
  process.once('disconnect', () => process.exit())
  process.send?.('up')
  await told
  for (;;) if (!(await syncOnce(store))) await sleep(5)
}

/** False if the lease of a killed process has not ended yet. */
async function syncOnce(store: Store): Promise<boolean> {
  const connectorOf = connectorsOf({ allowPrivateSources: true })
  const parts = { store, connectorOf, clock: Date.now, random: Math.random, everyMsDefault: 300_000 }
  return (await syncSource(parts, 'clinic', { leaseMs: LEASE_MS })) !== undefined
}

async function inStore<T>(databaseUrl: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(databaseUrl)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return performance.now() - startedAtMs
}
