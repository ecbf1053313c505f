import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config/config.ts'
import { keepShapes } from './http/keep-shapes.ts'
import { beginDrain, closeServer, listen, requireFree } from './http/listen.ts'
import type { RequestContext } from './http/request-context.ts'
import { createApiServer } from './http/server.ts'
import { readSite, type Site } from './http/site/site.ts'
import { ExportPump } from './http/v1/export-slots/export-pump.ts'
import { FeedVersions } from './http/v1/fhir-feed/feed-versions.ts'
import { KeyRing } from './keys/key-ring.ts'
import { UsageMeter } from './keys/usage-meter.ts'
import { KnownSources } from './slot-index/known-sources.ts'
import { SlotIndex } from './slot-index/slot-index.ts'
import { StoreUnavailable } from './store/contracts/store.ts'
import { openStore } from './store/open-store.ts'
import { answerOperation } from './workers/answer-operation.ts'
import { answerQuestion } from './workers/answer-query.ts'
import { checkAnswerer, isCheck } from './workers/answer-readiness.ts'
import type { AccountThreadOptions } from './workers/dashboard-thread-options.ts'
import type { FollowOptions } from './workers/follow-thread.ts'
import type { Logger } from './workers/log.ts'
import type { Measured } from './workers/metrics/node-metrics.ts'
import { NodeWatch } from './workers/node-health.ts'
import { NodeEars } from './workers/node-telemetry.ts'
import { ServingThreads, type ServingThreadsParts } from './workers/serving-threads.ts'
import { startAccountThread } from './workers/start-dashboard-thread.ts'
import { startFollowing } from './workers/start-following.ts'
import { type SyncThreadOptions, startSyncThread } from './workers/start-sync-thread.ts'

const PACKAGE = new URL('../package.json', import.meta.url)
/** What `npm run build` makes. */
const SITE = join(import.meta.dirname, '../dashboard/dist')

/** A running node. */
export interface App {
  /** Where it listens: `http://host:port`. */
  readonly address: string
  /**
   * Says that it is about to end and goes on answering, so that whoever balances the load can turn away in time; resolves
   * after `drainMs`, at once if it was never ready. To be followed by `close()`.
   */
  drain(): Promise<void>
  /** Stops what `startApp()` started, in reverse order; resolves when all has ended. */
  close(): Promise<void>
}

/**
 * Starts a node: the API on the main thread, following the store on a second, syncing on a third, and what concerns people
 * on a fourth; with WORKERS above 1, the API on further ones as well.
 *
 * Resolves once it listens; `/readyz` tells when the slots are loaded. While the database is away it listens, and waits. Throws
 * if the store cannot be opened for any other reason, or a port cannot be had; nothing is left running then.
 */
export async function startApp(config: Config, log: Logger): Promise<App> {
  await using started = new AsyncDisposableStack()
  await tryStore(config)
  const ears = new NodeEars(config, log)
  const sync = startSyncThread(syncOptions(config), ears.ofSyncs, ears.ofGauges)
  started.defer(() => sync.stop())

  const followed = { ...emptyNode(), now: Date.now }
  const isReady = () => following.isReady() && serving.isReady()

  const watch = new NodeWatch()
  started.defer(() => watch.stop())
  const operate = (target: string) => answerOperation(target, api)
  const known = { ...followed, isReady, baseUrl: config.baseUrl, condition: () => ears.condition }
  const meter = new UsageMeter()
  const accounts = startAccountThread(accountOptions(config), {
    entry: new URL('./workers/dashboard-thread.ts', import.meta.url),
    keyRing: { apply: (keys) => serving.applyKeys(keys) },
    meter,
    trustedProxies: config.account.trustedProxies,
    uploadBytesMax: config.account.uploadBytesMax,
    answer: (question) => answerQuestion(question, { ...known, operate, watch, onFault: ears.ofQuestions }),
    onEvent: ears.of('account'),
  })
  started.defer(() => accounts.stop())

  // Ends before the account thread, which writes what it counted; begins before there is anything to follow.
  const serving = startServing(config, {
    keyRing: followed.keyRing,
    meter,
    ask: (request, settle) => {
      if (isCheck(request.method, request.target)) void answerCheck(request).then(settle)
      else accounts.ask(request, settle)
    },
    startOver: () => following.startOver(),
    onEvent: ears.of('serving'),
  })
  started.defer(() => serving.stop())
  const mirrors = [...serving.mirrors, ears.ofChanges]
  const following = startFollowing({ ...followed, mirrors }, followOptions(config), ears.of('follow'))
  started.defer(() => following.stop())

  const site = await startSite(started, config)
  const { dashboardUrl, docsUrl } = config
  const dashboard = {
    dashboardUrl,
    relay: (context: RequestContext) => accounts.handle(context),
    isUploading: accounts.isUploading,
  }
  const bulk = startBulk(started, followed.index)
  const api = { ...known, ...dashboard, ...bulk, meter, site, docsUrl, onError: ears.ofRequests }
  const answerCheck = checkAnswerer(api)
  const server = createApiServer(api)
  const port = await listenOn(server, config)
  started.defer(() => closeServer(server))
  void serving.listen(port, following.loaded)
  started.adopt(await shapesOf(server, log), () => undefined)
  const health = () => watch.health(known)
  const revision = () => followed.index.revision
  await startMetrics(started, config, { ...ears.measured, health, revision, requests: meter.totals })

  const running = started.move()
  return {
    address: addressOf(server),
    close: () => running.disposeAsync(),
    drain: async () => {
      if (isReady()) await drain(config, { ears, server, serving })
    },
  }
}

