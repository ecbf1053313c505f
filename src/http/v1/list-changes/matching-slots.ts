import { filterValuesOf, type Matcher, matcherOf } from '../../../slot/filter-values.ts'
import type { Offering } from '../../../slot/slot.ts'
import type { SlotFilters } from '../../../slot/slot-filters.ts'
import type { ChangeLogEntry, ChangeLogReader } from '../../../store/contracts/change-log.ts'
import type { InsertedSlot } from '../../../store/contracts/revision-feed.ts'

/** The shared part of a slot's JSON, and whether the offering matches. */
interface LoadedOffering {
  readonly rest: string
  readonly matches: boolean
}

/** Filters the slots of a change log and encodes them as `/v1` serves them. Matches each offering once. */
export class MatchingSlots {
  readonly #filters: SlotFilters
  readonly #log: ChangeLogReader
  readonly #nowMs: number
  readonly #matcher: Matcher | undefined
  readonly #offerings = new Map<number, LoadedOffering>()

  constructor(filters: SlotFilters, log: ChangeLogReader, nowMs: number) {
    this.#filters = filters
    this.#log = log
    this.#nowMs = nowMs
    this.#matcher = matcherOf(filters)
  }

  /** Loads the offerings of rows that may match. Await it before `find()`. */
  async load(rows: readonly ChangeLogEntry[]): Promise<void> {
    const missing = new Set<number>()
    for (const { slot } of rows) {
      if (slot !== undefined && this.#matchesOwn(slot) && !this.#offerings.has(slot.offeringId))
        missing.add(slot.offeringId)
    }
    if (missing.size === 0) return
    for (const { id, json } of await this.#log.offerings([...missing])) {
      const matches = this.#matcher?.(filterValuesOf(JSON.parse(json) as Offering)) ?? true
      this.#offerings.set(id, { rest: `,${json.slice(1)}`, matches })
    }
  }

  /** The slot as `/v1` serves it, if it matches. */
  find(slot: InsertedSlot): string | undefined {
    if (!this.#matchesOwn(slot)) return undefined
    const offering = this.#offerings.get(slot.offeringId)
    if (offering === undefined)
      throw new Error(`Cannot encode slot "${slot.id}": its offering ${slot.offeringId} is not stored`)
    return offering.matches ? slot.json + offering.rest : undefined
  }

  /** Applies the filters on the slot's own fields: status, times and duration. */
  #matchesOwn({ status, startMs, endMs }: InsertedSlot): boolean {
    const { startAfterMs, startBeforeMs, minDurationMs } = this.#filters
    if (status !== this.#filters.status) return false
    if (startAfterMs === undefined ? endMs <= this.#nowMs : startMs < startAfterMs) return false
    if (startBeforeMs !== undefined && startMs > startBeforeMs) return false
    return minDurationMs === undefined || endMs - startMs >= minDurationMs
  }
}
