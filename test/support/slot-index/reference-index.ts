import assert from 'node:assert/strict'
import type { Slot } from '../../../src/slot/slot.ts'
import type { SlotQuery } from '../../../src/slot/slot-query.ts'
import type { LevelLimits } from '../../../src/slot-index/runs/levels.ts'
import type { SlotIndex } from '../../../src/slot-index/slot-index.ts'
import { ChangingIndex } from './changing-index.ts'
import { checkContent } from './check-content.ts'
import { naiveSelect, published } from './naive-index.ts'

/** Runs so small that some slots make many, and that each change merges some. */
const SMALL: LevelLimits = { runRowsMax: 8, zeroRowsMin: 6, zeroShare: 1 / 8, goneShareMax: 1 / 4 }

export interface ReferenceChange {
  readonly put: readonly Slot[]
  readonly remove: readonly string[]
  readonly whole?: boolean
  readonly merges?: number
}

/** The index beside a plain Map, driven by the same steps. */
export class ReferenceIndex {
  readonly slots = new Map<string, Slot>()
  nowMs = 0
  readonly #changing: ChangingIndex

  constructor(limits = SMALL) {
    this.#changing = new ChangingIndex({ limits })
  }

  get index(): SlotIndex {
    return this.#changing.index
  }

  /** `meanwhile` runs between any two steps of the work, of which `merges` are merges. */
  change({ put, remove, whole = false, merges = Infinity }: ReferenceChange, meanwhile: () => void = () => {}): void {
    const before = new Map(this.slots)
    const next = new Map(whole ? [] : this.slots)
    for (const id of remove) next.delete(id)
    for (const slot of put) next.set(slot.id, slot)
    const born = [...next.values()].filter((slot) => whole || before.get(slot.id) !== slot)
    const died = whole ? [] : [...before.values()].filter((slot) => next.get(slot.id) !== slot)
    this.#changing.change({ put: born, remove: died, whole, merges }, meanwhile)
    this.slots.clear()
    for (const [id, slot] of next) this.slots.set(id, slot)
    checkContent(this.#changing.content)
  }

  /** The ids of slots by their numbers, in order of insertion, without the numbers that no slot has. */
  idsOf(numbers: readonly number[]): string[] {
    const ids = [...this.slots.keys()]
    return numbers.filter((n) => n < ids.length).map((n) => ids[n])
  }

  /** See `ChangingIndex.restart()`. */
  restart(): void {
    this.#changing.restart()
    checkContent(this.#changing.content)
  }

  /** Compares a page with that of the naive index. */
  check(query: SlotQuery): void {
    const { body, total, last, nextStartMs } = this.index.select(query, this.nowMs)
    const expected = naiveSelect([...this.slots.values()], query, this.nowMs)
    const { slots } = JSON.parse(body.toString('utf8'))
    assert.deepEqual({ slots, total, last: last?.id, nextStartMs }, expected)
    assert.equal(JSON.parse(body.toString('utf8')).total, total)
  }

  /** Compares the slot that is found by an ID with the stored one. */
  checkFind(id: string): void {
    const slot = this.slots.get(id)
    const found = this.index.find(id)
    assert.deepEqual(found && JSON.parse(found.toString('utf8')), slot && published(slot))
  }
}
