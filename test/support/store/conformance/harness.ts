import type { Store } from '../../../../src/store/contracts/store.ts'

/** The fixture of one test: a new, empty database. */
export interface StoreHarness {
  readonly url: string
  readonly store: Store
  /** The clock of all stores of the harness; starts at `HARNESS_STARTS_MS`. */
  readonly clock: { nowMs: number }
  /** Opens the same database again, as another thread or process would. Closed with the harness. */
  open(): Promise<Store>
}

/** The start of the clock. */
export const HARNESS_STARTS_MS = Date.parse('2026-01-05T08:00:00Z')

/** Scales a number of random sequences or killed processes: `npm test` sets STORE_DEPTH to a fraction, a full run to 1. */
export function scaled(count: number): number {
  return Math.ceil(count * Number(process.env.STORE_DEPTH ?? 1))
}

/** Tests by name. */
export type Guarantees = Readonly<Record<string, (harness: StoreHarness) => Promise<void>>>
