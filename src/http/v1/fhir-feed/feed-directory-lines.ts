import { type IndexSnapshot, offeringAt } from '../../../slot-index/open-snapshots.ts'
import type { ChunkSource } from '../export-slots/snapshot-chunks.ts'
import { type FeedDirectoryType, type FeedProvenance, resourcesOf } from './offering-resources.ts'

/** A few tenths of a millisecond. */
const OFFERINGS_MAX = 16

/** The directory resources of one type in a snapshot, as NDJSON, each once. Keeps their ids, 100 bytes each. */
export class FeedDirectoryLines implements ChunkSource {
  readonly #snapshot: IndexSnapshot
  readonly #type: FeedDirectoryType
  readonly #origin: FeedProvenance
  readonly #written = new Set<string>()
  #next = 0

  /** Takes ownership of the snapshot. */
  constructor(snapshot: IndexSnapshot, type: FeedDirectoryType, origin: FeedProvenance) {
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
