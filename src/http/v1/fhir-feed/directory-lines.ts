import { offeringAt } from '../../../slot-index/offering-lookup.ts'
import type { Moment } from '../../../slot-index/open-snapshots.ts'
import type { Pieces } from '../export-slots/chunks.ts'
import type { FeedOrigin } from './feed-origin.ts'
import { type DirectoryType, resourcesOf } from './offering-resources.ts'

/** A few tenths of a millisecond. */
const OFFERINGS_MAX = 16

/** What the slots of a moment refer to, of one type, as NDJSON: each resource once. Remembers their ids, 100 bytes each. */
export class DirectoryLines implements Pieces {
  readonly #moment: Moment
  readonly #type: DirectoryType
  readonly #origin: FeedOrigin
  readonly #written = new Set<string>()
  #next = 0

  /** Closes the moment with itself. */
  constructor(moment: Moment, type: DirectoryType, origin: FeedOrigin) {
    this.#moment = moment
    this.#type = type
    this.#origin = origin
  }

  get isOpen(): boolean {
    return this.#moment.isOpen
  }

  next(): Buffer | undefined {
    const { offerings } = this.#moment.state
    if (this.#next >= offerings.end) return undefined
    const end = Math.min(this.#next + OFFERINGS_MAX, offerings.end)
    let lines = ''
    for (; this.#next < end; this.#next++) lines += this.#linesOf(this.#next)
    return Buffer.from(lines)
  }

  close(): void {
    this.#moment.close()
  }

  #linesOf(number: number): string {
    const offering = offeringAt(this.#moment, number)
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
