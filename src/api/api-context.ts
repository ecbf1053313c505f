import type { KeyRing } from '../keys/key-ring.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'

/** What the API answers from. Nothing here waits for anything. */
export interface ApiContext {
  readonly index: SlotIndex
  readonly keyRing: KeyRing
  /** True once the index and the keys have been loaded. */
  readonly isReady: () => boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Where callers reach the service, without a final slash. */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  /** Told of every fault of ours: an answer 500 has been given. */
  readonly onFault: (fault: unknown, request: { id: string; method: string; url: string }) => void
}
