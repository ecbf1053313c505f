import type { ReviewPolicy, SourceActionKind, SourceField } from '../../shared/source-vocabulary.ts'
import type { AuditActor } from './audit.ts'

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

/** The actions of operators on sources. Each action writes its entry in its own transaction; entries outlive the source and the person. */
export interface SourceLog {
  /** Newest first; of all sources if none is named. */
  list(filter: { slug?: string; beforeId?: number; limit: number }): Promise<SourceAction[]>
}
