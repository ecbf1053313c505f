import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { smartLinks } from '../../../src/feeds/smart-links/connector.ts'
import type { RequestContext } from '../../../src/http/api-context.ts'
import { secureResponses } from '../../../src/http/secure-response.ts'
import { createApiServer } from '../../../src/http/server.ts'
import { FeedVersions } from '../../../src/http/v1/fhir-feed/feed-versions.ts'
import { UpdatesHandler } from '../../../src/http/v1/fhir-feed/serve-updates.ts'
import { KeyRing } from '../../../src/keys/key-ring.ts'
import { defined } from '../../../src/lib/optional.ts'
import type { PlanningHorizon, ScheduleHorizons } from '../../../src/slot/planning-horizon.ts'
import type { Slot } from '../../../src/slot/slot.ts'
import { IndexBuilder } from '../../../src/slot-index/index-builder.ts'
import { KnownSources } from '../../../src/slot-index/known-sources.ts'
import { SlotIndex } from '../../../src/slot-index/slot-index.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import { IndexFollower } from '../../../src/sync/follow-index.ts'
import { StoreFollower } from '../../../src/sync/follow-store.ts'
import { type SyncRun, syncSource } from '../../../src/sync/sync-source.ts'
import { listenOnLoopback } from '../listen-on-loopback.ts'
import { ChangingStore, type Scope, type StorePlace } from '../store/changing-store.ts'
import { connectorOfSlots, servedSlots, syncParts } from '../store/temp-store.ts'
import { apiContextOf } from './api-context.ts'

const PUBLISHER = 'clinic'

/** A node over a store: its index, and the thread that reads the change log. */
class Node {
  readonly store: Store
  readonly handle: RequestListener
  readonly #feedVersions: FeedVersions
  readonly #follower: StoreFollower
  readonly #sources = new KnownSources()

  constructor(store: Store, { baseUrl, now }: { readonly baseUrl: string; readonly now: () => number }) {
    this.store = store
    const [index, keyRing, sources] = [new SlotIndex(), new KeyRing(), this.#sources]
    const showing = new IndexFollower(index, keyRing, sources)
    this.#follower = new StoreFollower(store, { builder: new IndexBuilder(), send: (message) => showing.take(message) })
    const limits = { intervalMs: 0, catchUpMs: 0, keepMs: 60_000, countMax: 3 }
    this.#feedVersions = new FeedVersions({ index, sources, baseUrl }, limits)
    const onError = (error: unknown) => {
      throw error
    }
    const updates = new UpdatesHandler({ store, baseUrl, now, onError })
    const server = createApiServer(
      apiContextOf({
        index,
        keyRing,
        sources,
        feedVersions: this.#feedVersions,
        now,
        baseUrl,
        trustedProxies: 1,
        relay: (context) => void relayTo(updates, context),
        onError,
      }),
    )
    ;[this.handle] = server.listeners('request') as [RequestListener]
  }

  /** Shows what the store has. */
  async follow(): Promise<void> {
    await this.#follower.poll()
    this.#sources.apply({ sources: await this.store.sources.freshness(), gone: [], whole: true })
  }

  stop(): void {
    this.#feedVersions.close()
  }
}

async function relayTo(
  updates: UpdatesHandler,
  { request, operation, requestId, send }: RequestContext,
): Promise<void> {
  const { method = 'GET', url: target = '' } = request
  const whose = defined({ operation })
  send?.(await updates.handle({ method, target, headers: [], address: '192.0.2.1', requestId, ...whose }))
}

/** A service with an open feed, whose node and store may be replaced, at one address. */
export class DirectoryService {
  readonly origin: string
  nowMs = Date.UTC(2029, 5, 1)
  /** Paths in order, without what the names of pages and files depend on. */
  asked: string[] = []
  readonly #held: ChangingStore
  #node: Node | undefined
  #requests = 0

  private constructor(origin: string, held: ChangingStore) {
    this.origin = origin
    this.#held = held
  }