/** What a node answers from, before it has been told anything. */
function emptyNode() {
  return { index: new SlotIndex(), keyRing: new KeyRing(), sources: new KnownSources() }
}

async function drain(
  { drainMs }: Config,
  { ears, server, serving }: { ears: NodeEars; server: Server; serving: ServingThreads },
): Promise<void> {
  ears.noteDraining()
  beginDrain(server)
  serving.drain()
  await sleep(drainMs)
}

/** Creates or migrates the store, and fails here if it cannot be used; one that is away now is waited for by those who need it. */
async function tryStore({ databaseUrl }: Config): Promise<void> {
  try {
    await (await openStore(databaseUrl)).close()
  } catch (thrown) {
    if (!(thrown instanceof StoreUnavailable)) throw thrown
  }
}

/** What sends more than a page. */
function startBulk(
  started: AsyncDisposableStack,
  index: SlotIndex,
): { exports: ExportPump; feedVersions: FeedVersions } {
  const feedVersions = new FeedVersions(index)
  started.defer(() => feedVersions.close())
  return { exports: new ExportPump(Date.now), feedVersions }
}

async function startSite(started: AsyncDisposableStack, config: Config): Promise<Site> {
  const site = await readSite(SITE, config)
  site.start()
  started.defer(() => site.stop())
  return site
}

/** Loads what only those need who look at metrics. */
async function startMetrics(
  started: AsyncDisposableStack,
  config: Config,
  measured: Measured,
): Promise<void> {
  const { host, metricsPort: port } = config
  if (port === undefined) return
  const { MetricsServer } = await import('./workers/metrics/metrics-server.ts')
  const metrics = await MetricsServer.start({ host, port }, measured)
  started.defer(() => metrics.stop())
}

/** To be held for as long as requests are answered: see `keepShapes()`. */
async function shapesOf(server: Server, log: Logger): Promise<readonly object[]> {
  const [listener] = server.listeners('request')
  return keepShapes(listener as RequestListener).catch((error: unknown) => {
    // It only makes the node faster: where there is no loopback, it goes without.
    log.warn({ err: error }, 'shapes of requests could not be kept')
    return []
  })
}

function followOptions({ databaseUrl, databaseDirectUrl }: Config): FollowOptions {
  return { databaseUrl, databaseDirectUrl }
}

function syncOptions(config: Config): SyncThreadOptions {
  return {
    databaseUrl: config.databaseUrl,
    allowPrivateSources: config.allowPrivateSources,
    sourceSecrets: config.sourceSecrets,
    concurrency: config.syncConcurrency,
    everyMsDefault: config.syncEveryMs,
    retentionMs: config.changesRetentionMs,
  }
}

function startServing(
  config: Config,
  parts: Pick<ServingThreadsParts, 'keyRing' | 'meter' | 'ask' | 'startOver' | 'onEvent'>,
): ServingThreads {
  const { host, baseUrl, dashboardUrl, docsUrl, account } = config
  const { trustedProxies, uploadBytesMax } = account
  return new ServingThreads({
    ...parts,
    entry: new URL('./workers/serving-thread.ts', import.meta.url),
    count: config.workers - 1,
    options: { host, baseUrl, dashboardUrl, docsUrl, trustedProxies, uploadBytesMax, siteFolder: SITE },
  })
}

async function listenOn(server: Server, { host, port, workers }: Config): Promise<number> {
  const isShared = workers > 1
  if (isShared) await requireFree({ host, port })
  return listen(server, { host, port, isShared })
}

function accountOptions(config: Config): AccountThreadOptions {
  const { trustedProxies: _, uploadBytesMax, ...account } = config.account
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'))
  return {
    databaseUrl: config.databaseUrl,
    baseUrl: config.baseUrl,
    dashboardUrl: config.dashboardUrl.replace(/\/*$/, '/'),
    docsUrl: config.docsUrl,
    version,
    allowPrivateSources: config.allowPrivateSources,
    sourceSecrets: config.sourceSecrets,
    uploadBytesMax,
    account,
    alerts: config.alerts,
  }
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
