import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { SnapshotWriter } from '../../../../src/store/contracts/snapshots.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, type StoreHarness, scaled } from './harness.ts'
import { addSource, apply, begin, draftOf, END, keysOf, LEASE, living } from './samples.ts'

const IDS = ['a', 'b', 'c', 'd', 'e', 'f']
const SLUGS = ['one', 'two']

/** `put` upserts slots as a sync does, `delete` removes them, `leave` simulates a process that disappears during a sync. */
type Step =
  | { do: 'put' | 'delete'; slug: string; ids: string[]; value: number }
  | { do: 'commit' | 'abandon' | 'leave' | 'remove'; slug: string }
  | { do: 'purge' }
  | { do: 'follow' }

const slug = fc.constantFrom(...SLUGS)
const ids = fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1 })

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('put' as const, 'delete' as const),
      slug,
      ids,
      value: fc.nat(3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('commit' as const), slug }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('abandon' as const, 'leave' as const, 'remove' as const),
      slug,
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'purge' as const }, { do: 'follow' as const }) },
)

/** Any sequence of syncs, removals and purges, compared with maps in memory. */
export const MODEL_GUARANTEES: Guarantees = {
  'equals a model of maps after any sequence of steps, read whole and incrementally': async (harness) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const model = new Model(harness)
        for (const each of steps) await model.take(each)
        await model.end()
      }),
      { numRuns: scaled(60) },
    )
  },
}

/** The reference implementation: a committed and a draft map per source. */
class Model {
  readonly #store: Store
  readonly #clock: { nowMs: number }
  readonly #committed = new Map<string, Map<string, string>>()
  readonly #drafts = new Map<string, { writer: SnapshotWriter; slots: Map<string, string> }>()
  #follower: { revision: number | undefined; slots: Map<string, string> } = {
    revision: undefined,
    slots: new Map(),
  }

  constructor(harness: StoreHarness) {
    this.#store = harness.store
    this.#clock = harness.clock
  }

  async take(step: Step): Promise<void> {
    this.#clock.nowMs += 1_000
    if (step.do === 'follow') await this.#follow()
    else if (step.do === 'purge') await this.#store.revisionFeed.purge(5_000, this.#clock.nowMs)
    else if (step.do === 'put' || step.do === 'delete') await this.#write(step)
    else await this.#finish(step.do, step.slug)
    assert.deepEqual(sorted(await living(this.#store)), sorted(this.#expected()))
  }

  /** Empties the store for the next run. */
  async end(): Promise<void> {
    await this.#follow()
    for (const slug of SLUGS) await this.#finish('remove', slug)
    await this.#follow()
    await this.#store.revisionFeed.purge(0, this.#clock.nowMs)
    assert.equal((await living(this.#store)).size, 0)
  }

  async #write(step: { do: 'put' | 'delete'; slug: string; ids: string[]; value: number }): Promise<void> {
    const { writer, slots } = await this.#draft(step.slug)
    // As in the service, sources never share an id: it contains a hash of the source.
    const wanted = step.ids.map((id) => `${step.slug}-${id}`)
    const json = `{"v":${step.value}`
    const inserted = step.do === 'put' ? wanted.filter((id) => slots.get(id) !== json) : []
    const deleted = step.do === 'put' ? inserted : wanted
    await writer.write({
      deletes: await keysOf(writer, deleted),
      inserts: inserted.map((id) => draftOf(id, { json })),
    })
    for (const id of deleted) slots.delete(id)
    for (const id of inserted) slots.set(id, json)
    const found = await writer.findStored(IDS.map((id) => `${step.slug}-${id}`))
    assert.deepEqual(sorted(new Map(found.map((slot) => [slot.id, slot.json]))), sorted(slots))
  }

  async #draft(slug: string): Promise<{ writer: SnapshotWriter; slots: Map<string, string> }> {
    const known = this.#drafts.get(slug)
    if (known !== undefined) return known
    const source = (await this.#store.sources.find(slug)) ?? (await addSource(this.#store, slug))
    const committed = this.#committed.get(slug) ?? new Map<string, string>()
    const draft = { writer: await begin(this.#store, source, LEASE), slots: new Map(committed) }
    assert.equal((await draft.writer.readStored()).keys.length, committed.size)
    assert.equal(draft.writer.source.slotCount, committed.size)
    this.#drafts.set(slug, draft)
    return draft
  }

  async #finish(how: 'commit' | 'abandon' | 'leave' | 'remove', slug: string): Promise<void> {
    const draft = this.#drafts.get(slug)
    this.#drafts.delete(slug)
    if (how === 'remove') {
      await this.#store.sources.remove(slug)
      this.#committed.delete(slug)
    } else if (how === 'commit' && draft !== undefined) {
      await draft.writer.commit({ ...END, connectorState: {} })
      this.#committed.set(slug, draft.slots)
    } else if (how === 'abandon') {
      await draft?.writer.abandon(END)
    }
  }

  async #follow(): Promise<void> {
    const changes = await this.#store.revisionFeed.open(this.#follower.revision)
    try {
      this.#follower = { revision: changes.revision, slots: await apply(changes, this.#follower.slots) }
    } finally {
      await changes.close()
    }
    assert.deepEqual(sorted(this.#follower.slots), sorted(this.#expected()))
  }

  #expected(): Map<string, string> {
    return new Map([...this.#committed.values()].flatMap((slots) => [...slots]))
  }
}

function sorted(slots: ReadonlyMap<string, string>): [string, string][] {
  return [...slots].sort(([a], [b]) => (a < b ? -1 : 1))
}
