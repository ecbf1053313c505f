import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Slot, SlotMirror } from '../demo/mirror.ts'
import { connectorsOf } from '../src/feeds/connectors.ts'
import { SLOT_STATUSES } from '../src/slot/slot.ts'
import type { Store } from '../src/store/contracts/store.ts'
import { openStore } from '../src/store/open-store.ts'
import { syncSource } from '../src/sync/sync-source.ts'
import { eventually } from './support/eventually.ts'
import { manifest, ndjson, Publisher } from './support/feeds/publisher.ts'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'

const SLUGS = ['north', 'south']
const SLOTS = 300
const FILTERS = ['', 'state=MA', 'state=NY&status=busy&isVirtual=false']

test('copies equal the list under constant change, through a restart and a 410', async (t) => {
  await using service = await RunningService.prepare()
  await using feeds = await Feeds.open(t, service)
  await service.run('org', 'create', 'Good Health')
  const { key } = await service.run('key', 'create', '--org', 'Good Health')
  await service.serve()
  const asked = countRequests(t)
  const options = { origin: service.origin, apiKey: String(key) }
  const copies = FILTERS.map((filters) => ({ filters, mirror: new SlotMirror({ ...options, filters }) }))
  const followThrough = async (change: () => Promise<unknown>) => {
    await whileUnderWay(change(), () => Promise.all(copies.map(({ mirror }) => mirror.update().catch(() => undefined))))
    for (const copy of copies) await becomesEqual(copy, service, String(key))
  }

  for (let round = 0; round < 4; round++) await followThrough(() => feeds.change(6))
  await followThrough(async () => {
    await feeds.change(2)
    await service.stop()
    await feeds.change(2)
    // Each of the threads then relays requests.
    service.env.WORKERS = '2'
    await service.serve()
    await feeds.change(2)
  })
  assert.equal(asked.exports, FILTERS.length)
  await feeds.change(2)
  await feeds.store.revisionFeed.purge(0, Date.now())
  await followThrough(() => feeds.change(4))
  // More, if an export was a moment older than what is remembered.
  assert.ok(asked.exports >= 2 * FILTERS.length)
  for (let round = 0; round < 2; round++) await followThrough(() => feeds.change(6))
})

test('the guide shows the tested program', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  assert.ok(read('docs/guide/mirroring.md').includes(`\`\`\`ts\n${read('demo/mirror.ts')}\`\`\`\n`))
})

/** Two publishers, and the store that they are synced into while the service runs on it, as from the command line. */
class Feeds implements AsyncDisposable {
  readonly store: Store
  readonly #publisher: Publisher
  #generation = 0

  private constructor(store: Store, publisher: Publisher) {
    this.store = store
    this.#publisher = publisher
  }

  static async open(t: TestContext, { env }: RunningService): Promise<Feeds> {
    const store = await openStore(String(env.DATABASE_URL))
    t.after(() => store.close())
    const feeds = new Feeds(store, await Publisher.open({}))
    for (const slug of SLUGS) await feeds.#add(slug)
    return feeds
  }

  /** One change after the other: mostly a publication; sometimes a source is removed and added again. */
  async change(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      const slug = SLUGS[++this.#generation % SLUGS.length]
      if (this.#generation % 7 === 0) {
        await this.store.sources.remove(slug)
        await this.#add(slug)
      }
      this.#publish()
      await this.#sync(slug)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#publisher[Symbol.asyncDispose]()
  }

  async #add(slug: string): Promise<void> {
    this.#publish()
    await this.store.sources.add({ slug, url: `${this.#publisher.origin}/$bulk-publish`, strict: false })
  }

  async #sync(slug: string): Promise<void> {
    const connectorOf = connectorsOf({ allowPrivateSources: true })
    const parts = { connectorOf, clock: Date.now, random: Math.random, everyMsDefault: 3_600_000 }
    const run = await syncSource({ store: this.store, ...parts }, slug)
    // The service may sync the source, too.
    assert.ok(run === undefined || run.outcome.outcome !== 'failed', run?.outcome.error)
  }

  #publish(): void {
    const { files } = this.#publisher
    files['/$bulk-publish'] = manifest({
      '/locations': 'Location',
      '/schedules': 'Schedule',
      '/slots': 'Slot',
    })
    files['/locations'] = ndjson(...[0, 1, 2].map((n) => locationOf(n, this.#generation)))
    files['/schedules'] = ndjson(...[0, 1, 2].map(scheduleOf))
    files['/slots'] = ndjson(...slotsOf(this.#generation))
  }
}

/** Every fifth generation the third of them moves to another state, and all its slots with it. */
function locationOf(n: number, generation: number): object {
  const moves = n === 2 && Math.floor(generation / 5) % 2 === 1
  return { resourceType: 'Location', id: `${n}`, address: { state: n === 0 || moves ? 'MA' : 'NY' } }
}

function scheduleOf(n: number): object {
  return { resourceType: 'Schedule', id: `${n}`, actor: [{ reference: `Location/${n}` }] }
}

const BEGAN_MS = Date.now()

/** In each generation, other slots are missing or have another status; some end during the test. */
function* slotsOf(generation: number) {
  for (let n = 0; n < SLOTS; n++) {
    if ((n * 31 + generation) % 7 === 0) continue
    const endMs = BEGAN_MS + (n % 10 === 0 ? n * 50 : (n + 60) * 60_000)
    yield {
      resourceType: 'Slot',
      id: `slot-${n}`,
      schedule: { reference: `Schedule/${n % 3}` },
      status: (n + generation) % 5 === 0 ? SLOT_STATUSES[(n + generation) % 4] : SLOT_STATUSES[n % 2],
      start: new Date(endMs - 900_000).toISOString(),
      end: new Date(endMs).toISOString(),
    }
  }
}

async function whileUnderWay(work: Promise<unknown>, act: () => Promise<unknown>): Promise<void> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) await act()
  await done
}

/** The list follows the store within a second, and slots end meanwhile. */
async function becomesEqual(
  { mirror, filters }: { mirror: SlotMirror; filters: string },
  service: RunningService,
  key: string,
): Promise<void> {
  let listed = new Map<string, unknown>()
  await eventually(async () => {
    listed = await list(service, key, filters)
    await mirror.update()
    return textOf(listed) === textOf(mirror.slots)
  }).catch(() => assert.deepEqual(mirror.slots, listed, filters))
  assert.ok(listed.size > 10, filters)
}

async function list(service: RunningService, key: string, filters: string): Promise<Map<string, unknown>> {
  const slots = new Map<string, Slot | { id: string }>()
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const { body } = await service.slots(key, `${filters}&limit=100&offset=${offset}`)
    for (const slot of body.slots) slots.set(slot.id, slot)
    total = body.total
  }
  return slots
}

function textOf(slots: ReadonlyMap<string, unknown>): string {
  return JSON.stringify([...slots].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The number of exports of all slots. */
function countRequests(t: TestContext): { exports: number } {
  const counts = { exports: 0 }
  const { fetch } = globalThis
  t.mock.method(globalThis, 'fetch', (input: string, init?: RequestInit) => {
    if (new Headers(init?.headers).get('accept') === 'application/x-ndjson') counts.exports++
    return fetch(input, init)
  })
  return counts
}
