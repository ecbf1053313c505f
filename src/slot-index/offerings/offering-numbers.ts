import type { Offering } from '../../slot/slot.ts'
import { MIN_DURATION_MINUTES_MAX } from '../../slot/slot-filters.ts'
import { minutesOf } from './durations.ts'
import type { OfferingTable } from './offering-table.ts'
import type { TimedOffering } from './pack-offerings.ts'

/** A slot of an offering of the store. */
export interface OfferedSlot {
  readonly offeringId: number
  readonly startMs: number
  readonly endMs: number
}

/** The numbers of offerings by their ids in the store and the durations of their slots: see `OfferingTable`. */
export class OfferingNumbers {
  /** The ids in the store, by number. */
  readonly ids: number[] = []
  readonly #minutes: number[] = []
  /** By id. */
  readonly #originals = new Map<number, number>()
  /** By original and duration; the originals, which are most, are left out. */
  readonly #others = new Map<number, number>()
  /** Those that no slot has had yet, by id. */
  readonly #unused = new Map<number, Offering>()

  /** Continues with numbers that were given before. */
  static of(ids: readonly number[], minutes: Uint16Array): OfferingNumbers {
    const numbers = new OfferingNumbers()
    for (const [number, id] of ids.entries()) numbers.#add(id, minutes[number])
    return numbers
  }

  has(id: number): boolean {
    return this.#originals.has(id) || this.#unused.has(id)
  }

  /** An offering whose slots follow. */
  put(id: number, offering: Offering): void {
    if (!this.has(id)) this.#unused.set(id, offering)
  }

  /** The numbers of the offerings of slots, undefined if one is unknown; and those that are new, to be put into the table. */
  of(slots: readonly OfferedSlot[], table: OfferingTable) {
    const added: TimedOffering[] = []
    const offerings = new Map<number, Offering>()
    const offeringOf = (original: number) => {
      const offering = offerings.get(original) ?? table.offeringOf(original)
      offerings.set(original, offering)
      return offering
    }
    const numbers = slots.map((slot) => {
      const { offeringId: id } = slot
      const minutes = minutesOf(slot)
      const known = this.#find(id, minutes)
      if (known !== undefined) return known
      const original = this.#originals.get(id)
      const offering = original === undefined ? this.#unused.get(id) : offeringOf(original)
      if (offering === undefined) return undefined
      added.push({ offering, minutes, ...(original !== undefined && { original }) })
      const number = this.#add(id, minutes)
      if (original === undefined) offerings.set(number, offering)
      return number
    })
    return { numbers, added }
  }

  #find(id: number, minutes: number): number | undefined {
    const original = this.#originals.get(id)
    if (original === undefined || this.#minutes[original] === minutes) return original
    return this.#others.get(nameOf(original, minutes))
  }

  #add(id: number, minutes: number): number {
    const number = this.ids.push(id) - 1
    this.#minutes.push(minutes)
    const original = this.#originals.get(id)
    if (original === undefined) this.#originals.set(id, number)
    else this.#others.set(nameOf(original, minutes), number)
    this.#unused.delete(id)
    return number
  }
}

function nameOf(original: number, minutes: number): number {
  return original * (MIN_DURATION_MINUTES_MAX + 1) + minutes
}
