import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkContent } from '../../test/support/slot-index/check-content.ts'
import { openTempStore, slotOf, syncClinic } from '../../test/support/store/temp-store.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { runAtOnce } from '../lib/steps.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { encodeSlot } from '../slot/slot.ts'
import { ContentReceiver } from '../slot-index/content-transfer.ts'
import { IndexBuilder } from '../slot-index/index-builder.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import type { SyncOutcome } from '../store/contracts/sources.ts'
import type { Store } from '../store/contracts/store.ts'
import { StoreFollower } from './follow-store.ts'
import { IndexCheckpoint } from './index-checkpoint.ts'
import type { IndexMessage } from './index-messages.ts'

/** A node that follows a store, with its checkpoint in a folder. */
class Node {
  readonly index = new SlotIndex()
  readonly events: LogEvent[] = []
  readonly messages: IndexMessage[] = []
  readonly builder = new IndexBuilder()
  readonly follower: StoreFollower
  readonly #receiver = new ContentReceiver()
  nowMs = 0

  constructor(store: Store, folder: string) {
    const checkpoint = new IndexCheckpoint(folder, (event) => this.events.push(event))
    this.follower = new StoreFollower(store, {
      builder: this.builder,
      checkpoint,
      now: () => this.nowMs,
      send: async (message) => {
        this.messages.push(message)
        if (message.kind !== 'slots') return
        const content = runAtOnce(this.#receiver.unpack(message.content))
        if (content !== undefined) this.index.show(content)
      },
    })
  }

  /** What all slots are, as an export. */
  get all(): string {
    return this.index.select({ status: 'free', sort: 'start', limit: 100, offset: 0 }, 0).body.toString()
  }
}

async function open(t: TestContext, slots: number) {
  const folder = tempFolder(t)
  const store = await openTempStore(t)
  await store.sources.add({ slug: 'clinic', url: 'https://example.org', strict: false })
  await syncClinic(store, slots)
  const node = new Node(store, folder)
  await node.follower.poll()
  await node.follower.save()
  return { folder, store, node }
}

test('continues with the saved index and catches up by the change log', async (t) => {
  const { folder, store, node } = await open(t, 20)
  const next = new Node(store, folder)
  await next.follower.restore()
  assert.equal(next.index.revision, 0)
  await next.follower.poll()
  assert.equal(next.all, node.all)
  checkContent(next.builder.content)
  await syncClinic(store, 25)
  await next.follower.poll()
  assert.equal(next.index.length, 25)
  // Offerings of the store are known: a slot of a known one is added without loading everything.
  await node.follower.poll()
  assert.equal(next.all, node.all)
  assert.deepEqual(next.events, [])
})

test('writes everything again after its folder was emptied', async (t) => {
  const { folder, store, node } = await open(t, 20)
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  await syncClinic(store, 21)
  await node.follower.poll()
  node.nowMs += 5 * MINUTE_MS
  await node.follower.save()
  const next = new Node(store, folder)
  await next.follower.restore()
  assert.deepEqual(next.events, [])
})

test('keeps the planning horizons', async (t) => {
  const { folder, store, node } = await open(t, 1)
  const [source] = await store.sources.list()
  const writer = await store.snapshots.begin(source?.id ?? 0, { owner: 'test', leaseMs: 60_000 })
  const end = { outcome: source?.lastSync as SyncOutcome, rejections: [], nextSyncAtMs: 0, connectorState: {} }
  await writer?.commit({ ...end, horizons: '[["2030/",["s"]]]' })
  await node.follower.poll()
  node.nowMs += 3_600_000
  await node.follower.save()
  const next = new Node(store, folder)
  await next.follower.restore()
  assert.deepEqual(next.builder.content.horizons, node.builder.content.horizons)
  assert.equal(next.builder.content.horizons.size, 1)
})

test('writes only what is new, and removes what is not used any more', async (t) => {
  const { folder, store, node } = await open(t, 20)
  const before = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))
  await syncClinic(store, 21)
  await node.follower.poll()
  node.nowMs += 3_600_000
  await node.follower.save()
  const after = readdirSync(folder)
  for (const name of after) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  const kept = after.filter((name) => name !== 'manifest.json' && before.has(name))
  assert.ok(kept.length > 0)
  for (const name of kept) assert.deepEqual(readFileSync(join(folder, name)), before.get(name))
  const next = new Node(store, folder)
  await next.follower.restore()
  await next.follower.poll()
  assert.equal(next.all, node.all)
})

