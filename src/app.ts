import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { AccountThreadOptions } from './account/account-thread-options.ts'
import type { Question } from './account/node-port.ts'
import { startAccountThread } from './account/start-account-thread.ts'
import { answerQuestion } from './answer-question.ts'
import { keepShapes } from './api/keep-shapes.ts'
import { createApiServer } from './api/server.ts'
import type { Config } from './config.ts'
import { KeyRing } from './keys/key-ring.ts'
import { UsageMeter } from './keys/usage-meter.ts'
import type { Logger } from './log.ts'
import { NodeWatch } from './node-health.ts'
import { readSite } from './site/site.ts'
import { SlotIndex } from './slot-index/slot-index.ts'
import { openStore } from './store/open-store.ts'
import { startFollowing } from './sync/start-following.ts'
import { type SyncThreadOptions, startSyncThread } from './sync/start-sync-thread.ts'
import type { LogEvent } from './threads/log-event.ts'

const PACKAGE = new URL('../package.json', import.meta.url)
/** What `npm run build` makes. */
const SITE = join(import.meta.dirname, '../dashboard/dist')

/** A running node. */
export interface App {
  /** Where it listens: `http://host:port`. */
  readonly address: string
  /** Stops what `startApp()` started, in reverse order; resolves when all has ended. */
  close(): Promise<void>
}

/**
 * Starts a node: the API on the main thread, following the store on a second, syncing on a third, and what concerns people
 * on a fourth.
 *
 * Resolves once it listens; `/readyz` tells when the slots are loaded. Throws if the store cannot be opened or the
 * port cannot be had; nothing is left running then.
 */
export async function startApp(config: Config, log: Logger): Promise<App> {
  await using started = new AsyncDisposableStack()
  // Creates or migrates the store, and fails here if it cannot be used.
  await (await openStore(config.databaseUrl)).close()
  const onEvent = (event: LogEvent) => log[event.level](event.fields, event.message)

  const sync = startSyncThread(syncOptions(config), onEvent)
  started.defer(() => sync.stop())

  const followed = { index: new SlotIndex(), keyRing: new KeyRing(), now: Date.now }
  const following = startFollowing(followed, { databaseUrl: config.databaseUrl }, onEvent)
  started.defer(() => following.stop())

  const watch = new NodeWatch()
  started.defer(() => watch.stop())
  const known = { ...followed, isReady: () => following.isReady(), baseUrl: config.baseUrl }
  const onFault = (fault: unknown, { about }: Question) =>
    log.error({ err: fault, about }, 'question of the account thread failed')
  const meter = new UsageMeter()
  const accounts = startAccountThread(accountOptions(config), {
    entry: new URL('./account-thread.ts', import.meta.url),
    keyRing: followed.keyRing,
    meter,
    trustedProxies: config.account.trustedProxies,
    answer: (question) => answerQuestion(question, { ...known, watch, onFault }),
    onEvent,
  })
  started.defer(() => accounts.stop())

  const site = await readSite(SITE, config)
  site.start()
  started.defer(() => site.stop())

  const server = createApiServer({
    ...known,
    meter,
    dashboard: (exchange) => accounts.handle(exchange),
    site,
    dashboardUrl: config.dashboardUrl,
    docsUrl: config.docsUrl,
    onFault: (fault, request) => log.error({ err: fault, request }, 'request failed'),
  })
  await listen(server, config)
  started.defer(() => closeServer(server))
  for (const listener of server.listeners('request')) {
    const shapes = keepShapes(listener as RequestListener).catch((error: unknown) => {
      // It only makes the node faster: where there is no loopback, it goes without.
      log.warn({ err: error }, 'shapes of requests could not be kept')
      return []
    })
    started.adopt(await shapes, () => undefined)
  }

  const running = started.move()
  return { address: addressOf(server), close: () => running.disposeAsync() }
}

function syncOptions(config: Config): SyncThreadOptions {
  return {
    databaseUrl: config.databaseUrl,
    allowPrivateSources: config.allowPrivateSources,
    concurrency: config.syncConcurrency,
    everyMsDefault: config.syncEveryMs,
    retentionMs: config.changesRetentionMs,
  }
}

function accountOptions(config: Config): AccountThreadOptions {
  const { trustedProxies: _, ...account } = config.account
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'))
  return {
    databaseUrl: config.databaseUrl,
    baseUrl: config.baseUrl,
    dashboardUrl: config.dashboardUrl.replace(/\/*$/, '/'),
    docsUrl: config.docsUrl,
    version,
    allowPrivateSources: config.allowPrivateSources,
    account,
  }
}

async function listen(server: Server, { port, host }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Requests under way get this long to be answered; idle connections are closed at once. */
const CLOSE_MS_MAX = 5000

async function closeServer(server: Server): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), CLOSE_MS_MAX)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(force)
}
