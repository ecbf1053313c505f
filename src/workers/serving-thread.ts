import type { RequestListener } from 'node:http'
import type { ApiContext } from '../http/api-context.ts'
import { FAIR_LIMITS, FairQueue } from '../http/fair-queue.ts'
import { READINESS_PATH } from '../http/health.ts'
import { keepShapes } from '../http/keep-shapes.ts'
import { beginDrain, closeServer, listen } from '../http/listen.ts'
import { OpenFeedCounts } from '../http/open-feed/open-feed-counts.ts'
import { rateLimitsOf } from '../http/rate-limits.ts'
import { Refusals, refusalReporter } from '../http/refusals.ts'
import type { SerializedRequest } from '../http/serialized-http.ts'
import { createApiServer } from '../http/server.ts'
import { readSite } from '../http/site/site.ts'
import { HISTORY_REQUEST } from '../http/status/read-history.ts'
import { ExportPump } from '../http/v1/export-slots/export-pump.ts'
import { FeedVersions } from '../http/v1/fhir-feed/feed-versions.ts'
import { ChangeStreams } from '../http/v1/list-changes/change-streams.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { UsageMeter } from '../keys/usage-meter.ts'
import { errorText } from '../lib/text.ts'
import { KnownSources } from '../slot-index/known-sources.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import { IndexFollower, preparing } from '../sync/follow-index.ts'
import type { IndexMessage } from '../sync/index-messages.ts'
import { transferOf } from './dashboard-messages.ts'
import { DashboardProxy, PROXY_LIMITS } from './dashboard-proxy.ts'
import { traceRequests } from './opentelemetry/open-telemetry.ts'
import type { ServingOperations, ServingParent, ServingThreadOptions } from './serving-workers.ts'
import { openThread, threadOptions } from './thread-entry.ts'

// Thread entry: serves requests beside the main thread. Started by ServingWorkers.

/** Together with the half second after which the main thread stores all counts, a dashboard shows a key's first request within two. */
const USAGE_EVERY_MS = 400

const options = threadOptions<ServingThreadOptions>()
const index = new SlotIndex()
const keyRing = new KeyRing()
const meter = new UsageMeter(options)
const sources = new KnownSources()
const follower = new IndexFollower(index, keyRing, sources)
let isLoaded = false
const ask = (request: SerializedRequest, signal: AbortSignal) =>
  parent.request('respond', request, { ...transferOf(request), signal })
const proxy = new DashboardProxy({
  ...PROXY_LIMITS,
  trustedProxies: options.trustedProxies,
  uploadBytesMax: options.uploadBytesMax,
  respond: ask,
})
const site = await readSite(options.siteFolder, options)
const feedVersions = new FeedVersions({ index, sources, baseUrl: options.baseUrl })
const changeStreams = new ChangeStreams({ ask, committed: () => index.committed, now: Date.now })
const rateLimits = rateLimitsOf(options.rateLimits)
const api: ApiContext = {
  trustedProxies: options.trustedProxies,
  index,
  keyRing,
  sources,
  meter,
  exports: new ExportPump(Date.now),
  rateLimits,
  queue: new FairQueue(FAIR_LIMITS, rateLimits),
  feedVersions,
  changeStreams,
  ...(options.openFeed && { openFeed: new OpenFeedCounts((event) => onEvent(event)) }),
  publicCounts: options.publicCounts,
  isReady: () => follower.isReady,
  now: Date.now,
  baseUrl: options.baseUrl,
  dashboardUrl: options.dashboardUrl,
  docsUrl: options.docsUrl,
  securityContact: options.securityContact,
  service: options.service,
  ...(options.statusPage && { readHistory: () => parent.request('respond', HISTORY_REQUEST) }),
  relay: (context) => proxy.handle(context),
  relayReadiness: (context) => proxy.handleReadiness({ ...context, operation: READINESS_PATH }),
  isUploading: (socket) => proxy.isUploading(socket),
  site,
  onRefusal: refusalReporter(new Refusals((event) => onEvent(event)), options.trustedProxies),
  onError: (error, request) =>
    onEvent({ level: 'error', message: 'request failed', fields: { error: errorText(error), request } }),
}
const server = createApiServer(api, options.limits)
const shapesKept = Promise.withResolvers<void>()
const { parent, stopping, onEvent, close } = openThread<ServingParent, ServingOperations>({
  // The requests of keepShapes() are answered "not ready": a thread that knows the keys would count them as refused.
  apply: (message) => shapesKept.promise.then(() => apply(message)).catch(die),
  applyKeys: (keys) => keyRing.apply(keys),
  listen: (port) => void listen(server, { host: options.host, port, isShared: true }),
  drain,
})
const reporting = setInterval(reportUsage, USAGE_EVERY_MS)
const prepared = preparing(follower, (event) => onEvent(event))
prepared.start()
stopping.addEventListener('abort', () => void stop())

const [listener] = server.listeners('request') as RequestListener[]
const tracing = options.openTelemetry && (await traceRequests(options.openTelemetry, server))
// Referenced while the thread runs: see keepShapes(). Without a loopback interface the thread is only slower.
export const shapes = await keepShapes(listener, options.baseUrl).catch(() => [])
shapesKept.resolve()

function drain(): void {
  beginDrain(server)
  changeStreams.close()
}

async function apply(message: IndexMessage): Promise<void> {
  await follower.take(message)
  if (!isLoaded && follower.isReady) {
    isLoaded = true
    parent.post('loaded', undefined)
  }
}

/** A message that does not fit: the thread ends, and its successor is sent everything again. */
function die(error: unknown): Promise<never> {
  setImmediate(() => {
    throw error
  })
  return new Promise(() => {})
}

function reportUsage(): void {
  const batch = meter.drain()
  if (batch !== undefined) parent.post('addUsage', batch)
}

async function stop(): Promise<void> {
  changeStreams.close()
  if (server.listening) await closeServer(server)
  clearInterval(reporting)
  await prepared.close()
  feedVersions.close()
  await site.stop()
  await tracing?.stop()
  reportUsage()
  close()
}
