import { AsyncLocalStorage } from 'node:async_hooks'
import type { StoreUnavailable } from '../contracts/store.ts'

/**
 * Remembers, for whatever runs inside a piece of work, whether the database was away for some part of it.
 *
 * The sign-in library turns what its tables throw into answers of its own, some of which blame the person. Who knows
 * that the database was away can say that instead.
 */
const MET = new AsyncLocalStorage<{ away: StoreUnavailable | undefined }>()

/** Does some work that may ask `awayMet()`, also deep inside and at its end. */
export function trackUnavailability<T>(work: () => T): T {
  return MET.run({ away: undefined }, work)
}

/** What was met first in this work; undefined if nothing was, or if nobody asked to notice. */
export function seenUnavailability(): StoreUnavailable | undefined {
  return MET.getStore()?.away
}

/** Remembers that the database was away just now. */
export function recordUnavailability(away: StoreUnavailable): void {
  const met = MET.getStore()
  if (met !== undefined) met.away ??= away
}
