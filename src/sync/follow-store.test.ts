import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { connectorOfSlots, openTempStore, slotOf, syncClinic, syncParts } from '../../test/support/store/temp-store.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import type { Slot } from '../slot/slot.ts'
import { IndexBuilder } from '../slot-index/index-builder.ts'
import type { Store } from '../store/contracts/store.ts'
import { StoreFollower } from './follow-store.ts'
import { IndexCheckpoint } from './index-checkpoint.ts'
import type { IndexMessage } from './index-messages.ts'
import { syncSource } from './sync-source.ts'

test('sends a key while a change of slots waits', async (t) => {
  const store = await openTempStore(t)
  await syncSlots(store, 3)
  const organization = await store.organizations.create('Clinic watchers')
  const told = new Told()
  const follower = followerOf(store, told)

  told.isFull = true
  const polled = follower.poll()
  await told.until(({ kind }) => kind === 'slots')
  const { key } = mintApiKey({ organizationId: organization.id, name: 'default' }, 1)
  await store.keys.put(key)
  await told.until((message) => message.kind === 'keys' && message.keys.some(({ id }) => id === key.id))
  await store.keys.revoke(key.id, { atMs: 2 })
  await told.until((message) => message.kind === 'keys' && message.keys[0]?.revokedAtMs === 2)
  assert.equal(told.messages.at(-1)?.kind, 'keys')

  told.makeRoom()
  await polled
  assert.equal(follower.keys, (await store.revisionFeed.revisions()).keys)
})

test('sends a key while merged runs wait', async (t) => {
  const store = await openTempStore(t)
  await syncSlots(store, 3)
  const organization = await store.organizations.create('Clinic watchers')
  const told = new Told()
  const states = () => told.messages.filter(({ kind }) => kind === 'slots').length
  const send = (message: IndexMessage) => {
    // All slots, a change, and what its run is merged into.
    told.isFull = states() === 2
    return told.send(message)
  }
  const builder = new IndexBuilder({ zeroRowsMin: 1, zeroShare: 0 })
  const follower = new StoreFollower(store, { builder, send })
  await follower.poll()
  await syncClinic(store, 6)
  const polled = follower.poll()
  await eventually(() => states() === 3)
  const { key } = mintApiKey({ organizationId: organization.id, name: 'default' }, 1)
  await store.keys.put(key)
  await told.until((message) => message.kind === 'keys' && message.keys.some(({ id }) => id === key.id))
  told.makeRoom()
  await polled
})

test('sends nothing of an epoch that began between two queries', async (t) => {
  const store = await openTempStore(t)
  await syncSlots(store, 3)
  const told = new Told()
  // The first answer still came from the primary that is no more.
  let epoch = 7
  const revisions = async () => ({ ...(await store.revisionFeed.revisions()), epoch: epoch-- })
  const changes = new Proxy(store.revisionFeed, {
    get: (feed, name) => (name === 'revisions' ? revisions : Reflect.get(feed, name).bind(feed)),
  })
  const follower = followerOf({ ...store, revisionFeed: changes }, told)
  await follower.poll()
  assert.ok(told.messages.every(({ kind }) => kind === 'keys'))
  epoch = (await store.revisionFeed.revisions()).epoch
  await follower.poll()
  assert.equal(told.messages.at(-1)?.kind, 'slots')
})

test('saves no index that lacks slots because memory is full', async (t) => {
  const store = await openTempStore(t)
  await syncSlots(store, 3)
  const saved: (string | undefined)[] = []
  for (const isFull of [true, false]) {
    const folder = tempFolder(t)
    const checkpoint = new IndexCheckpoint(folder, ({ message }) => assert.fail(message))
    const builder = new IndexBuilder()
    const follower = new StoreFollower(store, {
      builder,
      send: new Told().send,
      checkpoint,
      isFull: async () => isFull,
    })
    await follower.poll()
    await follower.save()
    assert.equal(builder.content.missing, isFull ? 3 : 0)
    saved.push(readdirSync(folder)[0])
  }
  assert.equal(saved[0], undefined)
  assert.ok(saved[1])
})

test('loads everything again once most offerings in memory have no slots', async (t) => {
  const store = await openTempStore(t)
  await syncSlots(store, 0)
  const publish = (from: number, to: number) => {
    const connector = connectorOfSlots(() => numbersFrom(from, to).map(slotOfOwn))
    return syncSource(syncParts(store, connector), 'clinic')
  }
  const builder = new IndexBuilder({ zeroRowsMin: 0, zeroShare: 0, goneShareMax: 0, unusedOfferingsMax: 2 })
  const follower = new StoreFollower(store, { builder, send: new Told().send })
  const offerings = () => builder.content.tables.offerings.end
  await publish(0, 6)
  while (await follower.poll());
  assert.equal(offerings(), 6)
  await publish(5, 8)
  while (await follower.poll());
  assert.equal(offerings(), 3)
})

function numbersFrom(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n)
}

/** A slot with an offering of its own. */
function slotOfOwn(n: number): Slot {
  return slotOf(n, { offering: { publisher: 'clinic', scheduleId: `s${n}`, isVirtual: false } })
}

/** What was told, by a way that can be full. */
class Told {
  readonly messages: IndexMessage[] = []
  isFull = false
  #makeRoom = Promise.withResolvers<void>()

  readonly send = async (message: IndexMessage): Promise<void> => {
    this.messages.push(message)
    if (this.isFull && message.kind !== 'keys') await this.#makeRoom.promise
  }

  makeRoom(): void {
    this.isFull = false
    this.#makeRoom.resolve()
  }

  async until(isIt: (message: IndexMessage) => boolean): Promise<void> {
    await eventually(() => this.messages.some(isIt))
  }
}

function followerOf(store: Store, { send }: Told): StoreFollower {
  return new StoreFollower(store, { builder: new IndexBuilder(), send })
}

async function syncSlots(store: Store, count: number): Promise<void> {
  await store.sources.add({ slug: 'clinic', url: 'https://example.org', strict: false })
  await syncClinic(store, count)
}
