import { type Matcher, matcherOf, traitsOf } from '../../../slot/filter-values.ts'
import type { Offering } from '../../../slot/slot.ts'
import type { SlotFilters } from '../../../slot/slot-filters.ts'
import type { ChangeLogEntry, ChangeLogReader } from '../../../store/contracts/change-log.ts'
import type { InsertedSlot } from '../../../store/contracts/store.ts'

/** An offering as it ends a slot's JSON, and whether its slots may match. */
interface MetOffering {
  readonly rest: string
  readonly matches: boolean
}

/** Which of the slots in a log match, and how `/v1` serves them. Decides about each offering once. */
export class WantedSlots {
  readonly #filters: SlotFilters
  readonly #log: ChangeLogReader
  readonly #nowMs: number
  readonly #matcher: Matcher | undefined
  readonly #met = new Map<number, MetOffering>()

  constructor(filters: SlotFilters, log: ChangeLogReader, nowMs: number) {
    this.#filters = filters
    this.#log = log
    this.#nowMs = nowMs
    this.#matcher = matcherOf(filters)
  }

  /** Reads the offerings of rows that may match. To be awaited before they are asked for. */
  async meet(rows: readonly ChangeLogEntry[]): Promise<void> {
    const strange = new Set<number>()
    for (const { slot } of rows) {
      if (slot !== undefined && this.#isIn(slot) && !this.#met.has(slot.offeringId))
        strange.add(slot.offeringId)
    }
    if (strange.size === 0) return
    for (const { id, json } of await this.#log.offerings([...strange])) {
      const matches = this.#matcher?.(traitsOf(JSON.parse(json) as Offering)) ?? true
      this.#met.set(id, { rest: `,${json.slice(1)}`, matches })
    }
  }

  /** The slot as `/v1` serves it, if it matches. */
  find(slot: InsertedSlot): string | undefined {
    if (!this.#isIn(slot)) return undefined
    const offering = this.#met.get(slot.offeringId)
    if (offering === undefined)
      throw new Error(
        `Cannot tell of slot "${slot.id}": its offering must be stored: got "${slot.offeringId}"`,
      )
    return offering.matches ? slot.json + offering.rest : undefined
  }

  /** All that is asked of the slot itself: status, times and duration. */
  #isIn({ status, startMs, endMs }: InsertedSlot): boolean {
    const { startAfterMs, startBeforeMs, minDurationMs } = this.#filters
    if (status !== this.#filters.status) return false
    if (startAfterMs === undefined ? endMs <= this.#nowMs : startMs < startAfterMs) return false
    if (startBeforeMs !== undefined && startMs > startBeforeMs) return false
    return minDurationMs === undefined || endMs - startMs >= minDurationMs
  }
}
