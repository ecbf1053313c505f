import type { ApiKey } from '../keys/key.ts'
import type { SentContent } from '../slot-index/content-transfer.ts'
import type { SourceChanges } from '../slot-index/known-sources.ts'

/** A change in the store, sent by the follow thread to the threads that serve requests. */
export type IndexMessage =
  /** A committed state of the slots. */
  | { readonly kind: 'slots'; readonly content: SentContent }
  /** `whole`: these are all keys. */
  | { readonly kind: 'keys'; readonly keys: readonly ApiKey[]; readonly whole: boolean }
  /** The freshness of sources: before the first change of the slots, then whenever it changes. */
  | ({ readonly kind: 'sources' } & SourceChanges)
