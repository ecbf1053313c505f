import { MIN_DURATION_MINUTES_MAX } from '../slot/slot-filters.ts'
import type { SlotEntry } from './index-builder.ts'
import { STATUS_NUMBER } from './index-content.ts'
import { minutesOf } from './offerings/durations.ts'
import type { OfferedSlot } from './offerings/offering-numbers.ts'
import type { SortedRows } from './runs/build-run.ts'
import { DURATION, formOf, ODD_FORM, OFFERING, RECORD_WORDS, writeForm } from './runs/row-record.ts'
import { FORMS_MAX, PREFIXES_MAX, SHARED_PREFIXES, type SlotForm, SlotTexts } from './runs/slot-texts.ts'
import { StatusPackers } from './runs/status-packers.ts'

/** Slots that a thread has packed. It numbers offerings, forms and prefixes itself, and sends those that are new since its last slots. */
export interface PackedSlots {
  /** By status. */
  readonly blocks: readonly (readonly SortedRows[])[]
  /** A slot of each offering: see `OfferingNumbers`. */
  readonly offered: readonly OfferedSlot[]
  readonly forms: readonly SlotForm[]
  readonly prefixes: readonly string[]
}

/** The numbers of the index by the numbers of a thread. */
export interface OtherNumbers {
  readonly offerings: number[]
  readonly forms: number[]
  readonly prefixes: number[]
}

/** Before the first slots of a thread. The first prefixes are the same everywhere. */
export function noNumbers(): OtherNumbers {
  return { offerings: [], forms: [], prefixes: SHARED_PREFIXES.map((_, number) => number) }
}

/** Packs slots for the index of another thread. */
export class SlotPacker {
  readonly #texts: SlotTexts
  readonly #packers: StatusPackers
  /** By offering and duration. */
  readonly #offeringNumbers = new Map<number, number>()
  #offered: OfferedSlot[] = []
  #forms = 0
  #prefixes = SHARED_PREFIXES.length

  /** `threads`: how many pack for one index. Each has its share of the numbers, so that those of all fit. */
  constructor(threads: number) {
    this.#texts = new SlotTexts({
      formsMax: Math.floor(FORMS_MAX / threads),
      prefixesMax: Math.floor(PREFIXES_MAX / threads),
    })
    this.#packers = new StatusPackers(this.#texts)
  }

  put(slots: readonly SlotEntry[]): void {
    for (const slot of slots) this.#packers.add(STATUS_NUMBER[slot.status], slot, this.#numberOf(slot))
  }

  /** The slots since the last call, and the numbers that are new. */
  take(): PackedSlots {
    const packed = {
      blocks: this.#packers.take(),
      offered: this.#offered,
      forms: this.#texts.forms.slice(this.#forms),
      prefixes: this.#texts.prefixes.slice(this.#prefixes),
    }
    this.#offered = []
    this.#forms = this.#texts.forms.length
    this.#prefixes = this.#texts.prefixes.length
    return packed
  }

  #numberOf({ offeringId, startMs, endMs }: SlotEntry): number {
    const name = offeringId * (MIN_DURATION_MINUTES_MAX + 1) + minutesOf({ startMs, endMs })
    const known = this.#offeringNumbers.get(name)
    if (known !== undefined) return known
    this.#offered.push({ offeringId, startMs, endMs })
    this.#offeringNumbers.set(name, this.#offeringNumbers.size)
    return this.#offeringNumbers.size - 1
  }
}

/** Replaces the numbers of the thread that packed rows. */
export function renumber({ count, records }: SortedRows, { offerings, forms, prefixes }: OtherNumbers): void {
  for (let row = 0; row < count; row++) {
    const at = row * RECORD_WORDS
    records[at + OFFERING] = offerings[records[at + OFFERING]]
    const form = formOf(records, at)
    if (form === ODD_FORM) continue
    writeForm(records, at, forms[form])
    const duration = records[at + DURATION]
    records[at + DURATION] = (duration & 0xffff) + prefixes[duration >>> 16] * 65_536
  }
}
