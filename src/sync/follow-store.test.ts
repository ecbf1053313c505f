import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { openTempStore, syncClinic } from '../../test/support/store/temp-store.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import { IndexBuilder } from '../slot-index/index-builder.ts'
import type { Store } from '../store/contracts/store.ts'
import { StoreFollower } from './follow-store.ts'
import type { IndexMessage } from './index-messages.ts'

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