test('continues to write only what is new after a restart', async (t) => {
  const { folder, store } = await open(t, 20)
  const names = readdirSync(folder)
  const next = new Node(store, folder)
  await next.follower.restore()
  await syncClinic(store, 21)
  await next.follower.poll()
  await next.follower.save()
  assert.deepEqual(
    names.filter((name) => !readdirSync(folder).includes(name)),
    [],
  )
  const last = new Node(store, folder)
  await last.follower.restore()
  await last.follower.poll()
  assert.equal(last.all, next.all)
})

test('saves the offerings of the state that it was given, whatever is added while it writes', async (t) => {
  const folder = tempFolder(t)
  const offeringOf = (n: number) => ({ publisher: 'clinic', scheduleId: `schedule ${n}`, isVirtual: false })
  const slotIn = (offeringId: number, minutes: number) => {
    const slot = slotOf(offeringId * 100 + minutes)
    const endMs = slot.startMs + minutes * MINUTE_MS
    return { ...slot, endMs, offeringId, json: encodeSlot({ ...slot, end: new Date(endMs).toISOString() }) }
  }
  const builder = new IndexBuilder()
  /** Slots of 15 and of 30 minutes. */
  const add = (ids: number[], whole: boolean) => {
    builder.begin(whole)
    builder.putOfferings(ids.map((id) => ({ id, offering: offeringOf(id) })))
    for (const id of ids) builder.put([slotIn(id, 15), slotIn(id, 30)])
    runAtOnce(builder.commit({ store: 1, revision: ids[0], atMs: 0 }))
  }
  add([10, 11, 12], true)
  const known = { epoch: 1, offeringIds: builder.offeringIds }
  const saving = new IndexCheckpoint(folder, () => assert.fail()).save(builder.content, known)
  add([20, 21], false)
  await saving
  const saved = await new IndexCheckpoint(folder, () => assert.fail()).load(async () => undefined)
  assert.deepEqual(saved?.offeringIds, [10, 10, 11, 11, 12, 12])
  const restored = new IndexBuilder()
  restored.restore(saved.content, saved.offeringIds)
  const { offerings } = restored.content.tables
  assert.deepEqual(
    Array.from({ length: offerings.end }, (_, n) => offerings.offeringOf(n)),
    [10, 10, 11, 11, 12, 12].map(offeringOf),
  )
  assert.deepEqual([...offerings.durations.of.values.slice(0, 6)], [15, 30, 15, 30, 15, 30])
  restored.begin(false)
  restored.put([slotIn(10, 15), slotIn(10, 30), slotIn(11, 45)])
  runAtOnce(restored.commit({ store: 1, revision: 2, atMs: 0 }))
  assert.deepEqual(restored.offeringIds.slice(6), [11])
})

test('sends a restored index only when it has caught up', async (t) => {
  const { folder, store, node } = await open(t, 20)
  await syncClinic(store, 25)
  const next = new Node(store, folder)
  await next.follower.restore()
  await next.follower.sendAll()
  assert.equal(next.index.revision, 0)
  await next.follower.poll()
  await node.follower.poll()
  assert.equal(next.all, node.all)
})

const DAMAGES: Record<string, (path: string) => void> = {
  'a byte is wrong': (path) => {
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1] ^= 1
    writeFileSync(path, bytes)
  },
  'its end is missing': (path) => truncateSync(path, readFileSync(path).length - 1),
  'it is missing': (path) => rmSync(path),
  'it is empty': (path) => truncateSync(path),
}

