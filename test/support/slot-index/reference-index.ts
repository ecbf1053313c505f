import assert from 'node:assert/strict'
import type { Slot } from '../../../src/slot/slot.ts'
import type { SlotQuery } from '../../../src/slot/slot-query.ts'
import { packIds } from '../../../src/slot-index/slot-batch.ts'
import { SlotIndex } from '../../../src/slot-index/slot-index.ts'
import { putSlots } from '../fill-index.ts'
import { OFFERINGS } from './index-samples.ts'
import { naiveSelect } from './naive-index.ts'

/** The index beside a plain Map, driven by the same steps. */
export class ReferenceIndex {
  readonly index = new SlotIndex()
  readonly slots = new Map<string, Slot>()
  nowMs = 0
  #revision = 0

  /** `meanwhile` runs between any two pieces of the work. */
  change(put: readonly Slot[], remove: readonly string[], whole: boolean, meanwhile: () => void = () => {}): void {
    const before = new Map(this.slots)
    const next = new Map(whole ? [] : this.slots)
    for (const id of remove) next.delete(id)
    for (const slot of put) next.set(slot.id, slot)
    const born = [...next.values()].filter((slot) => whole || before.get(slot.id) !== slot)
    const died = whole ? [] : [...before.values()].filter((slot) => next.get(slot.id) !== slot)
    const change = this.index.begin(whole, this.nowMs)
    const run = (work: Generator<void, void>) => {
      for (const _ of work) meanwhile()
    }
    run(change.remove(packIds(died)))
    run(putSlots(change, born, new Map(OFFERINGS.map((offering, n) => [offering, n + 1]))))
    this.index.commit(change, { store: 1, revision: ++this.#revision })
    this.slots.clear()
    for (const [id, slot] of next) this.slots.set(id, slot)
    run(change.retire())
  }

  /** Holds a page against the naive index's. */
  check(query: SlotQuery): void {
    const { body, total, last, nextStartMs } = this.index.select(query, this.nowMs)
    const expected = naiveSelect([...this.slots.values()], query, this.nowMs)
    const { slots } = JSON.parse(body.toString('utf8'))
    assert.deepEqual({ slots, total, last: last?.id, nextStartMs }, expected)
    assert.equal(JSON.parse(body.toString('utf8')).total, total)
  }

  /** Holds what is found by an id against what is there. */
  checkFind(id: string): void {
    const { startMs: _startMs, endMs: _endMs, offering, ...own } = this.slots.get(id) ?? {}
    const found = this.index.find(id)
    const expected = this.slots.has(id) ? { ...own, ...JSON.parse(JSON.stringify(offering)) } : undefined
    assert.deepEqual(found && JSON.parse(found.toString('utf8')), expected)
  }
}
