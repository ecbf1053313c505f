import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { eventually } from '../../test/support/eventually.ts'
import { freePort } from '../../test/support/free-port.ts'
import { openTempStore, syncClinic, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { type MintedKey, mintApiKey } from '../keys/mint-key.ts'
import { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import type { Store } from '../store/contracts/store.ts'
import { ServingThreads } from './serving-threads.ts'
import { startFollowing } from './start-following.ts'

test('a thread that dies is started anew, told everything, and listens again', async (t) => {
  const bed = await Bed.start(t, 200)
  assert.equal(await bed.total(), 200)
  bed.kill()
  await eventually(() => bed.events.some(({ message }) => message === 'thread died'))
  assert.equal(bed.serving.isReady(), true)
  assert.equal(bed.followed.index.length, 200)
  await eventually(async () => (await bed.total()) === 200)
  await bed.publish(300)
  await eventually(async () => (await bed.total()) === 300)
  assert.equal(bed.followed.index.length, 300)
  assert.equal(bed.events.filter(({ level }) => level === 'error').length, 1)
})

test('a revocation does not wait for a thread that is away', async (t) => {
  const bed = await Bed.start(t, 1)
  bed.kill()
  await eventually(() => bed.events.some(({ message }) => message === 'thread died'))
  const applied = bed.serving.applyKeys([{ ...bed.minted.key, revokedAtMs: Date.now() }])
  assert.equal(await Promise.race([applied, sleep(10_000, 'too late', { ref: false })]), undefined)
})

test('whether the node is ready, the main thread says, through whichever thread is asked', async (t) => {
  const bed = await Bed.start(t, 1)
  const answers = await Promise.all(
    ['/readyz', '/readyz?verbose', '/livez'].map((path) => fetch(bed.origin + path)),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204, 200],
  )
  assert.deepEqual(bed.asked, ['/readyz', '/readyz?verbose'])
})

test('a node that is about to end answers, and asks callers to connect anew', async (t) => {
  const bed = await Bed.start(t, 1)
  const headers = { 'x-api-key': bed.minted.secret }
  const ask = async () => (await fetch(`${bed.origin}/v1/scheduling/slots`, { headers })).headers
  assert.equal((await ask()).get('connection'), 'keep-alive')
  bed.serving.drain()
  await eventually(async () => (await ask()).get('connection') === 'close')
})

test('what a thread counted is in the meter of the main thread when it has ended', async (t) => {
  const bed = await Bed.start(t, 1)
  for (let n = 0; n < 25; n++) await bed.total()
  assert.ok(bed.answered > 25)
  await bed.serving.stop()
  const batch = bed.meter.drain()
  assert.equal(
    batch?.requests.reduce((sum, { count }) => sum + count, 0),
    bed.answered,
  )
  assert.equal(batch?.recent.length, bed.answered)
})

/** One serving thread beside a main thread that does not listen itself, over a store that is followed. */
class Bed {
  readonly events: LogEvent[] = []
  readonly followed = { index: new SlotIndex(), keyRing: new KeyRing(), now: Date.now }
  readonly meter = new UsageMeter()
  readonly asked: string[] = []
  readonly minted: MintedKey
  /** How many requests with the key were answered. */
  answered = 0
  readonly serving: ServingThreads
  readonly #following: ReturnType<typeof startFollowing>
  readonly #store: Store
  readonly #port: number
  readonly #killer = join(mkdtempSync(join(tmpdir(), 'serving-thread-test-')), 'die')

  private constructor(store: Store, { url, minted, port }: { url: string; minted: MintedKey; port: number }) {
    this.#store = store
    this.#port = port
    this.minted = minted
    this.serving = new ServingThreads({
      entry: this.#mortalEntry(),
      count: 1,
      options: {
        host: '127.0.0.1',
        baseUrl: 'http://localhost',
        dashboardUrl: 'http://localhost/',
        docsUrl: 'http://localhost/docs',
        trustedProxies: 0,
        uploadBytesMax: 1_000_000,
        siteFolder: '/nonexistent',
      },
      keyRing: this.followed.keyRing,
      meter: this.meter,
      ask: ({ target }, settle) => {
        this.asked.push(target)
        settle({ status: 204, headers: [], body: new Uint8Array() })
      },
      startOver: () => this.#following.startOver(),
      onEvent: (event) => this.events.push(event),
    })
    const mirrored = { ...this.followed, mirrors: this.serving.mirrors }
    this.#following = startFollowing(mirrored, { databaseUrl: url }, (event) => this.events.push(event))
  }

  static async start(t: TestContext, slots: number): Promise<Bed> {
    const url = tempDatabaseUrl()
    const store = await openTempStore(t, Date.now, url)
    const { id: organizationId } = await store.organizations.create('Acme')
    const minted = mintApiKey({ organizationId, name: 'web' }, Date.now())
    await store.keys.put(minted.key)
    await store.sources.add({ slug: 'clinic', url: 'https://clinic.test/', strict: false })
    const bed = new Bed(store, { url, minted, port: await freePort() })
    t.after(async () => {
      await bed.#following.stop()
      await bed.serving.stop()
      rmSync(join(bed.#killer, '..'), { recursive: true })
    })
    await bed.publish(slots)
    void bed.serving.listen(bed.#port, bed.#following.loaded)
    await eventually(async () => (await bed.total()) === slots)
    return bed
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