for (const [damage, apply] of Object.entries(DAMAGES)) {
  test(`loads everything if of any file ${damage}`, async (t) => {
    const { folder, store, node } = await open(t, 20)
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      const whole = readFileSync(path)
      apply(path)
      const next = new Node(store, folder)
      await next.follower.restore()
      if (name !== 'manifest.json' || damage !== 'it is missing')
        assert.deepEqual(
          next.events.map(({ message }) => message),
          ['checkpoint ignored'],
        )
      assert.equal(next.index.revision, 0)
      await next.follower.poll()
      assert.equal(next.all, node.all)
      writeFileSync(path, whole)
    }
  })
}

test('ignores the index of another store, of an older back-up and of another format', async (t) => {
  const { folder, store } = await open(t, 20)
  const other = await openTempStore(t)
  await other.sources.add({ slug: 'clinic', url: 'https://example.org', strict: false })
  await syncClinic(other, 3)
  const foreign = new Node(other, folder)
  await foreign.follower.restore()
  assert.equal(foreign.index.revision, 0)
  await foreign.follower.poll()
  assert.equal(foreign.index.length, 3)
  assert.match(String(foreign.events[0]?.fields?.error), /of another store/)

  const path = join(folder, 'manifest.json')
  const text = readFileSync(path, 'utf8')
  const { crc32 } = await import('node:zlib')
  const changed = text.slice(text.indexOf('\n') + 1).replace(/"format":\d+/, '"format":999')
  writeFileSync(path, `${crc32(changed)}\n${changed}`)
  const newer = new Node(store, folder)
  await newer.follower.restore()
  assert.match(String(newer.events[0]?.fields?.error), /^its format is 999, and this version reads \d+$/)
})

test('goes on without a checkpoint if the folder cannot be written, with one line in the log', async (t) => {
  const { folder, store } = await open(t, 20)
  const node = new Node(store, join(folder, 'manifest.json', 'below-a-file'))
  await node.follower.restore()
  await node.follower.poll()
  await node.follower.save()
  await syncClinic(store, 21)
  await node.follower.poll()
  node.nowMs += 3_600_000
  await node.follower.save()
  assert.deepEqual(
    node.events.map(({ message }) => message),
    ['checkpoint could not be written'],
  )
  assert.equal(node.index.length, 21)
})

test('saves an unchanged index again if it could not be written', async (t) => {
  const { folder, store } = await open(t, 20)
  const blocked = join(folder, 'blocked')
  writeFileSync(blocked, 'a file where a folder is wanted')
  const node = new Node(store, join(blocked, 'checkpoint'))
  await node.follower.poll()
  await node.follower.save()
  rmSync(blocked)
  node.nowMs += 3_600_000
  await node.follower.save()
  const next = new Node(store, join(blocked, 'checkpoint'))
  await next.follower.restore()
  await next.follower.poll()
  assert.deepEqual(next.events, [])
  assert.equal(next.messages.filter(({ kind }) => kind === 'slots').length, 1)
  assert.deepEqual(readdirSync(blocked), ['checkpoint'])
})

test('reads no file of a saved index whose changes since then are not known', async (t) => {
  const { folder, store } = await open(t, 20)
  await syncClinic(store, 10)
  await store.revisionFeed.purge(0, Date.now() + MINUTE_MS)
  for (const name of readdirSync(folder)) if (name.endsWith('.bin')) rmSync(join(folder, name))
  const next = new Node(store, folder)
  await next.follower.restore()
  assert.deepEqual(next.events, [
    {
      level: 'warn',
      message: 'checkpoint ignored',
      fields: { error: 'the changes since it was saved are not known' },
    },
  ])
  await next.follower.poll()
  assert.equal(next.index.length, 10)
})
