import type { SnapshotWriter } from '../store/contracts/snapshots.ts'
import { LeaseLost } from '../store/contracts/store.ts'

/** A lease that is kept while a feed is read, however long nothing is written. */
export interface HeldLease {
  /** Aborted with `LeaseLost` if the lease or the source is gone. */
  readonly signal: AbortSignal
  /** Stops extending it; resolves when nothing of it is under way. */
  readonly stop: () => Promise<void>
}

/** Extends the lease of a writer three times in each `leaseMs`, so that it outlives two failures in a row. */
export function heldLease(writer: SnapshotWriter, leaseMs: number): HeldLease {
  const lost = new AbortController()
  let beat = Promise.resolve()
  const timer = setInterval(() => {
    // Another failure than a lost lease is left to the writing itself: the store may be back before it matters.
    beat = writer.write({}).catch((error) => {
      if (error instanceof LeaseLost) lost.abort(error)
    })
  }, leaseMs / 3)
  return {
    signal: lost.signal,
    stop: () => {
      clearInterval(timer)
      return beat
    },
  }
}
