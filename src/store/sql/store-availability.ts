import { AsyncLocalStorage } from 'node:async_hooks'
import type { StoreUnavailable } from '../contracts/store.ts'

/**
 * Records whether the database was unavailable during an asynchronous operation.
 *
 * better-auth turns errors of its tables into responses, some of which blame the user. With this record, the response can report that
 * the database is unavailable instead.
 */
const MET = new AsyncLocalStorage<{ error: StoreUnavailable | undefined }>()

/** Runs `work` so that code inside it can check whether the store was unavailable. */
export function trackUnavailability<T>(work: () => T): T {
  return MET.run({ error: undefined }, work)
}

/** The operation's first such error; undefined if there was none, and outside of `trackUnavailability()`. */
export function seenUnavailability(): StoreUnavailable | undefined {
  return MET.getStore()?.error
}

/** Records that the database was unavailable. */
export function recordUnavailability(error: StoreUnavailable): void {
  const met = MET.getStore()
  if (met !== undefined) met.error ??= error
}