  /** `place`: where its store is; a SQLite file by default. */
  static async start(scope: Scope, place?: StorePlace): Promise<DirectoryService> {
    const server = createServer({ ServerResponse: secureResponses('') })
    const { origin } = await listenOnLoopback(scope, server)
    const clock = { now: () => 0 }
    const held = await ChangingStore.open(scope, () => clock.now(), place)
    const service = new DirectoryService(origin, held)
    server.on('request', (request, response) => service.#handle(request, response))
    clock.now = () => service.nowMs
    await service.store.sources.add({ slug: PUBLISHER, url: 'https://clinic.example/', strict: false })
    await service.store.sources.setReviewPolicy(PUBLISHER, 'nothing')
    await service.#begin()
    scope.after(() => service.#node?.stop())
    return service
  }

  get store(): Store {
    return this.#held.store
  }

  get manifestUrl(): string {
    return `${this.origin}/fhir/$bulk-publish`
  }

  /** Replaces all slots, in one commit; and the planning horizons, by Schedule. */
  async publish(slots: readonly Slot[], bySchedule?: ScheduleHorizons): Promise<void> {
    const horizons = bySchedule && { isWhole: true, bySchedule }
    const connector = connectorOfSlots(() => slots, defined({ horizons }))
    const run = await syncSource(syncParts(this.store, connector, { clock: () => this.nowMs }), PUBLISHER)
    assert.notEqual(run?.outcome.outcome, 'failed', run?.outcome.error)
    await this.#current.follow()
  }

  /** Purges the store as far as readers that follow can continue. */
  async purge(): Promise<void> {
    await this.store.revisionFeed.purge(0, this.nowMs)
    await this.#current.follow()
  }

  /** Another process on the same store. */
  async restart(): Promise<void> {
    this.#node?.stop()
    await this.#held.reopen()
    await this.#begin()
  }

  /** A copy of the store, made between two processes. */
  async backUp(): Promise<string> {
    this.#node?.stop()
    const copy = await this.#held.backUp()
    await this.#begin()
    return copy
  }

  /** Replaces the store by a backup. */
  async restore(copy: string): Promise<void> {
    this.#node?.stop()
    await this.#held.restore(copy)
    await this.#begin()
  }

  async #begin(): Promise<void> {
    this.#node = new Node(this.store, { baseUrl: this.origin, now: () => this.nowMs })
    await this.#node.follow()
  }

  get #current(): Node {
    assert.ok(this.#node)
    return this.#node
  }

  /** Each request comes from another address, so that none is limited. */
  #handle(request: IncomingMessage, response: ServerResponse): void {
    const n = this.#requests++
    request.headers['x-forwarded-for'] = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
    this.asked.push(`${request.url}`)
    this.#current.handle(request, response)
  }
}

/** A second instance of the service, with the feed as its only source. */
export class DirectoryReader {
  readonly #held: ChangingStore
  readonly #service: DirectoryService

  private constructor(held: ChangingStore, service: DirectoryService) {
    this.#held = held
    this.#service = service
  }

  /** `place`: where its store is; a SQLite file by default. */
  static async open(scope: Scope, service: DirectoryService, place?: StorePlace): Promise<DirectoryReader> {
    const held = await ChangingStore.open(scope, () => service.nowMs, place)
    await held.store.sources.add({ slug: 'directory', url: service.manifestUrl, strict: false })
    await held.store.sources.setReviewPolicy('directory', 'nothing')
    return new DirectoryReader(held, service)
  }

  /** Another process on the same store. */
  restart(): Promise<void> {
    return this.#held.reopen()
  }

  backUp(): Promise<string> {
    return this.#held.backUp()
  }

  restore(copy: string): Promise<void> {
    return this.#held.restore(copy)
  }

  /** Repeats a sync that got Retry-After: the open feed limits its share of the thread by real time. */
  async sync(): Promise<SyncRun> {
    for (;;) {
      const run = await this.#syncOnce()
      if (run.outcome.error?.endsWith('got "429"') !== true) {
        assert.notEqual(run.outcome.outcome, 'failed', run.outcome.error)
        assert.equal(run.outcome.rejected, 0)
        return run
      }
      await sleep(1000)
    }
  }

  async #syncOnce(): Promise<SyncRun> {
    const clock = () => this.#service.nowMs
    const connector = smartLinks({ allowPrivate: true, now: clock })
    const run = await syncSource(syncParts(this.#held.store, connector, { clock }), 'directory')
    assert.ok(run !== undefined)
    return run
  }

  /** How many resources of a type it has stored. */
  async count(type: string): Promise<number> {
    const source = await this.#held.store.sources.find('directory')
    const writer = await this.#held.store.snapshots.begin(source?.id ?? 0, { owner: 'count', leaseMs: 0 })
    assert.ok(writer !== undefined && source?.lastSync !== undefined)
    let count = 0
    for await (const rows of writer.resources.readType(type)) count += rows.length
    await writer.abandon({ outcome: source.lastSync, rejections: [], nextSyncAtMs: 0 })
    return count
  }

  /** The planning horizons of its Schedules. */
  async horizons(): Promise<PlanningHorizon[]> {
    const log = await this.#held.store.changeLog.open()
    const horizons = await log.horizons('directory')
    await log.close()
    return [...horizons.values()]
  }

  /** Its slots, each as JSON, in order. */
  slots(): Promise<string[]> {
    return servedSlots(this.#held.store)
  }
}
