import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { eventually } from '../../test/support/eventually.ts'
import { freePort } from '../../test/support/free-port.ts'
import { openTempStore, syncClinic, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import { CONNECTION_LIMITS } from '../http/connections.ts'
import { REQUESTS_REFUSED } from '../http/refusals.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { type MintedKey, mintApiKey } from '../keys/mint-key.ts'
import { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { UNNAMED_SERVICE } from '../shared/service-identity.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import type { Store } from '../store/contracts/store.ts'
import { FollowWorker } from './follow-worker.ts'
import { ServingWorkers } from './serving-workers.ts'

test('restarts a thread that died, loads it again, and makes it listen', async (t) => {
  const harness = await Harness.start(t, 200)
  assert.equal(await harness.total(), 200)
  harness.kill()
  await eventually(() => harness.events.some(({ message }) => message === 'thread died'))
  assert.equal(harness.serving.isReady(), true)
  assert.equal(harness.state.index.length, 200)
  await eventually(async () => (await harness.total()) === 200)
  await harness.publish(300)
  await eventually(async () => (await harness.total()) === 300)
  assert.equal(harness.state.index.length, 300)
  assert.equal(harness.events.filter(({ level }) => level === 'error').length, 1)
})

test('a thread that is replaced reports no refused request but those of callers', async (t) => {
  const harness = await Harness.start(t, 1)
  harness.kill()
  await eventually(() => harness.events.some(({ message }) => message === 'thread died'))
  await eventually(async () => (await harness.total()) === 1)
  await fetch(`${harness.origin}/v1/scheduling/slots`)
  await eventually(() => harness.events.some(({ message }) => message === REQUESTS_REFUSED))
  const refused = harness.events.filter(({ message }) => message === REQUESTS_REFUSED)
  assert.deepEqual(
    refused.map(({ fields }) => fields.count),
    [1],
  )
})

test('a thread that is replaced before the main thread is loaded listens once, when it is loaded', async (t) => {
  const harness = await Harness.open(t, 200)
  const mainLoaded = Promise.withResolvers<void>()
  const listening = harness.listen(mainLoaded.promise)
  await eventually(() => harness.serving.isReady())
  harness.onSendAll = mainLoaded.resolve
  harness.kill()
  await listening
  await eventually(async () => (await harness.total()) === 200)
  assert.equal(harness.events.filter(({ level }) => level === 'error').length, 1)
})

test('a revocation does not wait for a thread that is not running', async (t) => {
  const harness = await Harness.start(t, 1)
  harness.kill()
  await eventually(() => harness.events.some(({ message }) => message === 'thread died'))
  const applied = harness.serving.applyKeys([{ ...harness.minted.key, revokedAtMs: Date.now() }])
  assert.equal(await Promise.race([applied, sleep(10_000, 'too late', { ref: false })]), undefined)
})

test('forwards readiness checks to the main thread', async (t) => {
  const harness = await Harness.start(t, 1)
  const answers = await Promise.all(
    ['/readyz', '/readyz?verbose', '/livez'].map((path) => fetch(harness.origin + path)),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204, 200],
  )
  assert.deepEqual(harness.asked, ['/readyz', '/readyz?verbose'])
  const [inAbsoluteForm] = await once(request(harness.origin, { path: 'http://node.example/readyz' }).end(), 'response')
  inAbsoluteForm.resume()
  assert.equal(inAbsoluteForm.statusCode, 204)
})

test('asks callers to reconnect while draining', async (t) => {
  const harness = await Harness.start(t, 1)
  const headers = { 'x-api-key': harness.minted.secret }
  const ask = async () => (await fetch(`${harness.origin}/v1/scheduling/slots`, { headers })).headers
  assert.equal((await ask()).get('connection'), 'keep-alive')
  harness.serving.drain()
  await eventually(async () => (await ask()).get('connection') === 'close')
})

test('adds the counts of a stopped thread to the meter of the main thread', async (t) => {
  const harness = await Harness.start(t, 1)
  for (let n = 0; n < 25; n++) await harness.total()
  assert.ok(harness.answered > 25)
  await harness.serving.stop()
  const batch = harness.meter.drain()
  assert.equal(
    batch?.requests.reduce((sum, { count }) => sum + count, 0),
    harness.answered,
  )
  assert.equal(batch?.logged.length, harness.answered)
})

/** One serving thread beside a main thread that does not listen itself, over a store that is state. */
class Harness {
  readonly events: LogEvent[] = []
  readonly state = { index: new SlotIndex(), keyRing: new KeyRing(), now: Date.now }
  readonly meter = new UsageMeter()
  readonly asked: string[] = []
  readonly minted: MintedKey
  /** How many requests with the key were answered. */
  answered = 0
  /** Called when a thread is replaced. */
  onSendAll: () => void = () => undefined
  readonly serving: ServingWorkers
  readonly #follow: FollowWorker
  readonly #store: Store
  readonly #port: number
  readonly #killer = join(mkdtempSync(join(tmpdir(), 'serving-thread-test-')), 'die')

  private constructor(store: Store, { url, minted, port }: { url: string; minted: MintedKey; port: number }) {
    this.#store = store
    this.#port = port
    this.minted = minted
    this.serving = new ServingWorkers({
      entry: this.#mortalEntry(),
      count: 1,
      threadOptions: {
        host: '127.0.0.1',
        baseUrl: 'http://localhost',
        dashboardUrl: 'http://localhost/',
        docsUrl: 'http://localhost/docs',
        publicCounts: true,
        service: UNNAMED_SERVICE,
        trustedProxies: 0,
        limits: CONNECTION_LIMITS,
        rateLimits: {},
        uploadBytesMax: 1_000_000,
        openTelemetry: undefined,
        siteFolder: '/nonexistent',
      },
      keyRing: this.state.keyRing,
      meter: this.meter,
      respond: async ({ target }) => {
        this.asked.push(target)
        return { status: 204, headers: [], body: new Uint8Array() }
      },
      sendAll: () => {
        this.onSendAll()
        this.#follow.sendAll()
      },
      onEvent: (event) => this.events.push(event),
    })
    const mirrored = { ...this.state, mirrors: this.serving.mirrors }
    this.#follow = new FollowWorker(mirrored, { databaseUrl: url }, (event) => this.events.push(event))
  }

  static async start(t: TestContext, slots: number): Promise<Harness> {
    const harness = await Harness.open(t, slots)
    void harness.listen(harness.#follow.loaded)
    await eventually(async () => (await harness.total()) === slots)
    return harness
  }

  /** Does not listen. */
  static async open(t: TestContext, slots: number): Promise<Harness> {
    const url = tempDatabaseUrl()
    const store = await openTempStore(t, Date.now, url)
    const { id: organizationId } = await store.organizations.create('Acme')
    const minted = mintApiKey({ organizationId, name: 'web' }, Date.now())
    await store.keys.put(minted.key)
    await store.sources.add({ slug: 'clinic', url: 'https://clinic.test/', strict: false })
    const harness = new Harness(store, { url, minted, port: await freePort() })
    t.after(async () => {
      await harness.#follow.stop()
      await harness.serving.stop()
      rmSync(join(harness.#killer, '..'), { recursive: true })
    })
    await harness.publish(slots)
    return harness
  }

  listen(mainLoaded: Promise<void>): Promise<void> {
    return this.serving.listen(this.#port, mainLoaded)
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Has the thread die once. */
  kill(): void {
    writeFileSync(this.#killer, '')
  }

  async publish(count: number): Promise<void> {
    await syncClinic(this.#store, count)
  }

  /** How many slots the thread knows; undefined if it does not answer. */
  async total(): Promise<number | undefined> {
    const answer = await fetch(`${this.origin}/v1/scheduling/slots`, {
      headers: { 'x-api-key': this.minted.secret },
    }).catch(() => undefined)
    if (answer?.status !== 200) return undefined
    this.answered++
    return (JSON.parse(await answer.text()) as { total: number }).total
  }

  #mortalEntry(): URL {
    const path = join(this.#killer, '../mortal.mjs')
    const real = new URL('./serving-thread.ts', import.meta.url)
    writeFileSync(
      path,
      `import { existsSync, rmSync } from 'node:fs'
       setInterval(() => {
         if (!existsSync(${JSON.stringify(this.#killer)})) return
         rmSync(${JSON.stringify(this.#killer)})
         process.exit(3)
       }, 20).unref()
       await import(${JSON.stringify(real.href)})`,
    )
    return pathToFileURL(path)
  }
}
