import type { FeedSize } from './feed-history.ts'
import type { Scene } from './scene.ts'

/** A database with nodes on it, and the faults that it can cause. */
export interface Site {
  /** For the report. */
  readonly title: string
  /** The database for the test, which no fault of the network cuts off. */
  readonly url: string
  readonly nodes: readonly { readonly name: string; readonly env: NodeJS.ProcessEnv }[]
  readonly feeds: Readonly<Record<string, FeedSize>>
  readonly callers: number
  /** A run lasts until this many faults were caused. */
  readonly minFaults: number
  /** From the publication of a change until a node shows it, where a fault fell into it. */
  readonly troubledChangeMsMax: number
  /** Causes a fault, and resolves when all have recovered. */
  strike(at: number, scene: Scene): Promise<void>
  /** Commits, so that the standby has all earlier commits of this primary too. Returns the primary's epoch. */
  confirm?(): Promise<number>
  /** Prints further measurements. */
  report?(): void
}
