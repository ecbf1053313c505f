// Hot path

import type { SlotStatus } from '../../slot/slot.ts'
import { type CommittedRevision, STATUS_NUMBER } from '../index-content.ts'
import type { OrderedMatches, RowReader } from '../matching/slot-matches.ts'
import type { IndexSnapshot } from './open-snapshots.ts'
import type { SnapshotChunk } from './snapshot-chunk.ts'

/** The matches of one status. */
export interface StatusMatches {
  readonly status: SlotStatus
  readonly matches: OrderedMatches
}

/**
 * Reads all slots of a query chunk by chunk from one MVCC snapshot, unaffected by later commits. It must be closed, because it keeps the
 * memory of the snapshot.
 */
export class SnapshotReader {
  /** Number of slots. */
  readonly total: number
  readonly #snapshot: IndexSnapshot
  readonly #parts: readonly StatusMatches[]
  #part = -1
  #left = 0
  #reader: RowReader | undefined

  constructor(snapshot: IndexSnapshot, parts: readonly StatusMatches[]) {
    this.#snapshot = snapshot
    this.#parts = parts
    this.total = parts.reduce((sum, { matches }) => sum + matches.count, 0)
    this.#left = this.total
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
    return this.#left
  }

  /** Fills a chunk with the next slots; empty at the end. Throws if closed. */
  next(chunk: SnapshotChunk): void {
    const { tables } = this.#snapshot.content
    chunk.begin(tables.offerings)
    while (!chunk.isFull) {
      if (this.#reader?.next() === true) {
        const { run, row } = this.#reader
        chunk.add(tables.writers[STATUS_NUMBER[this.#parts[this.#part].status]], run, row)
        this.#left--
      } else if (++this.#part < this.#parts.length) {
        this.#reader = this.#parts[this.#part].matches.read(0, Number.MAX_SAFE_INTEGER)
      } else return
    }
  }

  close(): void {
    this.#snapshot.close()
    this.#reader = undefined
  }
}
