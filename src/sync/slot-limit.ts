import { FeedFailure } from '../feeds/connector.ts'
import type { SnapshotWriter } from '../store/contracts/snapshots.ts'

const SOURCE_SHARE = 0.25

/** Without a separate limit, a source may have a quarter of the slots of the service, so that no publisher fills it alone. */
export function slotsOfOneSource(slotsMax: number): number {
  return Math.max(1, Math.floor(slotsMax * SOURCE_SHARE))
}

/**
 * How many slots the next snapshot of a source may have: the source's limit, and what the other sources leave of the
 * service's. A source may always keep as many slots as it has, so that a full service still drops booked ones.
 */
export class SlotLimit {
  readonly #ofSource: number
  readonly #ofService: number
  readonly #left: number
  readonly #slug: string

  /** `slotsMax`: of all sources together. */
  static async of(writer: SnapshotWriter, slotsMax: number): Promise<SlotLimit> {
    return new SlotLimit(writer.source, slotsMax, await writer.countOtherSlots())
  }

  private constructor({ slug, slotCount, slotsMax }: SnapshotWriter['source'], ofService: number, others: number) {
    this.#slug = slug
    this.#ofSource = slotsMax ?? slotsOfOneSource(ofService)
    this.#ofService = ofService
    this.#left = Math.max(slotCount, ofService - others)
  }

  /** Throws `FeedFailure` if a snapshot of so many slots passes a limit. */
  check(count: number): void {
    if (count > this.#ofSource)
      throw new FeedFailure(
        `Cannot read feed: it has more than ${this.#ofSource} slots, the limit of this source. If they are genuine, raise the limit: source edit ${this.#slug} --slots-max <count>`,
      )
    if (count > this.#left) throw this.serviceFull()
  }

  /** The failure of a sync for which the service has no room. */
  serviceFull(): FeedFailure {
    return new FeedFailure(
      `Cannot read feed: with its slots, the service would have more than ${this.#ofService}. Remove slots of another source, or raise SLOTS_MAX`,
    )
  }
}
