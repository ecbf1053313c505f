import type { IndexSnapshot } from '../../../slot-index/open-snapshots.ts'
import type { ChunkSource } from '../export-slots/snapshot-chunks.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { PublishedOffering, resourcesOf } from './offering-resources.ts'
import type { FeedDirectoryType } from './published-resource.ts'

/** A few tenths of a millisecond. */
const OFFERINGS_MAX = 16

/**
 * The directory resources of one type of the offerings before `end`, as NDJSON, each once; those of offerings without slots too. Keeps
 * their ids, 100 bytes each.
 */
export class FeedDirectoryLines implements ChunkSource {
  readonly #snapshot: IndexSnapshot
  readonly #end: number
  readonly #type: FeedDirectoryType
  readonly #origin: FeedProvenance
  readonly #written = new Set<string>()
  #next = 0

  /** Takes ownership of the snapshot. */
  constructor(
    { snapshot, end }: { readonly snapshot: IndexSnapshot; readonly end: number },
    type: FeedDirectoryType,
    origin: FeedProvenance,
  ) {
    this.#snapshot = snapshot
    this.#end = end
    this.#type = type
    this.#origin = origin
  }

  get isOpen(): boolean {
    return this.#snapshot.isOpen
  }

  next(): Buffer | undefined {
    if (this.#next >= this.#end) return undefined
    const end = Math.min(this.#next + OFFERINGS_MAX, this.#end)
    let lines = ''
    for (; this.#next < end; this.#next++) lines += this.#linesOf(this.#next)
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
