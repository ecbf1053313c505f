import type { AuditActor } from './audit.ts'
import type { ReviewPolicy } from './source-watch.ts'

/**
 * The logged operator actions, as docs/operations.md describes them: a test compares the rows. Checking a source and syncing it
 * now are not among them: both change nothing.
 */
export const SOURCE_ACTIONS = {
  added: 'The source was added.',
  edited: 'Fields were changed. Lists the fields, never the values.',
  paused: 'Its syncs were paused.',
  resumed: 'Its syncs were resumed.',
  'review-policy-set': 'The hold policy was set. Includes the policy.',
  approved: 'A suspicious snapshot was approved.',
  'approval-withdrawn': 'An unused approval was withdrawn.',
  imported: 'Its slots were replaced by a file.',
  removed: 'The source and its slots were removed.',
} as const
export type SourceActionKind = keyof typeof SOURCE_ACTIONS

/** The fields of a source that can be edited. */
export const SOURCE_FIELDS = [
  'name',
  'url',
  'headers',
  'query',
  'daysAhead',
  'authorization',
  'strict',
  'everyMinutes',
] as const
export type SourceField = (typeof SOURCE_FIELDS)[number]

/** An operator's action on a source. */
export interface SourceAction {
  /** Grows with time. */
  readonly id: number
  readonly atMs: number
  /** The source may be removed, and another source may have its slug now. */
  readonly slug: string
  readonly kind: SourceActionKind
  readonly actor: AuditActor
  /** Only of `edited`. */
  readonly fields?: readonly SourceField[]
  /** Only of `review-policy-set`. */
  readonly reviewPolicy?: ReviewPolicy
}

/** How many actions of each kind are stored per slug: nightly imports displace only older imports. */
export const ACTIONS_PER_KIND_MAX = 100

/** How many actions are stored in all. Enforced when a source is added, since nothing else creates a slug. */
export const ACTIONS_MAX = 100_000

/** What operators did to sources. Each action writes its entry in its own transaction; entries outlive the source and the person. */
export interface SourceLog {
  /** Newest first; of all sources if none is named. */
  list(filter: { slug?: string; beforeId?: number; limit: number }): Promise<SourceAction[]>
}
