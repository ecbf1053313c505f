import type { IndexSnapshot } from '../../../slot-index/snapshots/open-snapshots.ts'
import type { ChunkSource } from '../export-slots/snapshot-chunks.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { PublishedOffering, resourcesOf } from './offering-resources.ts'
import type { FeedDirectoryType } from './published-resource.ts'

/** A few tenths of a millisecond. */
const OFFERINGS_MAX = 16

/**
 * The directory resources of one type of offerings, as NDJSON, each once. Keeps their ids, 100 bytes each.
 */
export class FeedDirectoryLines implements ChunkSource {
  readonly #snapshot: IndexSnapshot
  readonly #offerings: Uint8Array
  readonly #type: FeedDirectoryType
  readonly #origin: FeedProvenance
  readonly #written = new Set<string>()
  #next = 0

  /** Takes ownership of the snapshot. `offerings`: 1 at their numbers. */
  constructor(
    { snapshot, offerings }: { readonly snapshot: IndexSnapshot; readonly offerings: Uint8Array },
    type: FeedDirectoryType,
    origin: FeedProvenance,
  ) {
    this.#snapshot = snapshot
    this.#offerings = offerings
    this.#type = type
    this.#origin = origin
  }

  get isOpen(): boolean {
    return this.#snapshot.isOpen
  }

  next(): Buffer | undefined {
    if (this.#next >= this.#offerings.length) return undefined
    const end = Math.min(this.#next + OFFERINGS_MAX, this.#offerings.length)
    let lines = ''
    for (; this.#next < end; this.#next++) if (this.#offerings[this.#next] === 1) lines += this.#linesOf(this.#next)
    return Buffer.from(lines)
  }

  close(): void {
    this.#snapshot.close()
  }

  #linesOf(number: number): string {
    const offering = this.#snapshot.content.tables.offerings.offeringOf(number)
    let lines = ''
    for (const resource of resourcesOf(new PublishedOffering(offering), this.#type, this.#origin)) {
      if (this.#written.has(resource.id)) continue
      this.#written.add(resource.id)
      lines += `${JSON.stringify(resource)}\n`
    }
    return lines
  }
}
