import { IdTable } from './id-table.ts'
import { OfferingTable } from './offering-table.ts'
import { PostingList } from './posting-list.ts'
import { SlotRows } from './slot-rows.ts'

/** All that an index holds. `lists` is replaced as a whole by each commit; the rest is shared from one to the next. */
export class IndexState {
  readonly rows = new SlotRows()
  readonly ids = new IdTable(this.rows)
  readonly offerings = new OfferingTable()
  lists: ReadonlyMap<number, PostingList> = new Map()

  listAt(number: number): PostingList {
    return this.lists.get(number) ?? PostingList.EMPTY
  }

  /** Puts the next version of one list into `lists`; an empty one leaves it. */
  *mergeInto(
    lists: Map<number, PostingList>,
    number: number,
    added: readonly number[],
    removed: readonly number[],
  ): Generator<void, void> {
    const merged = yield* (lists.get(number) ?? PostingList.EMPTY).merge(added, removed, this.rows)
    if (merged.length === 0) lists.delete(number)
    else lists.set(number, merged)
  }
}
