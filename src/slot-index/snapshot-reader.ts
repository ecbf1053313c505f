// Hot path

import type { ListPart } from './filtered-lists.ts'
import type { IndexSnapshot } from './open-snapshots.ts'
import type { PostingList } from './posting-list.ts'
import type { CommittedRevision } from './slot-index.ts'
import type { SnapshotChunk } from './snapshot-chunk.ts'

/**
 * Reads all slots of a query chunk by chunk from one MVCC snapshot, unaffected by later commits. It must be closed,
 * because it keeps the snapshot open.
 */
export class SnapshotReader {
  /** Number of slots. */
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

  /** The revision of the snapshot. */
  get committed(): CommittedRevision {
    return this.#snapshot.committed
  }

  /** False once closed, by the caller or by the index. */
  get isOpen(): boolean {
    return this.#snapshot.isOpen
  }

  /** Number of slots that have not been read. */
  get left(): number {
    return this.#to - this.#at
  }

  /** Fills a chunk with the next slots; empty at the end. Throws if closed. */
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
