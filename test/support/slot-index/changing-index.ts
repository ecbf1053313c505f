import type { Offering, Slot } from '../../../src/slot/slot.ts'
import { ContentSender } from '../../../src/slot-index/content-transfer.ts'
import { IndexBuilder } from '../../../src/slot-index/index-builder.ts'
import type { CommittedRevision, IndexContent } from '../../../src/slot-index/index-content.ts'
import { LEVEL_LIMITS, type LevelLimits } from '../../../src/slot-index/runs/levels.ts'
import { SlotIndex } from '../../../src/slot-index/slot-index.ts'
import { entriesOf } from '../fill-index.ts'

export interface IndexChange {
  readonly remove?: readonly Slot[]
  readonly put?: readonly Slot[]
  readonly whole?: boolean
  /** By default the next revision. */
  readonly committed?: CommittedRevision
  /** The most steps of merges that follow; by default all that are due. */
  readonly merges?: number
}

/** An index that is changed by its own builder, as the index thread changes those of a node. */
export class ChangingIndex {
  readonly index: SlotIndex
  readonly #limits: LevelLimits
  #builder: IndexBuilder
  /** The ids of offerings in the store. */
  readonly #ids = new Map<Offering, number>()

  constructor({ index = new SlotIndex(), limits = LEVEL_LIMITS } = {}) {
    this.index = index
    this.#limits = limits
    this.#builder = new IndexBuilder(limits)
  }

  /** The state that is shown. */
  get content(): IndexContent {
    return this.#builder.content
  }

  get revision(): number {
    return this.index.revision
  }

  /** Continues from the state as a node does from its checkpoint. */
  restart(): void {
    const { offeringIds } = this.#builder
    const saved = new ContentSender().pack(this.content)
    this.#builder = new IndexBuilder(this.#limits)
    this.#builder.restore(saved, offeringIds)
    this.index.show(this.content)
  }

  /** Applies a change and the merges that are due; `meanwhile` runs between any two steps. */
  change(change: IndexChange, meanwhile = () => {}): void {
    for (const _ of this.steps(change)) meanwhile()
  }

  *steps({ remove = [], put = [], whole = false, committed, merges = Infinity }: IndexChange): Generator<void, void> {
    const next = { store: 1, revision: this.revision + 1, atMs: 0 }
    for (const { offering } of put) this.#ids.set(offering, this.#ids.get(offering) ?? this.#ids.size + 1)
    const used = [...new Set(put.map(({ offering }) => offering))]
    this.#builder.begin(whole)
    this.#builder.putOfferings(used.map((offering) => ({ id: this.#ids.get(offering) ?? 0, offering })))
    yield
    this.#builder.remove(remove)
    this.#builder.put(entriesOf(put, this.#ids))
    yield* this.#builder.commit(committed ?? next)
    for (let left = merges; ; left--) {
      this.index.show(this.content)
      yield
      if (left === 0 || !this.#builder.compact()) return
    }
  }
}
