import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../test/postgres/shared-postgres.ts'
import { eventually } from '../../test/support/eventually.ts'
import { syncClinic, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import { DeliveryService } from '../../test/support/subscriptions/delivery-service.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { openStore, sqlitePath } from '../store/open-store.ts'
import { FollowWorker } from './follow-worker.ts'

test('applies keys and slots, and everything again if the thread is replaced', async (t) => {
  await using server = await sharedPostgres()
  const url = await server.createDatabase()
  const store = await openStore(url)
  t.after(() => store.close())
  await store.sources.add({ slug: 'clinic', url: 'https://example.org', strict: false })
  await syncClinic(store, 3)
  const { id } = await store.organizations.create('Clinic watchers')

  const followed = { index: new SlotIndex(), keyRing: new KeyRing() }
  const following = new FollowWorker(followed, { databaseUrl: url }, () => undefined)
  t.after(() => following.stop())
  await following.loaded
  assert.equal(followed.index.length, 3)
  const { secret, key } = mintApiKey({ organizationId: id, name: 'default' }, 0)
  await store.keys.put(key)
  await eventually(() => followed.keyRing.find(secret, 1) !== undefined)
  const isSuspended = () => followed.keyRing.find(secret, 1)?.isSuspended
  await store.organizations.suspend(id, 'Unknown networks', COMMAND_LINE)
  await eventually(() => isSuspended() === true)
  await store.organizations.resume(id, COMMAND_LINE)
  await eventually(() => isSuspended() === false)
  following.startOver()
  await store.keys.revoke(key.id, { atMs: 1 })
  await eventually(() => followed.keyRing.find(secret, 2) === undefined)
  await syncClinic(store, 5)
  await eventually(() => followed.index.length === 5)
  assert.equal(following.isReady(), true)
})

test('serves although the revocation log lacks an entry and cannot be written', async (t) => {
  const databaseUrl = tempDatabaseUrl()
  const store = await openStore(databaseUrl)
  t.after(() => store.close())
  const { id } = await store.organizations.create('Clinic watchers')
  await store.organizations.suspend(id, 'Unknown networks', COMMAND_LINE)
  const events: string[] = []
  const following = new FollowWorker(
    { index: new SlotIndex(), keyRing: new KeyRing() },
    { databaseUrl, revocationLog: `${sqlitePath(databaseUrl)}/is-no-folder` },
    ({ message }) => events.push(message),
  )
  t.after(() => following.stop())
  await following.loaded
  assert.deepEqual(events, ['revocation log could not be completed'])
})

test('reports the first subscription, also while nothing else is committed, and an existing one', async (t) => {
  await using server = await sharedPostgres()
  for (const databaseUrl of [tempDatabaseUrl(), await server.createDatabase()]) {
    const service = await DeliveryService.open(t, databaseUrl)
    const follow = () => {
      const following = new FollowWorker({ index: new SlotIndex(), keyRing: new KeyRing() }, { databaseUrl }, () => {})
      t.after(() => following.stop())
      return following
    }
    const following = follow()
    let isTold = false
    void following.subscribed.then(() => {
      isTold = true
    })
    await following.loaded
    assert.equal(isTold, false)
    await service.subscribe('https://receiver.example/')
    await following.subscribed
    await follow().subscribed
  }
})
