import type { SourceHealth } from '../slot/source-freshness.ts'
import type { SourceAction } from '../store/contracts/source-log.ts'
import type { HealthEvent, HeldSnapshot, ReviewPolicy } from '../store/contracts/source-watch.ts'
import type {
  FinishedSync,
  SourceOverview,
  StoredRejection,
  SyncOutcome,
} from '../store/contracts/sources.ts'

// As in `shapes.ts`, of the routes below /api/operator/sources.

/** A source as the operator sees it. */
export interface SourceView {
  readonly slug: string
  /** What people call the publisher. */
  readonly name?: string
  /** `files` are imported; the others are fetched, and `url` is from where. */
  readonly format: SourceOverview['format']
  readonly url: string
  /** How its publisher wants to be asked, as `maskedOptions` shows it: names and references. Absent if in no way of its own. */
  readonly options?: SourceOverview['options']
  readonly strict: boolean
  readonly everyMinutes?: number
  readonly paused: boolean
  readonly createdAtMs: number
  readonly nextSyncAtMs: number
  readonly failures: number
  readonly slotCount: number
  /** When we last looked, and could read it. */
  readonly lastCheckedAtMs?: number
  /** When the publisher says that what we hold is from. */
  readonly publishedAtMs?: number
  /** When it last changed. */
  readonly changedAtMs?: number
  readonly lastSync?: SyncOutcome
  /** How it does, by the rules of docs/operations.md. */
  readonly health: SourceHealth
  /** Sentences; absent for `healthy`. */
  readonly healthWhy?: string
  /** Absent for some seconds after it changed. */
  readonly healthSinceMs?: number
  /** Which suspicious snapshots wait for a yes. */
  readonly hold: ReviewPolicy
  /** What came and waits for it. */
  readonly held?: HeldSnapshot
  /** With `held`: the yes was said, and the next sync is taken in. */
  readonly accepting?: boolean
  /** What stands out, gravest first: its health, `empty` (had slots, has none), `rejecting` (more than 1 % of its lines). */
  readonly flags: readonly (Exclude<SourceHealth, 'healthy' | 'paused'> | 'empty' | 'rejecting')[]
}

/** The same with its past. */
export interface SourceDetail extends SourceView {
  readonly history: readonly FinishedSync[]
  readonly rejections: readonly StoredRejection[]
  /** How its health changed, newest first: at most 100. */
  readonly events: readonly HealthEvent[]
  /** What operators did to it, newest first: at most 100. Another source may have had its slug before. */
  readonly actions: readonly SourceActionView[]
}

/** What an operator did to a source. */
export interface SourceActionView extends Omit<SourceAction, 'actor'> {
  /** An e-mail address, or `command line`. */
  readonly actor: string
  /** The network address that the request came from. */
  readonly address?: string
}

/** Open slots of a source at evenly spaced times, oldest first; null where nobody counted. */
export interface OpenSlotsView {
  readonly fromMs: number
  readonly stepMs: number
  readonly all: readonly (number | null)[]
  /** The states with the most at the end first; a slot of several states counts in each. */
  readonly states: readonly { readonly state: string; readonly counts: readonly (number | null)[] }[]
}
