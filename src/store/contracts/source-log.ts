import type { AuditActor } from './account-store.ts'
import type { ReviewPolicy } from './source-watch.ts'

/**
 * All that an operator can do to a source and that its log tells, with what is said of it in docs/operations.md: a test holds the
 * rows. Neither a look at a source nor a sync at once is among them: both change nothing.
 */
export const SOURCE_ACTIONS = {
  added: 'The source was added.',
  edited: 'Fields were changed. Lists the fields, never the values.',
  paused: 'Its syncs were paused.',
  resumed: 'Its syncs were resumed.',
  'hold-chosen': 'The hold policy was set. Includes the policy.',
  accepted: 'A suspicious snapshot was approved.',
  'accept-withdrawn': 'An unused approval was withdrawn.',
  imported: 'Its slots were replaced by a file.',
  removed: 'The source and its slots were removed.',
} as const
export type SourceActionKind = keyof typeof SOURCE_ACTIONS

/** What of a source can be edited. */
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

/** What somebody did to a source. */
export interface SourceAction {
  /** Grows with time. */
  readonly id: number
  readonly atMs: number
  /** The source may be gone, or another one may have its slug now. */
  readonly slug: string
  readonly kind: SourceActionKind
  readonly actor: AuditActor
  /** Of `edited` alone: what was changed. */
  readonly fields?: readonly SourceField[]
  /** Of `hold-chosen` alone. */
  readonly reviewPolicy?: ReviewPolicy
}

/** How many actions of each kind are kept under one slug: the imports of every night push out nothing but older imports. */
export const ACTIONS_PER_KIND_MAX = 100

/** How many are kept in all, whatever slugs there were. Looked at when a source is added: nothing else makes a new slug. */
export const ACTIONS_MAX = 100_000

/** What operators did to sources. Written in the transaction of what it tells; outlives the source and the person. */
export interface SourceLog {
  /** Newest first; of all sources if none is named. */
  list(filter: { slug?: string; beforeId?: number; limit: number }): Promise<SourceAction[]>
}
