import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { smartLinks } from '../../../src/feeds/smart-links/connector.ts'
import { encodeOffering, encodeSlot } from '../../../src/slot/slot.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import { StoredDraft } from '../../../src/sync/snapshot-draft.ts'
import { type SyncRun, syncSource } from '../../../src/sync/sync-source.ts'
import { type BulkAction, initialResources, publish } from '../feeds/bulk-model.ts'
import { BulkPublisher } from '../feeds/bulk-publisher.ts'
import { manifest, ndjson, Publisher } from '../feeds/publisher.ts'
import { RecordedDraft } from '../feeds/recorded-draft.ts'
import { sourceAt } from '../feeds/smart-links-reader.ts'
import { servedSlots, syncParts } from '../store/temp-store.ts'

/** Of a process that will be killed. */
export const LEASE_MS = 100

const TYPES = ['Slot', 'Schedule', 'Location', 'PractitionerRole', 'Practitioner', 'HealthcareService']

/** A source that follows a publisher. */
export class BulkFollowing implements AsyncDisposable {
  readonly publisher: BulkPublisher
  readonly store: Store
  readonly #databaseUrl: string | undefined
  #isClosed = false
  #kills = 0

  private constructor(publisher: BulkPublisher, store: Store, databaseUrl: string | undefined) {
    this.publisher = publisher
    this.store = store
    this.#databaseUrl = databaseUrl
  }

  /** The store must be empty. `databaseUrl`: kills processes that sync, instead of imitating them. */
  static async open(store: Store, databaseUrl?: string): Promise<BulkFollowing> {
    const publisher = await BulkPublisher.open()
    await store.sources.add({ slug: 'clinic', url: publisher.url, strict: false })
    await store.sources.setReviewPolicy('clinic', 'nothing')
    return new BulkFollowing(publisher, store, databaseUrl)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.publisher[Symbol.asyncDispose]()
  }

  /** Fills the data set and publishes it. */
  begin(isChain = true): void {
    for (const resource of initialResources())
      this.publisher.resources.set(`${resource.resourceType}/${resource.id}`, resource)
    this.publisher.publishRoot({ pages: 2, isChain })
  }

  async sync(nowMs = Date.UTC(2030, 0, 1)): Promise<SyncRun> {
    const clock = () => nowMs
    const connector = smartLinks({ allowPrivate: true, now: clock })
    const run = await syncSource(syncParts(this.store, connector, { clock }), 'clinic')
    assert.ok(run !== undefined)
    return run
  }

  /** Publishes or breaks something, and syncs. */
  async act(action: BulkAction): Promise<void> {
    const { publisher } = this
    if (action.kind === 'tear') this.#tear()
    else if (action.kind === 'fail') this.#fail()
    else if (action.kind === 'kill') await this.#kill()
    else if (action.kind === 'update' && this.#isClosed) publisher.publishRoot()
    else publish(publisher, action)
    this.#isClosed = action.kind === 'close' || (this.#isClosed && action.kind !== 'update' && action.kind !== 'root')
    await this.sync()
    publisher.fault = () => false
  }

  /** Syncs, and compares the slots with those of a feed of the older generation that has the same resources. */
  async assertSame(): Promise<void> {
    const run = await this.sync()
    assert.notEqual(run.outcome.outcome, 'failed', run.outcome.error)
    const expected = await this.#expected()
    assert.deepEqual(await servedSlots(this.store), expected.slots)
    const source = await this.store.sources.find('clinic')
    const { read, rejected, withheld } = source?.watch.lastRead ?? {}
    assert.deepEqual({ read, rejected, withheld }, expected.counts)
    assert.equal(source?.slotCount, expected.slots.length)
    const reasons = (await this.store.sources.rejections(source?.id ?? 0)).map(({ reason }) => reason)
    assert.deepEqual(reasons.sort(), expected.reasons)
  }

  async #expected() {
    const resources = [...this.publisher.resources.values()]
    const files = TYPES.map((type) => [`/${type}`, ndjson(...resources.filter((one) => one.resourceType === type))])
    await using plain = await Publisher.open({
      ...Object.fromEntries(files),
      '/$bulk-publish': manifest(Object.fromEntries(TYPES.map((type) => [`/${type}`, type]))),
    })
    const draft = new RecordedDraft()
    await smartLinks({ allowPrivate: true }).read(sourceAt(plain), draft, AbortSignal.timeout(60_000))
    const { withheld } = draft.counts
    const rejected = draft.rejected.length
    return {
      slots: draft.slots.map((slot) => encodeSlot(slot) + encodeOffering(slot.offering)).sort(),
      counts: { read: draft.slots.length + withheld + rejected, rejected, withheld },
      reasons: draft.rejected.map(({ reason }) => reason).sort(),
    }
  }

  /** Publishes the data set again while a file is read. */
  #tear(): void {
    this.publisher.fault = (path) => {
      if (!path.startsWith('/files/')) return false
      this.publisher.fault = () => false
      this.publisher.publishRoot()
      this.#isClosed = false
      return false
    }
  }

  /** Answers one of the next requests with an error. */
  #fail(): void {
    let left = this.publisher.resources.size % 5
    this.publisher.fault = (_, response) => {
      if (left-- !== 0) return false
      response.writeHead(503).end()
      return true
    }
  }

  /** Leaves what a process leaves that is killed before its commit. */
  async #kill(): Promise<void> {
    if (this.#databaseUrl !== undefined) return this.#killProcess(this.#databaseUrl)
    const found = await this.store.sources.find('clinic')
    const writer = await this.store.snapshots.begin(found?.id ?? 0, { owner: 'killed', leaseMs: 0 })
    if (found === undefined || writer === undefined) return
    const signal = AbortSignal.timeout(60_000)
    const draft = new StoredDraft(writer, signal)
    const connector = smartLinks({ allowPrivate: true })
    const publication = await connector.read(found, draft, signal)
    if (!publication.unchanged) await draft.finish()
  }

  /** Kills a process a short time after it began to sync. */
  async #killProcess(databaseUrl: string): Promise<void> {
    const child = spawn(process.execPath, [CHILD, databaseUrl], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    await sleep((this.#kills++ * KILL_STEP_MS) % KILL_MS_MAX)
    child.kill('SIGKILL')
    await ended
    // The lease of the killed process.
    await sleep(LEASE_MS + 10)
  }
}

const CHILD = new URL('bulk-sync-child.ts', import.meta.url).pathname

/** A prime, so that processes end at many different times of a sync. */
const KILL_STEP_MS = 7
const KILL_MS_MAX = 120
