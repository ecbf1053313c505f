import { type IndexSnapshot, offeringAt } from '../../../slot-index/open-snapshots.ts'
import type { Pieces } from '../export-slots/chunks.ts'
import type { FeedOrigin } from './feed-origin.ts'
import { type DirectoryType, resourcesOf } from './offering-resources.ts'

/** A few tenths of a millisecond. */
const OFFERINGS_MAX = 16

/** What the slots of a snapshot refer to, of one type, as NDJSON: each resource once. Remembers their ids, 100 bytes each. */
export class DirectoryLines implements Pieces {
  readonly #snapshot: IndexSnapshot
  readonly #type: DirectoryType
  readonly #origin: FeedOrigin
  readonly #written = new Set<string>()
  #next = 0

  /** Closes the snapshot with itself. */
  constructor(snapshot: IndexSnapshot, type: DirectoryType, origin: FeedOrigin) {
    this.#snapshot = snapshot
    this.#type = type
    this.#origin = origin
  }

  get isOpen(): boolean {
    return this.#snapshot.isOpen
  }

  next(): Buffer | undefined {
    const { offerings } = this.#snapshot.state
    if (this.#next >= offerings.end) return undefined
    const end = Math.min(this.#next + OFFERINGS_MAX, offerings.end)
    let lines = ''
    for (; this.#next < end; this.#next++) lines += this.#linesOf(this.#next)
    return Buffer.from(lines)
  }

  close(): void {
    this.#snapshot.close()
  }

  #linesOf(number: number): string {
    const offering = offeringAt(this.#snapshot, number)
    if (offering === undefined) return ''
    let lines = ''
    for (const { id, ...elements } of resourcesOf(offering, this.#type)) {
      if (this.#written.has(id)) continue
      this.#written.add(id)
      const meta = this.#origin.metaOf(offering.publisher)
      lines += `${JSON.stringify({ resourceType: this.#type, id, meta, ...elements })}\n`
    }
    return lines
  }
}
