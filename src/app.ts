import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config/config.ts'
import { connectionLimits } from './http/connections.ts'
import { CsvDownloads } from './http/explore/csv-downloads.ts'
import { FAIR_LIMITS, FairQueue } from './http/fair-queue.ts'
import { READINESS_PATH } from './http/health.ts'
import { keepShapes } from './http/keep-shapes.ts'
import { beginDrain, closeServer, listen, requireFree } from './http/listen.ts'
import type { NodeQuery } from './http/node-query.ts'
import { rateLimitsOf } from './http/rate-limits.ts'
import { createApiServer } from './http/server.ts'
import { readSite, type Site } from './http/site/site.ts'
import { ExportPump } from './http/v1/export-slots/export-pump.ts'
import { FeedVersions } from './http/v1/fhir-feed/feed-versions.ts'
import { ChangeStreams } from './http/v1/list-changes/change-streams.ts'
import { KeyRing } from './keys/key-ring.ts'
import { UsageMeter } from './keys/usage-meter.ts'
import { KnownSources } from './slot-index/known-sources.ts'
import { SlotIndex } from './slot-index/slot-index.ts'
import { StoreUnavailable } from './store/contracts/store.ts'
import { openStore, sqlitePath } from './store/open-store.ts'
import type { DashboardThreadOptions } from './workers/dashboard-messages.ts'
import { DashboardWorker, type DashboardWorkerOptions } from './workers/dashboard-worker.ts'
import { FollowWorker } from './workers/follow-worker.ts'
import type { Logger } from './workers/log.ts'
import { MemoryBudget, memoryMaxBytes } from './workers/memory-budget.ts'
import { startMonitoring } from './workers/monitoring.ts'
import { type OperationQuery, readinessResponder, respondToOperation, respondToQuery } from './workers/node-queries.ts'
import { NodeTelemetry, NodeWatch } from './workers/node-telemetry.ts'
import { type ProcessBudget, processBudgetOf } from './workers/process-budget.ts'
import { ServingWorkers, type ServingWorkersOptions } from './workers/serving-workers.ts'
import { type SubscriptionsOwner, SubscriptionsWorker } from './workers/subscriptions-worker.ts'
import { startSyncWorker } from './workers/sync-worker.ts'
import {
  dashboardOptions,
  followOptions,
  meterOptions,
  sharedOptions,
  subscriptionsOptions,
} from './workers/thread-options.ts'

/** Made by `npm run build`. */
const SITE = join(import.meta.dirname, '../dashboard/dist')

/** A running node. */
export interface App {
  /** `http://host:port` */
  readonly address: string
  /**
   * Reports that the node is about to end, so that a load balancer stops sending requests, and keeps serving. Resolves after
   * `drainMs`; at once if the node was never ready. Call `close()` next.
   */
  drain(): Promise<void>
  /** Stops what `startApp()` started, in reverse order. */
  close(): Promise<void>
}

/**
 * Starts a node. The main thread serves the API; further threads follow the store, sync the sources and answer the dashboard API.
 * With WORKERS above 1, further threads serve the API, too.
 *
 * Resolves once it listens; `/readyz` reports when the slots are loaded. While the database is unavailable, the node listens and
 * waits. Throws if the store cannot be opened for another reason, or if a port is taken; then nothing is left running.
 */
