// Hot path

import type { ListPart } from './filtered-lists.ts'
import type { IndexSnapshot } from './open-snapshots.ts'
import type { PostingList } from './posting-list.ts'
import type { CommittedRevision } from './slot-index.ts'
import type { SnapshotChunk } from './snapshot-chunk.ts'

/**
 * All slots that match a query at one moment, to be taken piece by piece, whatever changes meanwhile. Holds a moment of the
 * index, and so has to be closed.
 */
export class SnapshotReader {
  /** How many slots there are in all. */
  readonly total: number
  readonly #snapshot: IndexSnapshot
  readonly #list: PostingList
  readonly #to: number
  #at: number

  constructor(snapshot: IndexSnapshot, { list, from, to }: ListPart) {
    this.#snapshot = snapshot
    this.#list = list
    this.#at = from
    this.#to = to
    this.total = to - from
  }

  /** What was shown when it was opened. */
  get shown(): CommittedRevision {
    return this.#snapshot.shown
  }

  /** False once closed, also by the index, if it could not be held any longer. */
  get isOpen(): boolean {
    return this.#snapshot.isOpen
  }

  /** How many slots have not been taken. */
  get left(): number {
    return this.#to - this.#at
  }

  /** Fills a piece with the next slots, which are none at the end. Throws if it is not open. */
  next(piece: SnapshotChunk): void {
    const { state } = this.#snapshot
    const wanted = Math.min(piece.rows.length, this.left)
    this.#list.copy(this.#at, this.#at + wanted, piece.rows)
    piece.fill(state, wanted)
    this.#at += piece.count
  }

  close(): void {
    this.#snapshot.close()
  }
}
