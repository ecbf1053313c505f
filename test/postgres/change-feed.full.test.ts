import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { mintApiKey } from '../../src/keys/mint-key.ts'
import type { SlotDraft } from '../../src/store/contracts/snapshots.ts'
import type { Store } from '../../src/store/contracts/store.ts'
import { openStore } from '../../src/store/open-store.ts'
import { outcomeOf } from '../support/store/conformance/samples.ts'
import { sharedPostgres } from './shared-postgres.ts'

const WRITERS = 4
const SYNCS = 40
/** A sync writes them in separate transactions, which interleave with those of other writers. */
const SLOTS_PER_SYNC = 3

// This file is also the program of a writer, whose arguments are the store, its number and the organization.
const [databaseUrl, number, organization] = process.argv.slice(2)
if (databaseUrl !== undefined) await write(databaseUrl, Number(number), organization)
else {
  test('a reader sees each commit of concurrent writers once, complete and in order', readWhileWritten)
}

async function readWhileWritten(t: TestContext): Promise<void> {
  await using server = await sharedPostgres()
  const url = await server.createDatabase()
  const store = await openStore(url)
  await using _ = { [Symbol.asyncDispose]: () => store.close() }
  const { id } = await store.organizations.create('Writers')
  const writers = Array.from({ length: WRITERS }, (_, at) => startWriter(t, url, at, id))
  const ended = Promise.all(writers.map((writer) => once(writer, 'exit')))
  let isOver = false
  void ended.then(() => {
    isOver = true
  })

  const reader = new Reader(store)
  for (;;) {
    const isLast = isOver
    await reader.poll()
    if (isLast) break
    await sleep(Math.random() * 20)
  }

  for (const [code] of await ended) assert.equal(code, 0)
  const all = Array.from({ length: SYNCS }, (_, sync) => sync)
  for (let at = 0; at < WRITERS; at++) {
    assert.deepEqual(reader.syncs.get(at), all, `syncs of writer ${at}`)
    assert.deepEqual([...new Set(reader.keys.get(at))], all, `keys of writer ${at}`)
  }
  assert.ok(reader.changes > 3, 'the reader saw too few changes to overlap with the writers')
  t.diagnostic(`${WRITERS * SYNCS} commits of ${WRITERS} processes were seen in ${reader.changes} changes`)
}

/** Tails the store as a node does and checks each change. */
class Reader {
  /** By writer, the syncs and the keys in the order in which they were seen. */
  readonly syncs = new Map<number, number[]>()
  readonly keys = new Map<number, number[]>()
  changes = 0
  readonly #store: Store
  #slots: number | undefined
  #keys = 0

  constructor(store: Store) {
    this.#store = store
  }

  async poll(): Promise<void> {
    const { keys, revision } = await this.#store.keys.changedSince(this.#keys)
    assert.ok(revision >= this.#keys)
    this.#keys = revision
    for (const { name } of keys) note(this.keys, name)
    const { slots } = await this.#store.revisionFeed.revisions()
    if (slots !== this.#slots) await this.#read()
  }

  async #read(): Promise<void> {
    const changes = await this.#store.revisionFeed.open(this.#slots)
    try {
      assert.equal(changes.whole, this.#slots === undefined)
      const slots: string[] = []
      for await (const piece of changes.inserted()) slots.push(...piece.map(({ id }) => id))
      for await (const piece of changes.deleted()) assert.fail(`nothing was deleted: got ${piece.length}`)
      const seen = Map.groupBy(slots, (id) => id.slice(0, id.lastIndexOf('-')))
      for (const [sync, ids] of seen) assert.equal(ids.length, SLOTS_PER_SYNC, `half of sync ${sync}`)
      assert.equal(seen.size, changes.revision - (this.#slots ?? 0), 'one sync for each revision')
      const inOrder = [...seen.keys()].sort((a, b) => Number(a.split('-')[1]) - Number(b.split('-')[1]))
      for (const sync of inOrder) note(this.syncs, sync)
      this.#slots = changes.revision
      this.changes++
    } finally {
      await changes.close()
    }
  }
}

/** "2-17" is the seventeenth sync of writer two. */
function note(seen: Map<number, number[]>, name: string): void {
  const [writer, number] = name.split('-').map(Number)
  seen.set(writer, [...(seen.get(writer) ?? []), number])
}

function startWriter(t: TestContext, url: string, at: number, organizationId: string): ChildProcess {
  const writer = fork(import.meta.filename, [url, String(at), organizationId])
  t.after(() => writer.kill('SIGKILL'))
  return writer
}

/** The child: one sync and one key after the other. */
async function write(url: string, at: number, organizationId: string): Promise<void> {
  const store = await openStore(url)
  const { id: sourceId } = await store.sources.add({
    slug: `writer-${at}`,
    url: 'https://example.org',
    strict: false,
  })
  for (let sync = 0; sync < SYNCS; sync++) {
    const writer = await store.snapshots.begin(sourceId, { owner: 'writer', leaseMs: 60_000 })
    if (writer === undefined) throw new Error('Cannot begin the sync: another owner holds the lease')
    for (let slot = 0; slot < SLOTS_PER_SYNC; slot++) {
      await writer.write({ inserts: [draft(`${at}-${sync}-${slot}`)] })
      await sleep(Math.random() * 4)
    }
    const { key } = mintApiKey({ organizationId, name: `${at}-${sync}` }, 1)
    const outcome = outcomeOf({ added: SLOTS_PER_SYNC })
    await Promise.all([
      store.keys.put(key),
      writer.commit({ outcome, rejections: [], nextSyncAtMs: 0, connectorState: undefined }),
    ])
  }
  await store.close()
  process.disconnect?.()
}

function draft(id: string): SlotDraft {
  return { id, offeringId: 1, status: 'free', startMs: 1, endMs: 2, json: '{', part: 1, fingerprint: 1 }
}