export async function startApp(config: Config, log: Logger): Promise<App> {
  await using started = new AsyncDisposableStack()
  await tryStore(config)
  const telemetry = new NodeTelemetry(config, log)
  const { maxBytes, processes } = memoryOf(config)
  started.adopt(startSync(config, processes, telemetry), (sync) => sync.stop())
  const state = emptyState(config, { maxBytes, reservedBytes: processes.bytes })
  const isReady = () => follow.isReady() && serving.isReady()
  const watch = started.adopt(new NodeWatch(), (each) => each.stop())
  const condition = () => ({ ...telemetry.condition, memory: state.memory.condition(state.index.missing) })
  const node = { ...state, ...sharedOptions(config), isReady, condition, downloads: new CsvDownloads() }
  const operate = (query: OperationQuery) => respondToOperation(query, api)
  const answer = (query: NodeQuery, signal?: AbortSignal) =>
    respondToQuery(query, { ...node, operate, watch, onError: telemetry.onQueryError }, signal)
  const meter = new UsageMeter(meterOptions(config))
  const dashboard = startDashboard(dashboardOptions(config, processes), {
    trustedProxies: config.account.trustedProxies,
    applyKeys: (keys) => serving.applyKeys(keys),
    meter,
    query: answer,
    onEvent: telemetry.onDashboardEvent,
  })
  started.defer(() => dashboard.stop())
  const subscriptions = started.adopt(subscriptionsOf(config, answer, telemetry), (each) => each.stop())

  // Stops before the dashboard thread, which stores its usage; starts before the follow thread sends anything.
  const serving = startServing(config, {
    keyRing: state.keyRing,
    meter,
    respond: (request, signal) =>
      request.operation === READINESS_PATH ? respondIfReady(request) : dashboard.respond(request, signal),
    sendAll: () => follow.sendAll(),
    onEvent: telemetry.onServingEvent,
  })
  started.defer(() => serving.stop())
  const mirrors = [...serving.mirrors, telemetry.mirror]
  const follow = new FollowWorker({ ...state, mirrors }, followOptions(config), telemetry.eventsOf('follow'))
  started.defer(() => follow.stop())
  if (config.subscriptions.max > 0) void follow.subscribed.then(() => subscriptions.start())
  const feedVersions = started.adopt(new FeedVersions({ ...state, baseUrl: config.baseUrl }), (each) => each.close())
  const changeStreams = changeStreamsOf(dashboard, state.index)
  const api = {
    ...node,
    changeStreams,
    exports: new ExportPump(Date.now),
    feedVersions,
    ...dashboard.connection(config),
    meter,
    site: await startSite(started, config),
    ...telemetry.requestReports(config.account.trustedProxies, config.openFeed),
  }
  const respondIfReady = readinessResponder(api)
  const server = createApiServer(api, connectionLimits(config, config.account.trustedProxies))
  const port = await listenOn(server, config)
  started.defer(() => closeServer(server))
  started.defer(() => changeStreams.close())
  void serving.listen(port, follow.loaded)
  started.adopt(await shapesOf(server, config, log), () => undefined)
  const [health, revision] = [() => watch.health(node), () => state.index.revision]
  const metrics = { ...telemetry.metrics, condition, health, revision, requests: meter.totals }
  started.use(await startMonitoring(config, { server, metrics }))
  const running = started.move()
  return {
    address: addressOf(server),
    close: () => running.disposeAsync(),
    drain: async () => {
      if (isReady()) await drain(config, { telemetry, server, serving, changeStreams, subscriptions })
    },
  }
}

function changeStreamsOf(dashboard: DashboardWorker, index: SlotIndex): ChangeStreams {
  return new ChangeStreams({
    ask: (request, signal) => dashboard.respond(request, signal),
    committed: () => index.committed,
    now: Date.now,
  })
}

function memoryOf({ memoryBytesMax, syncConcurrency, syncHeapMb: heapMb }: Config) {
  const maxBytes = memoryMaxBytes(memoryBytesMax)
  return { maxBytes, processes: processBudgetOf({ memoryBytes: maxBytes, syncConcurrency, heapMb }) }
}

/** The data that the node serves, before it is loaded. */
function emptyState({ rateLimits: settings }: Config, memoryLimits: { maxBytes: number; reservedBytes: number }) {
  const rateLimits = rateLimitsOf(settings)
  const memory = new MemoryBudget(memoryLimits)
  return {
    index: new SlotIndex(),
    keyRing: new KeyRing(),
    sources: new KnownSources(),
    queue: new FairQueue(FAIR_LIMITS, rateLimits),
    rateLimits,
    now: Date.now,
    memory,
  }
}

