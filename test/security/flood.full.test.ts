import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPublisher } from '../../demo/publisher.ts'
import type { Store } from '../../src/store/contracts/store.ts'
import { openStore } from '../../src/store/open-store.ts'
import { manifest, ndjson, Publisher } from '../support/feeds/publisher.ts'
import { RunningService } from '../support/running-service.ts'

// A publisher of more slots than the memory of a node holds. The figures of bench/results/memory.md:
// FLOOD_SLOTS=7000000 FLOOD_MEMORY_MB=2048 node --test test/security/flood.full.test.ts

const SLOTS = Number(process.env.FLOOD_SLOTS ?? 2_000_000)
const MEMORY_MB = Number(process.env.FLOOD_MEMORY_MB ?? 640)
const HONEST_SLOTS = 1000
const WAIT_MS_MAX = 10 * 60_000
const START_MS = Date.parse('2040-01-01T00:00:00Z')
const MIB = 2 ** 20

let service: RunningService
let store: Store
let honest: { url: string; close(): Promise<void> }
let flood: Publisher
let key: string

before(async () => {
  flood = await Publisher.open({
    '/$bulk-publish': manifest({ '/locations': 'Location', '/schedules': 'Schedule', '/slots': 'Slot' }),
    '/locations': ndjson({ resourceType: 'Location', id: '1', address: { state: 'MA' } }),
    '/schedules': ndjson({ resourceType: 'Schedule', id: '1', actor: [{ reference: 'Location/1' }] }),
    '/slots': (_request, response) => void sendSlots(response),
  })
  const nowMs = Date.now()
  honest = await startPublisher({ port: 0, slots: HONEST_SLOTS, seed: 9, clock: () => nowMs })
  service = await RunningService.prepare()
  Object.assign(service.env, { LOG_LEVEL: 'fatal', MEMORY_MB_MAX: String(MEMORY_MB), SYNC_EVERY_MINUTES: '600' })
  key = await service.createKey()
  await service.run('source', 'add', 'honest', honest.url)
  await service.run('sync', 'honest')
  store = await openStore(String(service.env.DATABASE_URL))
})

after(async () => {
  await store?.close()
  await service?.[Symbol.asyncDispose]()
  await honest?.close()
  await flood?.[Symbol.asyncDispose]()
})

test('a flood of slots neither stops a node nor its next start, and leaves other sources complete', {
  timeout: 2 * WAIT_MS_MAX,
}, async (t) => {
  const pid = await start()
  const expected = await honestSlots()
  const stored = (await store.sources.find('honest'))?.slotCount ?? assert.fail()
  const watch = new Watch(pid)
  const url = `${flood.origin}/$bulk-publish`
  const addedAtMs = performance.now()
  await store.sources.add({ slug: 'flood', url, strict: false, slotsMax: SLOTS })
  await until(async () => (await store.sources.find('flood'))?.slotCount === SLOTS)
  t.diagnostic(`synced after ${seconds(addedAtMs)}`)
  await until(async () => (await memory()).missingSlots > 0 && (await allSlots()) === SLOTS + stored)
  t.diagnostic(`full after ${seconds(addedAtMs)}: ${JSON.stringify(await memory())}`)
  assert.equal(await honestSlots(), expected)
  t.diagnostic(await watch.end())
  assert.deepEqual(watch.failures, [])
  assert.ok(watch.bytesMax < MEMORY_MB * MIB, `${Math.round(watch.bytesMax / MIB)} MiB`)

  await service.stop()
  const stoppedAtMs = performance.now()
  const again = new Watch(await start())
  t.diagnostic(`started again within ${seconds(stoppedAtMs)}: ${JSON.stringify(await memory())}`)
  assert.equal(await honestSlots(), expected)
  t.diagnostic(await again.end())
  assert.ok(again.bytesMax < MEMORY_MB * MIB, `${Math.round(again.bytesMax / MIB)} MiB`)

  await service.run('source', 'remove', 'flood')
  await until(async () => (await memory()).missingSlots === 0 && (await allSlots()) === stored)
  assert.equal(await honestSlots(), expected)
})

async function sendSlots(response: ServerResponse): Promise<void> {
  // The client may have gone.
  await pipeline(Readable.from(slotLines()), response).catch(() => undefined)
}

/** A thousand lines at a time. */
function* slotLines(): Generator<string> {
  for (let n = 0; n < SLOTS; ) {
    let text = ''
    for (const end = Math.min(SLOTS, n + 1000); n < end; n++) {
      const [start, end] = [START_MS + n * 60_000, START_MS + (n + 15) * 60_000].map((ms) => new Date(ms).toISOString())
      text += `{"resourceType":"Slot","id":"${n}","schedule":{"reference":"Schedule/1"},"status":"free","start":"${start}","end":"${end}"}\n`
    }
    yield text
  }
}

/** The process id of a node that is ready. */
async function start(): Promise<number> {
  const { pid } = service.launch()
  await until(async () => (await fetch(`${service.origin}/readyz`).catch(() => undefined))?.ok === true)
  return pid ?? assert.fail()
}

async function verbose(): Promise<{ slots: number; memory: { missingSlots: number } }> {
  return (await fetch(`${service.origin}/readyz?verbose`)).json()
}

const memory = async () => (await verbose()).memory
const allSlots = async () => (await verbose()).slots + (await memory()).missingSlots
const honestSlots = async () => (await service.slots(key, 'publisher=honest')).body.total

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS_MAX; !(await isSo()); await sleep(250))
    assert.ok(Date.now() < deadline, 'it takes too long')
}

const seconds = (sinceMs: number) => `${((performance.now() - sinceMs) / 1000).toFixed(0)} s`

/** Requests pages of a node all the time, and measures its memory: that of the process and of its isolated processes. */
class Watch {
  readonly failures: unknown[] = []
  bytesMax = 0
  readonly #latencies: number[] = []
  readonly #pid: number
  readonly #running: Promise<void>
  #isEnding = false

  constructor(pid: number) {
    this.#pid = pid
    this.#running = this.#run()
  }

  /** Returns the figures. */
  async end(): Promise<string> {
    this.#isEnding = true
    await this.#running
    const sorted = this.#latencies.toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
    return `${sorted.length} pages, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; at most ${Math.round(this.bytesMax / MIB)} MiB`
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#isEnding; n++) {
      const startedAtMs = performance.now()
      const { status } = await service.slots(key, 'limit=10').catch((error: unknown) => ({ status: error }))
      this.#latencies.push(performance.now() - startedAtMs)
      if (status !== 200) this.failures.push(status)
      if (n % 10 === 0) this.bytesMax = Math.max(this.bytesMax, residentBytes(this.#pid))
      await sleep(20)
    }
  }
}

/** Of a process and its children, without pages of files, which the kernel takes back first. Only on Linux; elsewhere 0. */
function residentBytes(pid: number): number {
  if (process.platform !== 'linux') return 0
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.map((name) => anonymousBytes(name, pid)).reduce((sum, bytes) => sum + bytes, 0)
}

function anonymousBytes(name: string, pid: number): number {
  try {
    const status = readFileSync(`/proc/${name}/status`, 'utf8')
    const numberOf = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return Number(name) === pid || numberOf('PPid') === pid ? numberOf('RssAnon') * 1024 : 0
  } catch {
    // It has just ended.
    return 0
  }
}
