import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { PostgresServer } from '../../../test/postgres/postgres-server.ts'
import { openStore } from '../open-store.ts'
import { LeaseLost, type SlotDraft, type SnapshotWriter, type Store, type SyncEnd } from '../store.ts'

const server = await PostgresServer.start()
after(() => server[Symbol.asyncDispose]())
// What is committed without waiting stays in the server's memory, until somebody does wait.
await server.command(`alter system set wal_writer_delay = '10s'`)
await server.command('select pg_reload_conf()')

test('a sync does not go on once the server has lost what it wrote before', async (t) => {
  const { writer } = await beginSync(t)
  await writer.write({ born: [draft(1)] })
  await crash()
  await assert.rejects(writer.write({ born: [draft(2)] }), LeaseLost)
  await assert.rejects(writer.commit(END), LeaseLost)
})

test('a sync does not go on once the server has lost an offering that it was told of', async (t) => {
  const { writer } = await beginSync(t)
  await writer.write({})
  await flush()
  await writer.putOfferings([{ publisher: 'clinic', scheduleId: 'one', isVirtual: false }])
  await crash()
  await assert.rejects(writer.commit(END), LeaseLost)
})

test('a sync that lost what it wrote is noted as failed, and nothing of it is left', async (t) => {
  const { store, writer } = await beginSync(t)
  await flush()
  await writer.write({ born: [draft(1)] })
  await crash()
  await assert.rejects(writer.write({}), LeaseLost)
  await writer.abandon({ ...END, outcome: { ...END.outcome, outcome: 'failed', error: 'lost' } })
  assert.equal((await store.sources.find('clinic'))?.lastSync?.error, 'lost')
  assert.deepEqual(await store.changes.revisions(), { history: 1, slots: 0, keys: 0 })
})

test('a sync goes on where the server crashed and lost nothing', async (t) => {
  const { store, writer } = await beginSync(t)
  await writer.write({ born: [draft(1)] })
  await flush()
  await crash()
  await writer.write({ born: [draft(2)] })
  await writer.commit(END)
  assert.equal((await store.sources.find('clinic'))?.slotCount, 2)
})

test('a revision that anybody may have seen survives a crash', async (t) => {
  const { store, writer } = await beginSync(t)
  await writer.write({ born: [draft(1)] })
  const revision = await writer.commit(END)
  await crash()
  assert.equal((await store.changes.revisions()).slots, revision)
})

const END: SyncEnd & { memory: unknown } = {
  outcome: {
    outcome: 'ok',
    startedAtMs: 0,
    durationMs: 0,
    read: 0,
    added: 0,
    changed: 0,
    removed: 0,
    rejected: 0,
    withheld: 0,
    unchanged: false,
  },
  rejections: [],
  nextSyncAtMs: 0,
  memory: undefined,
}

async function beginSync(t: TestContext): Promise<{ store: Store; writer: SnapshotWriter }> {
  const store = await openStore(await server.createDatabase())
  t.after(() => store.close())
  const { id } = await store.sources.add({ slug: 'clinic', url: 'https://example.org', strict: false })
  const writer = await store.snapshots.begin(id, { owner: 'test', leaseMs: 60_000 })
  if (writer === undefined) throw new Error('Cannot go on: nobody else must hold the lease')
  return { store, writer }
}

function draft(n: number): SlotDraft {
  return {
    id: `slot-${n}`,
    offeringId: 1,
    status: 'free',
    startMs: n,
    endMs: n + 1,
    json: '{',
    part: 1,
    fingerprint: n,
  }
}

/** Whoever waits for the disk has all that was committed before it there as well. */
async function flush(): Promise<void> {
  await server.command('create table if not exists flushed (); drop table flushed')
}

async function crash(): Promise<void> {
  await server.kill('SIGQUIT')
  await server.resume()
}
