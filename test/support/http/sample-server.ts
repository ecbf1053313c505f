import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before } from 'node:test'
import type { NodeCondition } from '../../../src/http/api-context.ts'
import { FairQueue } from '../../../src/http/fair-queue.ts'
import { OpenFeedCounts } from '../../../src/http/open-feed/open-feed-counts.ts'
import type { RateLimits } from '../../../src/http/rate-limits.ts'
import type { SerializedResponse } from '../../../src/http/serialized-http.ts'
import { createApiServer } from '../../../src/http/server.ts'
import type { StaticFile, StaticFiles } from '../../../src/http/show-file.ts'
import { ExportPump } from '../../../src/http/v1/export-slots/export-pump.ts'
import { FeedVersions } from '../../../src/http/v1/fhir-feed/feed-versions.ts'
import { ChangeStreams } from '../../../src/http/v1/list-changes/change-streams.ts'
import type { ApiKey } from '../../../src/keys/key.ts'
import { hashKey, KeyRing } from '../../../src/keys/key-ring.ts'
import { mintKey } from '../../../src/keys/mint-key.ts'
import type { UsageBatch } from '../../../src/keys/usage-batch.ts'
import { UsageMeter } from '../../../src/keys/usage-meter.ts'
import type { LogEvent } from '../../../src/lib/log-event.ts'
import { slotId } from '../../../src/slot/ids.ts'
import type { Offering, Slot } from '../../../src/slot/slot.ts'
import { KnownSources } from '../../../src/slot-index/known-sources.ts'
import { SlotIndex } from '../../../src/slot-index/slot-index.ts'
import { OpenSnapshots } from '../../../src/slot-index/snapshots/open-snapshots.ts'
import { eventually } from '../eventually.ts'
import { fillIndex } from '../fill-index.ts'

/** A server over 60 slots, started before the tests of the file that imports this, and stopped after them. */
export const NOW_MS = Date.parse('2026-06-01T12:00:00Z')
export const KEY = mintKey()
export const OTHER_KEY = mintKey()
export const SLOTS = '/v1/scheduling/slots'

const CONDITION: NodeCondition = {
  draining: false,
  store: { kind: 'postgres', status: 'ok', sinceMs: 1 },
  lastChangeAtMs: 2,
}
export const state = {
  ready: true,
  nowMs: NOW_MS,
  condition: CONDITION,
  /** Requests for another thread are never answered. */
  isRelayPending: false,
  securityContact: 'mailto:security@slots.example' as string | undefined,
  /** Further headers of the home page. */
  siteHeaders: {} as Record<string, string>,
  rateLimits: undefined as RateLimits | undefined,
  trustedProxies: 0,
  /** The reply of another thread to a request for the history. */
  history: async (): Promise<SerializedResponse> => ({ status: 503, headers: [], body: new Uint8Array() }),
  /** The reply of another thread to an operation. */
  relayed: undefined as SerializedResponse | undefined,
  /** See `RequestContext`; of the last request for another thread. */
  isAccepted: undefined as (() => boolean) | undefined,
}
const errors: unknown[] = []
export const snapshots = new OpenSnapshots()
export const index = new SlotIndex(snapshots)
export const keyRing = new KeyRing()
export const sources = new KnownSources()
export const meter = new UsageMeter()
export const feedVersions = new FeedVersions({ index, sources, baseUrl: 'https://slots.example' })
export const queue = new FairQueue()
export const exportPump = new ExportPump(() => state.nowMs)
/** The reported counts of the open feed. */
export const openFeedEvents: LogEvent[] = []
/** Drains the meter once it has this many requests: one may be counted a moment after the caller has its response. */
export function drained(count: number, keyIds: readonly string[] = ['one', 'two']): Promise<UsageBatch> {
  return eventually(() => {
    const batch = meter.drain()
    if (batch === undefined) return undefined
    if (batch.logged.filter(({ keyId }) => keyIds.includes(keyId)).length >= count) return batch
    meter.takeOver(batch)
  })
}
let relayed = 0
/** Number of requests for another thread. */
export const relayedCount = () => relayed
export const server = createApiServer({
  index,
  keyRing,
  sources,
  meter,
  exports: exportPump,
  queue,
  get rateLimits() {
    return state.rateLimits
  },
  feedVersions,
  changeStreams: new ChangeStreams({
    ask: () => Promise.reject(new Error('there is no thread that reads the store')),
    committed: () => index.committed,
    now: () => state.nowMs,
  }),
  openFeed: new OpenFeedCounts((event) => openFeedEvents.push(event)),
  relay: ({ response, operation, send, isAccepted }) => {
    relayed++
    state.isAccepted = isAccepted
    if (state.isRelayPending) return
    if (state.relayed !== undefined) send?.(state.relayed)
    else response.writeHead(299, operation === undefined ? {} : { operation }).end('dashboard')
  },
  readHistory: () => state.history(),
  site: sampleSite(),
  publicCounts: true,
  isReady: () => state.ready,
  condition: () => state.condition,
  now: () => state.nowMs,
  baseUrl: 'https://slots.example',
  dashboardUrl: 'https://slots.example/dashboard',
  docsUrl: 'https://slots.example/docs',
  get trustedProxies() {
    return state.trustedProxies
  },
  get securityContact() {
    return state.securityContact
  },
  onError: (error) => errors.push(error),
})
let listening = 0

