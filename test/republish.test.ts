import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { DIRECTORY_TYPES, directoryLines } from '../demo/sample-directory.ts'
import { formatSlotLine, SampleFeed } from '../demo/sample-feed.ts'
import type { Publication, Source } from '../src/feeds/connector.ts'
import { Directory, isDirectoryResourceType } from '../src/feeds/fhir/directory.ts'
import { parseResource } from '../src/feeds/fhir/parse-resource.ts'
import { readSlot } from '../src/feeds/fhir/read-slot.ts'
import { smartLinks } from '../src/feeds/smart-links/connector.ts'
import { FairQueue } from '../src/http/fair-queue.ts'
import { createApiServer } from '../src/http/server.ts'
import { ExportPump } from '../src/http/v1/export-slots/export-pump.ts'
import { FeedVersions } from '../src/http/v1/fhir-feed/feed-versions.ts'
import { KeyRing } from '../src/keys/key-ring.ts'
import { mintApiKey } from '../src/keys/mint-key.ts'
import { UsageMeter } from '../src/keys/usage-meter.ts'
import type { Slot } from '../src/slot/slot.ts'
import { KnownSources } from '../src/slot-index/known-sources.ts'
import { SlotIndex } from '../src/slot-index/slot-index.ts'
import { arbitrarySlot } from './support/arbitrary-slot.ts'
import { RecordedDraft } from './support/feeds/recorded-draft.ts'
import { fillIndex } from './support/fill-index.ts'

const NOW_MS = Date.parse('2026-06-01T12:00:00Z')

test('the SMART Scheduling Links connector reads back every slot with every field', async (t) => {
  const harness = await Harness.start(t)
  await fc.assert(
    fc.asyncProperty(fc.array(arbitrarySlot, { maxLength: 40 }), async (slots) => {
      const held = [...new Map(slots.map((slot) => [slot.id, slot])).values()]
      harness.hold(held)
      const draft = new RecordedDraft()
      await harness.read(draft)
      assert.deepEqual(draft.rejected, [])
      assert.deepEqual(contents(draft.slots), contents(held))
    }),
    { numRuns: 60 },
  )
})

test('the sample feed round-trips unchanged', async (t) => {
  const harness = await Harness.start(t)
  const held = sampleSlots(4000)
  assert.ok(held.length >= 4000 && new Set(held.map(({ status }) => status)).size === 3)
  harness.hold(held)
  for (const strict of [false, true]) {
    const draft = new RecordedDraft()
    await harness.read(draft, strict)
    assert.deepEqual(draft.rejected, [])
    assert.deepEqual(contents(draft.slots), contents(held))
  }
})

test('a repeated sync requests only changed files and keeps the rest', async (t) => {
  const harness = await Harness.start(t)
  const held = sampleSlots(1000)
  harness.hold(held)
  const first = new RecordedDraft()
  const publication = await harness.read(first)
  const again = first.next(publication)
  assert.equal((await harness.read(again)).unchanged, true)
  assert.deepEqual([...new Set(harness.statuses)], [304])
})

test('republished schedules keep the ids of their publishers as identifiers, with their origin', async (t) => {
  const harness = await Harness.start(t)
  const [slot] = sampleSlots(100)
  harness.hold([slot])
  const line = (type: string) => harness.get(type).then((text) => JSON.parse(text.split('\n')[0]))
  const schedule = await line('Schedule')
  const source = `${harness.origin}/v1/scheduling/slots?publisher=sample`
  const url = 'http://hl7.org/fhir/StructureDefinition/lastSourceSync'
  assert.deepEqual(schedule.identifier, [{ value: slot.offering.scheduleId }])
  assert.deepEqual(schedule.meta, { source, extension: [{ url, valueDateTime: '2026-06-01T11:00:00.000Z' }] })
  const { id, meta } = await line('Slot')
  assert.deepEqual([id, meta], [slot.id, { source }])
})

