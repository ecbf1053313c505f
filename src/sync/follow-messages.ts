import type { ApiKey } from '../keys/key.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { SourceChanges } from '../slot-index/known-sources.ts'
import type { SlotBatch } from '../slot-index/slot-batch.ts'
import type { CommittedRevision } from '../slot-index/slot-index.ts'
import type { Revisions } from '../store/contracts/store.ts'

/**
 * What the follow thread tells the main thread, in this order for each change of the slots:
 *
 *     begin → died* → offerings* → born* → end
 *
 * Each is answered by `taken`, so that no more than a few are on their way.
 */
export type FollowMessage =
  | { readonly kind: 'begin'; readonly whole: boolean }
  /** See `packIds()`. */
  | { readonly kind: 'died'; readonly ids: Uint8Array }
  | { readonly kind: 'offerings'; readonly offerings: readonly { id: number; json: string }[] }
  | { readonly kind: 'born'; readonly batch: SlotBatch }
  /** `order`: the slots born, by their place of arrival, in order of (start, id). */
  | { readonly kind: 'end'; readonly order: Uint32Array; readonly committed: CommittedRevision }
  /** `whole`: there are no others. */
  | { readonly kind: 'keys'; readonly keys: readonly ApiKey[]; readonly whole: boolean }
  /** How fresh sources are: ahead of the first change of the slots, and then whenever it changed. */
  | ({ readonly kind: 'sources' } & SourceChanges)
  /** For the log; not to be answered. */
  | { readonly kind: 'event'; readonly event: LogEvent }
  /**
   * Everything has been told. Reading all leaves much memory behind, so a fresh thread is to follow on from here; until
   * that does, this one goes on telling of keys.
   */
  | { readonly kind: 'loaded'; readonly revisions: Revisions }
  /** The store was looked at for the first time, and all that was new has been told. */
  | { readonly kind: 'following' }

/** What concerns the index, the keys and the sources. */
export type IndexMessage = Exclude<FollowMessage, { kind: 'loaded' | 'following' | 'event' }>

/** What the main thread tells the follow thread; `STOP` ends it. */
export interface FollowReply {
  readonly kind: 'taken'
  /** That of the batch that was taken, to be filled again. */
  readonly memory?: ArrayBuffer
}
