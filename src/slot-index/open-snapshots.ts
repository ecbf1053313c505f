import type { IndexState, ListGroups } from './index-state.ts'
import type { RowVector } from './row-vector.ts'
import type { CommittedRevision } from './slot-index.ts'

/** What an index showed at one moment. Its rows, their bytes and their offerings stay in place for as long as it is open. */
export interface IndexSnapshot {
  /** This and the groups throw once it is closed. */
  readonly state: IndexState
  readonly groups: ListGroups
  readonly shown: CommittedRevision
  /** False once closed, by whoever held it, or by the index because too much waited for it: nothing of it may be read then. */
  readonly isOpen: boolean
  /** Lets go of it; again changes nothing. */
  close(): void
}

/** How many rows may wait, together, for moments to be closed: about 200 MB. */
const WAITING_ROWS_MAX = 500_000

/**
 * The moments of a state that are open, and the rows that have gone since and wait for them to be closed.
 *
 *     moments    opened at    3        5          8             the clock goes up with each batch of rows that waits
 *     batches    gone at         4  5      6  7      9          one may be freed when no moment is open from before it
 *
 * Whoever follows the store never waits for them: when too many rows wait, the oldest moments are closed.
 */
export class OpenSnapshots {
  /** The oldest first. */
  readonly #open = new Set<OpenSnapshot>()
  /** The oldest first. */
  readonly #waiting: { readonly rows: RowVector; readonly goneAt: number }[] = []
  #clock = 0
  #waitingRows = 0

  /** How many moments are open. */
  get size(): number {
    return this.#open.size
  }

  /** How many rows that have gone are still kept. */
  get waitingRows(): number {
    return this.#waitingRows
  }

  /** Opens what is shown now. `onFreed` is told when closing it leaves rows that nobody waits for. */
  open(shows: Pick<IndexSnapshot, 'state' | 'groups' | 'shown'>, onFreed: () => void): IndexSnapshot {
    const snapshot: OpenSnapshot = new OpenSnapshot(shows, this.#clock, () => {
      if (this.#open.delete(snapshot) && this.#hasFreed()) onFreed()
    })
    this.#open.add(snapshot)
    return snapshot
  }

  /** Takes rows that have gone, to be handed out by `takeFreed()` when no moment from before this call is open. */
  defer(rows: RowVector): void {
    if (rows.length === 0) return
    this.#waiting.push({ rows, goneAt: ++this.#clock })
    this.#waitingRows += rows.length
    for (const oldest of this.#open) {
      if (this.#unfreedRows() <= WAITING_ROWS_MAX) return
      oldest.close()
    }
  }

  /** Rows that no open moment has, each once; undefined if there are none. */
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

  /** When the oldest of the open was opened. */
  #openSince(): number {
    for (const { openedAt } of this.#open) return openedAt
    return Number.POSITIVE_INFINITY
  }
}

/** Forgets what it held when it is closed, so that whoever keeps it keeps nothing else. */
class OpenSnapshot implements IndexSnapshot {
  readonly shown: CommittedRevision
  readonly openedAt: number
  readonly #onClose: () => void
  #held: Pick<IndexSnapshot, 'state' | 'groups'> | undefined

  constructor(
    { state, groups, shown }: Pick<IndexSnapshot, 'state' | 'groups' | 'shown'>,
    openedAt: number,
    onClose: () => void,
  ) {
    this.#held = { state, groups }
    this.shown = shown
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
    return this.#held !== undefined
  }

  close(): void {
    this.#held = undefined
    this.#onClose()
  }

  #open(): Pick<IndexSnapshot, 'state' | 'groups'> {
    if (this.#held === undefined) throw new Error('Cannot read what was shown: the snapshot must be open')
    return this.#held
  }
}
