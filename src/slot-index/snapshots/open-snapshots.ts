import type { CommittedRevision, IndexContent } from '../index-content.ts'
import type { OpenRows } from '../matching/open-rows.ts'
import { runsIn } from '../runs/levels.ts'

/** An MVCC snapshot: one committed state at one time. It keeps the memory of that state until it is closed. */
export interface IndexSnapshot {
  /** Throws if closed. */
  readonly content: IndexContent
  /** Throws if closed. */
  readonly open: OpenRows
  readonly committed: CommittedRevision
  /** False once closed, by the caller or by the index. */
  readonly isOpen: boolean
  /** Idempotent. */
  close(): void
}

/** Bound of the bytes of runs that only open snapshots keep: a share of the shown runs, and at least `KEPT_BYTES_MIN`. */
const KEPT_SHARE_MAX = 1 / 4
export const KEPT_BYTES_MIN = 256 * 1024 * 1024

/** The open snapshots of an index, the oldest first. */
export class OpenSnapshots {
  readonly #open = new Set<OpenSnapshot>()
  readonly #keptBytesMin: number

  constructor(keptBytesMin = KEPT_BYTES_MIN) {
    this.#keptBytesMin = keptBytesMin
  }

  get size(): number {
    return this.#open.size
  }

  open(content: IndexContent, open: OpenRows): IndexSnapshot {
    const snapshot: OpenSnapshot = new OpenSnapshot(content, open, () => this.#open.delete(snapshot))
    this.#open.add(snapshot)
    return snapshot
  }

  /** Closes the oldest snapshots while they keep too much memory that the shown state does not use. */
  trim(shown: IndexContent): void {
    if (this.#open.size === 0) return
    const inUse = memoryOf(shown)
    const keptMax = Math.max(this.#keptBytesMin, sumOf(inUse) * KEPT_SHARE_MAX)
    for (const oldest of this.#open) {
      const kept = new Map([...this.#open].flatMap(({ content }) => [...memoryOf(content)]))
      for (const memory of inUse.keys()) kept.delete(memory)
      if (sumOf(kept) <= keptMax) return
      oldest.close()
    }
  }
}

/** The memory of all runs, and its bytes. */
function memoryOf({ levels }: IndexContent): Map<object, number> {
  return new Map(runsIn(levels).map(({ run: { memory } }) => [memory, memory.byteLength]))
}

function sumOf(bytes: ReadonlyMap<object, number>): number {
  let sum = 0
  for (const each of bytes.values()) sum += each
  return sum
}

/** Drops its references when closed, so that a stale reference to it keeps no memory. */
class OpenSnapshot implements IndexSnapshot {
  readonly committed: CommittedRevision
  readonly #onClose: () => void
  #data: { readonly content: IndexContent; readonly open: OpenRows } | undefined

  constructor(content: IndexContent, open: OpenRows, onClose: () => void) {
    this.#data = { content, open }
    this.committed = content.committed
    this.#onClose = onClose
  }

  get content(): IndexContent {
    return this.#read().content
  }

  get open(): OpenRows {
    return this.#read().open
  }

  get isOpen(): boolean {
    return this.#data !== undefined
  }

  close(): void {
    this.#data = undefined
    this.#onClose()
  }

  #read() {
    if (this.#data === undefined) throw new Error('Cannot read the snapshot: it is closed')
    return this.#data
  }
}
