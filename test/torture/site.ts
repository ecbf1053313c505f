import type { FeedSize } from './feed-history.ts'
import type { TortureRun } from './torture-run.ts'

/** A database, its nodes, and the faults that it can cause. */
export interface Site {
  /** Part of the report's heading. */
  readonly title: string
  /** The database as the test reaches it, whatever the faults of the network. */
  readonly url: string
  readonly nodes: readonly { readonly name: string; readonly env: NodeJS.ProcessEnv }[]
  readonly feeds: Readonly<Record<string, FeedSize>>
  readonly callers: number
  /** A run lasts until this many faults were caused. */
  readonly minFaults: number
  /** Bound of the time from the publication of a change until a node serves it, if a fault occurred in between. */
  readonly disturbedChangeMsMax: number
  /** Causes a fault, and resolves when all have recovered. */
  causeFault(at: number, run: TortureRun): Promise<void>
  /** Commits: then the standby has all earlier commits of this primary, too. Returns the primary's epoch. */
  confirm?(): Promise<number>
  /** Prints further measurements. */
  report?(): void
}
