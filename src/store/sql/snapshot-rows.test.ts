import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { addSource, begin, draftOf, END, outcomeOf } from '../../../test/support/store/conformance/samples.ts'
import { execute } from '../../../test/support/store/full-store.ts'
import { openTempStore, tempDatabaseUrl } from '../../../test/support/store/temp-store.ts'
import type { SlotDraft, SnapshotWriter, StoredRows } from '../contracts/snapshots.ts'
import type { Store } from '../contracts/store.ts'
import { BLOCK_ROWS } from './row-file.ts'

test('has the same rows in its file as in the store, after any changes', async (t) => {
  const { store, folder } = await largeSource(t)
  const source = { id: 1 }
  const writer = await begin(store, source)
  const { keys } = await writer.readStored()
  await writer.write({
    inserts: drafts(BLOCK_ROWS, 10),
    deletes: [keys[0], keys[7], keys[BLOCK_ROWS - 1]],
    moves: [
      { key: keys[3], part: 9, fingerprint: 99 },
      { key: keys[4], part: 8, fingerprint: 88 },
    ],
  })
  await writer.write({ inserts: drafts(BLOCK_ROWS + 10, 5), deletes: [keys[4]] })
  await commit(writer, 2)
  assert.deepEqual(readdirSync(folder), ['1.rows'])
  const fromFile = await storedRows(store)
  rmSync(folder, { recursive: true })
  assert.deepEqual(fromFile, await storedRows(store))
  assert.equal(fromFile.keys.length, BLOCK_ROWS + 11)
})

test('reads the file instead of the rows', async (t) => {
  const { store, url } = await largeSource(t)
  const before = await storedRows(store)
  await execute(url, 'delete from slots')
  assert.deepEqual(await storedRows(store), before)
})

test('finds slots by id with the file', async (t) => {
  const { store } = await largeSource(t)
  const writer = await begin(store, { id: 1 })
  const found = await writer.findStored([idOf(0), idOf(BLOCK_ROWS - 1), 'absent'])
  assert.deepEqual(found.map(({ id }) => id).sort(), [idOf(0), idOf(BLOCK_ROWS - 1)].sort())
})

test('ignores the file of another commit, and a damaged one', async (t) => {
  const { store, folder, url } = await largeSource(t)
  const before = await storedRows(store)
  await execute(url, `update sources set last_read = json_set(last_read, '$.durationMs', 11)`)
  assert.deepEqual(await storedRows(store), before)
  await execute(url, 'delete from slots where key = 1', 'update sources set slot_count = slot_count - 1')
  assert.equal((await storedRows(store)).keys.length, BLOCK_ROWS - 1)
  writeFileSync(`${folder}/1.rows`, 'damaged')
  assert.equal((await storedRows(store)).keys.length, BLOCK_ROWS - 1)
})

test('ignores the file of another format', async (t) => {
  const { store, folder, url } = await largeSource(t)
  const file = readFileSync(`${folder}/1.rows`)
  const end = file.length - 4
  const begin = end - file.readUInt32LE(end)
  const trailer = JSON.parse(file.toString('utf8', begin, end))
  const token = JSON.stringify(JSON.parse(trailer.token).slice(-3))
  const other = Buffer.from(JSON.stringify({ ...trailer, token }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(other.length)
  writeFileSync(`${folder}/1.rows`, Buffer.concat([file.subarray(0, begin), other, length]))
  await execute(url, 'delete from slots')
  assert.equal((await storedRows(store)).keys.length, 0)
})

test('removes the files of removed sources', async (t) => {
  const { store, folder } = await largeSource(t)
  await store.revisionFeed.purge(0, Date.now())
  assert.deepEqual(readdirSync(folder), ['1.rows'])
  await store.sources.remove('a')
  await store.revisionFeed.purge(0, Date.now())
  assert.deepEqual(readdirSync(folder), [])
})

test('removes what an abandoned or discarded sync wrote', async (t) => {
  const { store, folder } = await largeSource(t)
  const writer = await begin(store, { id: 1 })
  await writer.readStored()
  await writer.write({ inserts: drafts(BLOCK_ROWS, BLOCK_ROWS) })
  assert.equal(readdirSync(folder).length, 2)
  await writer.discard()
  assert.deepEqual(readdirSync(folder), ['1.rows'])
  await writer.write({ inserts: drafts(BLOCK_ROWS, BLOCK_ROWS) })
  await writer.abandon({ ...END, outcome: outcomeOf({ outcome: 'failed', error: 'x' }) })
  assert.deepEqual(readdirSync(folder), ['1.rows'])
})

test('has no file of a small source', async (t) => {
  const { store, folder } = await temporary(t)
  const writer = await begin(store, await addSource(store))
  await writer.readStored()
  await writer.write({ inserts: drafts(0, 10) })
  await commit(writer, 1)
  assert.throws(() => readdirSync(folder), { code: 'ENOENT' })
})

async function temporary(t: TestContext): Promise<{ store: Store; url: string; folder: string }> {
  const url = tempDatabaseUrl()
  return { store: await openTempStore(t, Date.now, url), url, folder: `${url.slice('sqlite:'.length)}-rows` }
}

/** A source, the first, with as many slots as a block has rows. */
async function largeSource(t: TestContext): ReturnType<typeof temporary> {
  const opened = await temporary(t)
  const writer = await begin(opened.store, await addSource(opened.store))
  await writer.readStored()
  await writer.write({ inserts: drafts(0, BLOCK_ROWS) })
  await commit(writer, 1)
  assert.deepEqual(readdirSync(opened.folder), ['1.rows'])
  return opened
}

function drafts(first: number, count: number): SlotDraft[] {
  return Array.from({ length: count }, (_, at) => draftOf(idOf(first + at), { part: at % 3, fingerprint: first + at }))
}

function idOf(n: number): string {
  return String(n).padStart(24, '0')
}

async function commit(writer: SnapshotWriter, read: number): Promise<void> {
  await writer.commit({ ...END, outcome: outcomeOf({ read }), connectorState: {} })
}

async function storedRows(store: Store): Promise<Pick<StoredRows, 'keys' | 'fingerprints' | 'parts' | 'ends'>> {
  const writer = await begin(store, { id: 1 })
  const { keys, fingerprints, parts, ends } = await writer.readStored()
  await writer.abandon({ ...END, outcome: outcomeOf({ outcome: 'failed', error: 'read only' }) })
  return { keys, fingerprints, parts, ends }
}
