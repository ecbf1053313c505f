import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Revision } from '../../../../src/slot/revision.ts'
import type { ChangeLogEntry } from '../../../../src/store/contracts/change-log.ts'
import type { SnapshotWriter } from '../../../../src/store/contracts/snapshots.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, type StoreHarness, scaled } from './harness.ts'
import { addSource, apply, begin, draftOf, END, LEASE, living } from './samples.ts'

const SLUGS = ['one', 'two']
const RETENTION_MS = 8_000

/** `put` and `delete` write; `apart` deletes and inserts in two writes; `leave` simulates a process that disappears during a sync. */
type Step =
  | { do: 'put' | 'delete' | 'apart'; slug: string; ids: string[]; value: number }
  | { do: 'commit' | 'abandon' | 'leave' | 'remove'; slug: string }
  | { do: 'purge' }
  | { do: 'read'; rowsMax: number }

const slug = fc.constantFrom(...SLUGS)
const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1 })
const written = fc.constantFrom('put' as const, 'put' as const, 'delete' as const, 'apart' as const)
const ended = fc.constantFrom('abandon' as const, 'leave' as const, 'remove' as const)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: written, slug, ids, value: fc.nat(3) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('commit' as const), slug }) },
  { weight: 1, arbitrary: fc.record({ do: ended, slug }) },
  { weight: 1, arbitrary: fc.constant({ do: 'purge' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('read' as const), rowsMax: fc.integer({ min: 1, max: 4 }) }),
  },
)

/** Any sequence of syncs, removals and purges, with a mirror that reads the log in small pages. */
export const MIRROR_GUARANTEES: Guarantees = {
  'keeps a mirror equal to the store, whatever is committed and purged between its pages': async ({ store, clock }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const syncs = new Syncs(store)
        const mirror = await Mirror.from(store)
        for (const each of steps) {
          clock.nowMs += 1_000
          if (each.do === 'read') await mirror.read(each.rowsMax)
          else if (each.do === 'purge') await store.revisionFeed.purge(RETENTION_MS, clock.nowMs)
          else await syncs.take(each)
        }
        await mirror.readAll()
        for (const slug of SLUGS) await syncs.take({ do: 'remove', slug })
        await mirror.readAll()
        assert.equal(mirror.slots.size, 0)
        await store.revisionFeed.purge(0, clock.nowMs)
      }),
      { numRuns: scaled(150) },
    )
  },
}

/** The writers. */
class Syncs {
  readonly #store: Store
  readonly #writers = new Map<string, SnapshotWriter>()

  constructor(store: Store) {
    this.#store = store
  }

  async take(step: Exclude<Step, { do: 'purge' | 'read' }>): Promise<void> {
    if ('ids' in step) return this.#write(step)
    const writer = this.#writers.get(step.slug)
    this.#writers.delete(step.slug)
    if (step.do === 'remove') await this.#store.sources.remove(step.slug)
    else if (step.do === 'commit') await writer?.commit({ ...END, connectorState: {} })
    else if (step.do === 'abandon') await writer?.abandon(END)
  }

  /** Sets `replaces` for a row of the last snapshot, as a sync does. */
  async #write(step: Extract<Step, { ids: string[] }>): Promise<void> {
    const writer = await this.#writerOf(step.slug)
    const ids = step.ids.map((id) => `${step.slug}-${id}`)
    const json = `{"v":${step.value}`
    const held = new Map((await writer.findStored(ids)).map((slot) => [slot.id, slot]))
    const unequal = ids.filter((id) => step.do === 'delete' || held.get(id)?.json !== json)
    const deleted = unequal.flatMap((id) => held.get(id)?.key ?? [])
    const inserted = unequal.map((id) => {
      const known = held.get(id)
      const replaces = known?.drafted === false && step.do === 'put' ? { replaces: known.key } : {}
      return { ...draftOf(id, { json }), ...replaces }
    })
    if (step.do === 'put') return writer.write({ inserts: inserted, deletes: deleted })
    await writer.write({ deletes: deleted })
    if (step.do === 'apart') await writer.write({ inserts: inserted })
  }

  async #writerOf(slug: string): Promise<SnapshotWriter> {
    const known = this.#writers.get(slug)
    if (known !== undefined) return known
    const source = (await this.#store.sources.find(slug)) ?? (await addSource(this.#store, slug))
    const writer = await begin(this.#store, source, LEASE)
    this.#writers.set(slug, writer)
    return writer
  }
}

/** A mirror that reads the change log. */
class Mirror {
  slots = new Map<string, string>()
  readonly #store: Store
  #place: Revision = { store: 0, revision: 0 }

  static async from(store: StoreHarness['store']): Promise<Mirror> {
    const mirror = new Mirror(store)
    await mirror.#begin()
    return mirror
  }

  private constructor(store: Store) {
    this.#store = store
  }

  /** Reads one page. At the end of the log, the mirror must equal the store. */
  async read(rowsMax: number): Promise<boolean> {
    const log = await this.#store.changeLog.open()
    try {
      if (this.#place.revision < log.oldest) await this.#begin()
      const { rows, end } = await log.read(this.#place, rowsMax)
      for (const row of rows) this.#apply(row)
      this.#place = end
      if (end.revision < log.newest) return false
    } finally {
      await log.close()
    }
    assert.deepEqual(sorted(this.slots), sorted(await living(this.#store)))
    return true
  }

  async readAll(): Promise<void> {
    for (let isLast = false; !isLast; ) isLast = await this.read(3)
  }

  async #begin(): Promise<void> {
    const changes = await this.#store.revisionFeed.open(undefined)
    try {
      this.slots = await apply(changes, new Map())
      this.#place = { store: changes.store, revision: changes.revision }
    } finally {
      await changes.close()
    }
  }

  #apply({ phase, id, changed, slot }: ChangeLogEntry): void {
    if (phase === 'deleted' && !changed) this.slots.delete(id)
    if (slot === undefined) return
    assert.ok(changed || !this.slots.has(id), `${id} was added although it exists`)
    this.slots.set(id, slot.json)
  }
}

function sorted(slots: ReadonlyMap<string, string>): [string, string][] {
  return [...slots].sort(([a], [b]) => (a < b ? -1 : 1))
}
