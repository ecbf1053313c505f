import type { ListGroups } from './buckets.ts'
import { IdTable } from './id-table.ts'
import { OfferingTable } from './offering-table.ts'
import { OpenSnapshots } from './open-snapshots.ts'
import { SlotRows } from './slot-rows.ts'

/** The data of an index. Each commit replaces `groups` as a whole and shares the rest. */
export class IndexState {
  readonly rows = new SlotRows()
  readonly ids = new IdTable(this.rows)
  readonly offerings = new OfferingTable()
  readonly snapshots = new OpenSnapshots()
  groups: ListGroups = new Map()
  /** Slots of the store that are left out because memory is full. */
  missing = 0
}
