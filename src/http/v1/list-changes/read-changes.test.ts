import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../../test/support/cases.ts'
import { applyTo, Clinic, served } from '../../../../test/support/http/changes-fixture.ts'
import { query, slotIn } from '../../../../test/support/slot-index/index-samples.ts'
import { matches } from '../../../../test/support/slot-index/naive-index.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import { formatRevision, parseRevision, type Revision } from '../../../slot/revision.ts'
import type { Slot } from '../../../slot/slot.ts'
import type { SlotFilters } from '../../../slot/slot-filters.ts'
import type { Store } from '../../../store/contracts/store.ts'
import { readChanges } from './read-changes.ts'

const NOW_MS = 3 * MINUTE_MS

const published = fc.uniqueArray(slotIn, { selector: ({ id }) => id, maxLength: 25 })

/** The slots to publish next, or the number of changes to read. */
const step = fc.oneof(published, fc.integer({ min: 1, max: 4 }))

test('a copy equals the list for any slots, despite commits between its pages', async (t) => {
  const clinic = await Clinic.open(t)
  const property = fc.asyncProperty(
    query,
    published,
    fc.array(step, { maxLength: 15 }),
    async (filters, first, steps) => {
      await clinic.publish(first)
      let listed = first
      const copy = new Copy(clinic.store, filters, first, await clinic.revision())
      for (const each of steps) {
        if (typeof each === 'number') await copy.read(each)
        else {
          await clinic.publish(each)
          listed = each
        }
      }
      while (await copy.read(3));
      assert.deepEqual(copy.slots, wanted(listed, filters))
    },
  )
  await fc.assert(property, { numRuns: casesOf(150) })
})

test('finds slots by their own identifiers, and by those of the resources behind them', async (t) => {
  const clinic = await Clinic.open(t)
  const since = read(await clinic.revision())
  const [slot] = fc.sample(slotIn, 1)
  const [ofSlot, ofRoom] = [{ system: 'slots', value: '1' }, { value: 'room' }]
  const room = { ...slot.offering, details: { resources: { Location: [{ identifier: [ofRoom] }] } } }
  const slots = [{ identifier: [ofSlot] }, { identifier: [ofRoom, ofSlot], offering: room }, { offering: room }].map(
    (own, n): Slot => ({ ...slot, status: 'free', startMs: 0, endMs: NOW_MS + 1, id: `${n}`.repeat(24), ...own }),
  )
  await clinic.publish(slots)
  const log = await clinic.store.changeLog.open()
  t.after(() => log.close())
  for (const identifiers of [['slots|1'], ['|room'], ['slots|1', '|room'], ['|1']]) {
    const filters = { status: 'free' as const, identifiers }
    const { changes } = await readChanges(log, { ...filters, since, limit: 10 }, NOW_MS)
    const ids = changes.map(({ json }) => JSON.parse(json).slot.id).sort()
    assert.deepEqual(ids, [...wanted(slots, filters).keys()], identifiers.join())
  }
})

/** A client that copies the matching slots. */
class Copy {
  readonly slots: Map<string, string>
  readonly #store: Store
  readonly #filters: SlotFilters
  #since: Revision

  constructor(store: Store, filters: SlotFilters, slots: readonly Slot[], revision: string) {
    this.#store = store
    this.#filters = filters
    this.slots = wanted(slots, filters)
    this.#since = read(revision)
  }

  /** One page. Whether there is another. */
  async read(limit: number): Promise<boolean> {
    const log = await this.#store.changeLog.open()
    try {
      const asked = { ...this.#filters, since: this.#since, limit }
      const page = await readChanges(log, asked, NOW_MS)
      assert.ok(page.changes.length <= limit)
      applyTo(
        this.slots,
        page.changes.map(({ json }) => JSON.parse(json)),
      )
      this.#since = read(formatRevision(page.revision))
      return page.hasMore
    } finally {
      await log.close()
    }
  }
}

function wanted(slots: readonly Slot[], filters: SlotFilters): Map<string, string> {
  const matching = slots.filter((slot) => matches(slot, filters, NOW_MS))
  return new Map(matching.map((slot) => [slot.id, JSON.stringify(served(slot))]))
}

function read(text: string): Revision {
  const revision = parseRevision(text)
  assert.ok(revision)
  return revision
}
