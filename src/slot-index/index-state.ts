import { IdTable } from './id-table.ts'
import { OfferingTable } from './offering-table.ts'
import { OpenSnapshots } from './open-snapshots.ts'
import { PostingList } from './posting-list.ts'
import { SlotRows } from './slot-rows.ts'

/**
 * The posting lists of one bucket and status: `open` is always `all` without `ended`. Few ended slots are still
 * published, and they come first, so `open` shares nearly all chunks with `all`.
 */
export interface ListGroup {
  readonly all: PostingList
  readonly ended: PostingList
  readonly open: PostingList
}

const EMPTY_GROUP: ListGroup = { all: PostingList.EMPTY, ended: PostingList.EMPTY, open: PostingList.EMPTY }

/** The posting lists by group number. */
export type ListGroups = ReadonlyMap<number, ListGroup>

/** The data of an index. Each commit replaces `groups` as a whole and shares the rest. */
export class IndexState {
  readonly rows = new SlotRows()
  readonly ids = new IdTable(this.rows)
  readonly offerings = new OfferingTable()
  readonly snapshots = new OpenSnapshots()
  groups: ListGroups = new Map()

  groupAt(number: number): ListGroup {
    return groupIn(this.groups, number)
  }
}

export function groupIn(groups: ListGroups, number: number): ListGroup {
  return groups.get(number) ?? EMPTY_GROUP
}