/** The parts of a node that end before others. */
interface Draining {
  readonly telemetry: NodeTelemetry
  readonly server: Server
  readonly serving: ServingWorkers
  readonly changeStreams: ChangeStreams
  readonly subscriptions: SubscriptionsWorker
}

async function drain(
  { drainMs }: Config,
  { telemetry, server, serving, changeStreams, subscriptions }: Draining,
): Promise<void> {
  telemetry.noteDraining()
  beginDrain(server)
  serving.drain()
  changeStreams.close()
  subscriptions.drain()
  await sleep(drainMs)
}

/** Creates or migrates the store, and fails early if it cannot be used. The threads wait for a server that is unavailable. */
async function tryStore({ databaseUrl }: Config): Promise<void> {
  try {
    await (await openStore(databaseUrl)).close()
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || sqlitePath(databaseUrl) !== undefined) throw error
  }
}

async function startSite(started: AsyncDisposableStack, config: Config): Promise<Site> {
  const site = await readSite(SITE, config)
  started.defer(() => site.stop())
  return site
}

/** Keep a reference while requests are served: see `keepShapes()`. */
async function shapesOf(server: Server, { baseUrl }: Config, log: Logger): Promise<readonly object[]> {
  const [listener] = server.listeners('request')
  return keepShapes(listener as RequestListener, baseUrl).catch((error: unknown) => {
    // Without a loopback interface the node is only slower.
    log.warn({ err: error }, 'request shapes could not be prepared')
    return []
  })
}

function startSync(config: Config, processes: ProcessBudget, telemetry: NodeTelemetry) {
  const options = {
    databaseUrl: config.databaseUrl,
    allowPrivateSources: config.allowPrivateSources,
    allowedSourceHosts: config.allowedSourceHosts,
    sourceSecrets: config.sourceSecrets,
    concurrency: processes.syncConcurrency,
    heapMb: processes.heapMb,
    processesMax: processes.syncsMax,
    everyMsDefault: config.syncEveryMs,
    slotsMax: config.slotsMax,
    retentionMs: config.changesRetentionMs,
  }
  return startSyncWorker(options, telemetry.onSyncEvent, telemetry.onGauges)
}

function subscriptionsOf(config: Config, query: SubscriptionsOwner['query'], telemetry: NodeTelemetry) {
  const { onDeliveries } = telemetry
  return new SubscriptionsWorker(subscriptionsOptions(config), {
    query,
    onEvent: telemetry.eventsOf('subscriptions'),
    onDeliveries,
  })
}

function startDashboard(
  threadOptions: DashboardThreadOptions,
  options: Pick<DashboardWorkerOptions, 'applyKeys' | 'meter' | 'query' | 'onEvent' | 'trustedProxies'>,
): DashboardWorker {
  const entry = new URL('./workers/dashboard-thread.ts', import.meta.url)
  return new DashboardWorker({ ...options, entry, threadOptions })
}

function startServing(
  config: Config,
  options: Pick<ServingWorkersOptions, 'keyRing' | 'meter' | 'respond' | 'sendAll' | 'onEvent'>,
): ServingWorkers {
  const { host, account, rateLimits, openFeed } = config
  const limits = connectionLimits(config, account.trustedProxies)
  return new ServingWorkers({
    ...options,
    entry: new URL('./workers/serving-thread.ts', import.meta.url),
    count: config.workers - 1,
    threadOptions: {
      host,
      ...sharedOptions(config),
      uploadBytesMax: account.uploadBytesMax,
      limits,
      rateLimits,
      openFeed,
      logsAddresses: config.requestLog.addresses,
      openTelemetry: config.openTelemetry,
      siteFolder: SITE,
    },
  })
}

async function listenOn(server: Server, { host, port, workers }: Config): Promise<number> {
  const isShared = workers > 1
  if (isShared) await requireFree({ host, port })
  return listen(server, { host, port, isShared })
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
