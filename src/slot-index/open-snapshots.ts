import type { Offering } from '../slot/slot.ts'
import type { ListGroups } from './buckets.ts'
import type { IndexState } from './index-state.ts'
import type { RowVector } from './row-vector.ts'
import type { CommittedRevision } from './slot-index.ts'

/** An MVCC snapshot of an index. Its rows, bytes and offerings stay in place while it is open. */
export interface IndexSnapshot {
  /** `state` and `groups` throw once it is closed. */
  readonly state: IndexState
  readonly groups: ListGroups
  readonly committed: CommittedRevision
  /** False once closed, by its owner or by the index because it retained too many rows. */
  readonly isOpen: boolean
  /** Idempotent. */
  close(): void
}

/** Rows that may be retained for open snapshots in all: about 200 MB. */
const WAITING_ROWS_MAX = 500_000

/**
 * Epoch-based reclamation: the open snapshots of a state, and the deleted rows that they retain.
 *
 *     snapshots  opened at    3        5          8             the epoch advances with each batch of deleted rows
 *     batches    deleted at      4  5      6  7      9          freed when no snapshot is open from an earlier epoch
 *
 * A commit never waits for readers: when too many rows are retained, the oldest snapshots are closed.
 */
export class OpenSnapshots {
  /** The oldest first. */
  readonly #open = new Set<OpenSnapshot>()
  /** The oldest first. */
  readonly #waiting: { readonly rows: RowVector; readonly goneAt: number }[] = []
  #clock = 0
  #waitingRows = 0

  /** Number of open snapshots. */
  get size(): number {
    return this.#open.size
  }

  /** Number of deleted rows that are retained. */
  get waitingRows(): number {
    return this.#waitingRows
  }

  /** Opens a snapshot of the committed state. Calls `onFreed` when closing it makes rows reclaimable. */
  open(shows: Pick<IndexSnapshot, 'state' | 'groups' | 'committed'>, onFreed: () => void): IndexSnapshot {
    const snapshot: OpenSnapshot = new OpenSnapshot(shows, this.#clock, () => {
      if (this.#open.delete(snapshot) && this.#hasFreed()) onFreed()
    })
    this.#open.add(snapshot)
    return snapshot
  }

  /** Takes deleted rows; `takeFreed()` returns them when no snapshot from before this call is open. */
  defer(rows: RowVector): void {
    if (rows.length === 0) return
    this.#waiting.push({ rows, goneAt: ++this.#clock })
    this.#waitingRows += rows.length
    for (const oldest of this.#open) {
      if (this.#unfreedRows() <= WAITING_ROWS_MAX) return
      oldest.close()
    }
  }

  /** Returns a batch of rows that no open snapshot can see, each once; undefined if there is none. */
  takeFreed(): RowVector | undefined {
    if (!this.#hasFreed()) return undefined
    const freed = this.#waiting.shift()?.rows
    this.#waitingRows -= freed?.length ?? 0
    return freed
  }

  closeAll(): void {
    for (const snapshot of this.#open) snapshot.close()
  }

  #hasFreed(): boolean {
    return this.#waiting.length > 0 && this.#waiting[0].goneAt <= this.#openSince()
  }

  #unfreedRows(): number {
    const since = this.#openSince()
    return this.#waiting.reduce((sum, { rows, goneAt }) => (goneAt > since ? sum + rows.length : sum), 0)
  }

  /** Epoch of the oldest open snapshot. */
  #openSince(): number {
    for (const { openedAt } of this.#open) return openedAt
    return Number.POSITIVE_INFINITY
  }
}

/** Drops its references when closed, so that a stale reference to it retains nothing. */
class OpenSnapshot implements IndexSnapshot {
  readonly committed: CommittedRevision
  readonly openedAt: number
  readonly #onClose: () => void
  #data: Pick<IndexSnapshot, 'state' | 'groups'> | undefined

  constructor(
    { state, groups, committed }: Pick<IndexSnapshot, 'state' | 'groups' | 'committed'>,
    openedAt: number,
    onClose: () => void,
  ) {
    this.#data = { state, groups }
    this.committed = committed
    this.openedAt = openedAt
    this.#onClose = onClose
  }

  get state(): IndexState {
    return this.#open().state
  }

  get groups(): ListGroups {
    return this.#open().groups
  }

  get isOpen(): boolean {
    return this.#data !== undefined
  }

  close(): void {
    this.#data = undefined
    this.#onClose()
  }

  #open(): Pick<IndexSnapshot, 'state' | 'groups'> {
    if (this.#data === undefined) throw new Error('Cannot read the snapshot: it is closed')
    return this.#data
  }
}

/** An offering of a snapshot by its number; undefined if there is none. It may have no slots. */
export function offeringAt({ state: { offerings } }: IndexSnapshot, number: number): Offering | undefined {
  if (offerings.traits[number] === undefined) return undefined
  const json = offerings.arena.bytesAt(offerings.addressOf(number))
  // The stored bytes start with a comma in place of the opening brace.
  return JSON.parse(`{${json.toString('utf8', 1)}`) as Offering
}
