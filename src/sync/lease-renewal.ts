import { Periodic } from '../lib/periodic.ts'
import type { SnapshotWriter } from '../store/contracts/snapshots.ts'
import { LeaseLost } from '../store/contracts/store.ts'

/** Keeps the lease of a source while its feed is read. */
interface LeaseRenewal {
  /** Aborted with `LeaseLost` half a second after the source was paused, edited or removed, or the lease was lost. */
  readonly signal: AbortSignal
  /** Stops renewing; resolves when no renewal is running. */
  readonly stop: () => Promise<void>
}

/** A pause takes effect within this time, on every node. */
const CHECK_EVERY_MS = 500

/** Renews the lease three times per `leaseMs`, so that it survives two consecutive failures, and checks it more often. */
export function renewLease(writer: SnapshotWriter, leaseMs: number): LeaseRenewal {
  const lost = new AbortController()
  // Other errors are left to the next write: the store may be available again by then.
  const abortIfLost = (error: unknown) => {
    if (error instanceof LeaseLost) lost.abort(error)
  }
  let beat = Promise.resolve()
  // Not a `Periodic`: a slow renewal must not delay the next one.
  const timer = setInterval(() => {
    beat = writer.write({}).catch(abortIfLost)
  }, leaseMs / 3)
  const check = new Periodic(() => writer.check(), { everyMs: CHECK_EVERY_MS, onError: abortIfLost })
  check.start()
  return {
    signal: lost.signal,
    stop: async () => {
      clearInterval(timer)
      await Promise.all([beat, check.close()])
    },
  }
}
