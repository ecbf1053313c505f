import type { Store } from '../../../../src/store/contracts/store.ts'

/** What a guarantee is tried on: a new, empty database of its own. */
export interface Bed {
  readonly url: string
  readonly store: Store
  /** The time, for all stores of the bed; starts at `BED_STARTS_MS`. */
  readonly clock: { nowMs: number }
  /** Opens the same database once more, as another thread or process would. Closed with the bed. */
  open(): Promise<Store>
}

/** When the clock of a bed starts. */
export const BED_STARTS_MS = Date.parse('2026-01-05T08:00:00Z')

/** Guarantees by their names, each with what holds it to account. */
export type Guarantees = Readonly<Record<string, (bed: Bed) => Promise<void>>>
