import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { PostgresServer } from '../../../test/postgres/postgres-server.ts'
import { addSource, begin, draftOf, END as ENDED, outcomeOf } from '../../../test/support/store/conformance/samples.ts'
import type { SnapshotWriter } from '../contracts/snapshots.ts'
import { LeaseLost, type Store } from '../contracts/store.ts'
import { openStore } from '../open-store.ts'

const server = await PostgresServer.start()
after(() => server[Symbol.asyncDispose]())
// Asynchronous commits stay in the server's memory until a synchronous one.
await server.command(`alter system set wal_writer_delay = '10s'`)
await server.command('select pg_reload_conf()')

const END = { ...ENDED, connectorState: undefined }

test('ends a sync whose earlier writes the server has lost', async (t) => {
  const { writer } = await beginSync(t)
  await writer.write({ inserts: [draftOf('slot-1')] })
  await crash()
  await assert.rejects(writer.write({ inserts: [draftOf('slot-2')] }), LeaseLost)
  await assert.rejects(writer.commit(END), LeaseLost)
})

test('ends a sync that has an offering which the server has lost', async (t) => {
  const { writer } = await beginSync(t)
  await writer.write({})
  await flush()
  await writer.putOfferings([{ publisher: 'clinic', scheduleId: 'one', isVirtual: false }])
  await crash()
  await assert.rejects(writer.commit(END), LeaseLost)
})

test('records a sync with lost writes as failed, and leaves nothing of it', async (t) => {
  const { store, writer } = await beginSync(t)
  await flush()
  await writer.write({ inserts: [draftOf('slot-1')] })
  await crash()
  await assert.rejects(writer.write({}), LeaseLost)
  await writer.abandon({ ...END, outcome: outcomeOf({ outcome: 'failed', error: 'lost' }) })
  assert.equal((await store.sources.find('a'))?.lastSync?.error, 'lost')
  assert.deepEqual(await store.revisionFeed.revisions(), { epoch: 1, slots: 0, keys: 0, subscriptions: 0 })
})

test('continues a sync after a crash that lost nothing', async (t) => {
  const { store, writer } = await beginSync(t)
  await writer.write({ inserts: [draftOf('slot-1')] })
  await flush()
  await crash()
  await writer.write({ inserts: [draftOf('slot-2')] })
  await writer.commit(END)
  assert.equal((await store.sources.find('a'))?.slotCount, 2)
})

test('keeps a committed revision after a crash', async (t) => {
  const { store, writer } = await beginSync(t)
  await writer.write({ inserts: [draftOf('slot-1')] })
  const revision = await writer.commit(END)
  await crash()
  assert.equal((await store.revisionFeed.revisions()).slots, revision)
})

async function beginSync(t: TestContext): Promise<{ store: Store; writer: SnapshotWriter }> {
  const store = await openStore(await server.createDatabase())
  t.after(() => store.close())
  const writer = await begin(store, await addSource(store))
  return { store, writer }
}

/** A synchronous commit writes all earlier ones to disk. */
async function flush(): Promise<void> {
  await server.command('create table if not exists flushed (); drop table flushed')
}

async function crash(): Promise<void> {
  await server.kill('SIGQUIT')
  await server.resume()
}