/** Every slot but for what a new publisher gives it: sorted, as text. */
function contents(slots: readonly Slot[]): string[] {
  return slots
    .map(({ id: _id, offering: { publisher: _publisher, scheduleId: _schedule, ...shared }, ...own }) =>
      JSON.stringify(sortedByName({ ...own, ...shared })),
    )
    .sort()
}

function sortedByName(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(pairs.map(([name, one]) => [name, sortedByName(one)]))
}

/** As our own reader reads them, as slots of the publisher `sample`. */
function sampleSlots(count: number): Slot[] {
  const feed = new SampleFeed(count, 1)
  const directory = new Directory('sample', true)
  for (const type of DIRECTORY_TYPES) {
    for (const line of directoryLines(type, feed.states)) {
      const resource = parseResource(line, true)
      if (isDirectoryResourceType(resource.resourceType)) directory.put(resource.resourceType, resource)
    }
  }
  return feed.states.flatMap(({ state: { code } }) =>
    [...feed.slots(code, NOW_MS)].flatMap((slot) => {
      const read = readSlot(parseResource(formatSlotLine(slot, 'https://clinic.example'), true), directory)
      return read === undefined ? [] : [read]
    }),
  )
}

/** A service with a key that is shown for the caller, and a connector that reads it. */
class Harness {
  statuses: number[] = []
  readonly #index = new SlotIndex()
  readonly #feedVersions = new FeedVersions(this.#index, { intervalMs: 0, keepMs: 60_000, countMax: 3 })
  readonly origin: string
  #revision = 0

  private constructor(server: Server) {
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const keyRing = new KeyRing()
    const { secret, key } = mintApiKey({ organizationId: 'o', name: 'n' }, 0)
    keyRing.apply([key])
    const sources = new KnownSources()
    const sample = {
      slug: 'sample',
      paused: false,
      health: 'healthy' as const,
      lastCheckedAtMs: NOW_MS - 3_600_000,
      nextSyncAtMs: 0,
    }
    sources.apply({ sources: [sample], gone: [], whole: true })
    const api = createApiServer({
      index: this.#index,
      keyRing,
      meter: new UsageMeter(),
      sources,
      exports: new ExportPump(Date.now),
      queue: new FairQueue(),
      rateLimits: undefined,
      feedVersions: this.#feedVersions,
      isReady: () => true,
      now: () => NOW_MS,
      baseUrl: this.origin,
      dashboardUrl: '',
      docsUrl: '',
      relay: () => {},
      site: { find: () => undefined, notFound: undefined },
      onError: (error) => {
        throw error
      },
    })
    const [answer] = api.listeners('request') as RequestListener[]
    server.on('request', (request, response) => {
      request.headers['x-api-key'] = secret
      response.once('finish', () => this.statuses.push(response.statusCode))
      answer(request, response)
    })
  }

  static async start(t: TestContext): Promise<Harness> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const harness = new Harness(server)
    t.after(() => {
      harness.#feedVersions.close()
      server.closeAllConnections()
      server.close()
    })
    return harness
  }

  hold(slots: readonly Slot[]): void {
    fillIndex(this.#index, slots, { revision: ++this.#revision, nowMs: NOW_MS })
  }

  /** Reads the feed as any publisher's. */
  async read(draft: RecordedDraft, strict = false): Promise<Publication> {
    this.statuses = []
    const url = `${this.origin}/v1/fhir/$bulk-publish`
    const source: Source = { slug: 'copy', format: 'smart-links', url, options: {}, strict }
    return smartLinks({ allowPrivate: true, now: () => NOW_MS }).read(source, draft, new AbortController().signal)
  }

  /** The first file of a type. */
  async get(type: string): Promise<string> {
    const ask = async (url: string) => (await fetch(url)).text()
    const manifest = JSON.parse(await ask(`${this.origin}/v1/fhir/$bulk-publish`))
    return ask(manifest.output.find((each: { type: string }) => each.type === type).url)
  }
}