before(async () => {
  keyRing.apply([storedKey('one', KEY), storedKey('two', OTHER_KEY)])
  fillIndex(index, sampleSlots(60), { nowMs: NOW_MS })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  listening = (server.address() as AddressInfo).port
})

after(() => {
  feedVersions.close()
  server.closeAllConnections()
  server.close()
  assert.deepEqual(errors, [])
})

/** Removes and returns the last reported error. */
export const takeError = () => errors.pop()

/** A home page in three encodings, and a 404 page. */
function sampleSite(): StaticFiles {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const content = (text: string) => ({ body: Buffer.from(text), etag: `"${text}"` })
  const contents = { identity: content('<p>front'), gzip: content('zipped'), br: content('smaller') }
  const files: Record<string, StaticFile> = {
    '/': { status: 200, headers, contents },
    '/docs': { status: 503, headers, contents: { identity: content('not built') } },
  }
  return {
    find: (path) => {
      const file = files[path]
      return file && { ...file, headers: { ...file.headers, ...state.siteHeaders } }
    },
    notFound: { status: 200, headers, contents: { identity: content('<p>nothing here') } },
    statusFrame: { status: 200, headers, contents: { identity: content('<h1>Status</h1><!-- status -->') } },
  }
}

export function storedKey(id: string, key: string): ApiKey {
  return { id, organizationId: 'org', name: id, hash: hashKey(key), lastFour: key.slice(-4), createdAtMs: 0 }
}

/** One slot per hour, starting an hour ago, alternately in Massachusetts and, virtual, in California. */
export function sampleSlots(count: number): Slot[] {
  const offerings: Offering[] = [
    {
      publisher: 'north',
      scheduleId: 'a',
      isVirtual: false,
      modalities: ['in-person'],
      location: { city: 'Boston', state: 'MA' },
    },
    {
      publisher: 'south',
      scheduleId: 'b',
      isVirtual: true,
      modalities: ['virtual'],
      serviceStates: ['CA'],
      serviceTypeCode: '57',
    },
  ]
  return Array.from({ length: count }, (_, n) => {
    const startMs = NOW_MS + (n - 1) * 3_600_000
    const endMs = startMs + 1_800_000
    const times = {
      start: new Date(startMs).toISOString(),
      end: new Date(endMs).toISOString(),
      startMs,
      endMs,
    }
    return {
      id: slotId('north', 'a', String(n), { startMs, endMs }),
      status: 'free',
      ...times,
      offering: offerings[n % 2],
    }
  })
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what was answered is looked at field by field
  json: any
}

export async function ask(
  path: string,
  headers: Record<string, string> = { authorization: `Bearer ${KEY}` },
  method = 'GET',
): Promise<Answer> {
  const request = httpRequest({ port: listening, path, method, headers, agent: false })
  request.end()
  const [response] = await once(request, 'response')
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  const isJson = text.startsWith('{') && !/ndjson$/.test(response.headers['content-type'] ?? '')
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}

/** Its address. */
export const port = () => listening

/** A raw connection, for requests that no client would send. */
export function connection(): Socket {
  return connect(listening, '127.0.0.1')
}
