import type { ApiKey } from '../keys/key.ts'
import type { SourceChanges } from '../slot-index/known-sources.ts'
import type { SlotBatch } from '../slot-index/slot-batch.ts'
import type { CommittedRevision } from '../slot-index/slot-index.ts'

/**
 * A part of a change in the store, sent by the follow thread to the threads with an index. The order of messages within a
 * change of slots:
 *
 *     begin → deleted* → offerings* → inserted* → end
 */
export type IndexMessage =
  | { readonly kind: 'begin'; readonly whole: boolean }
  /** See `packIds()`. */
  | { readonly kind: 'deleted'; readonly ids: Uint8Array }
  | { readonly kind: 'offerings'; readonly offerings: readonly { id: number; json: string }[] }
  | { readonly kind: 'inserted'; readonly batch: SlotBatch }
  /**
   * `order`: the inserted slots, numbered as they were sent, in order of (start, id). `leftOut`: inserted slots that were not
   * sent because memory is full.
   */
  | {
      readonly kind: 'end'
      readonly order: Uint32Array
      readonly leftOut: number
      readonly committed: CommittedRevision
    }
  /** `whole`: these are all keys. */
  | { readonly kind: 'keys'; readonly keys: readonly ApiKey[]; readonly whole: boolean }
  /** The freshness of sources: before the first change of the slots, then whenever it changes. */
  | ({ readonly kind: 'sources' } & SourceChanges)

/** Enough for a batch of 4,000 slots. */
const BUFFER_BYTES = 2 * 1024 * 1024
/** Maximum number in flight. */
const BUFFERS_MAX = 8

/** A pool of batch buffers: buffers that are transferred between threads and dropped are not returned to the system. */
export class BatchPool {
  readonly #buffers: ArrayBuffer[] = []

  /** At least `bytes` long, with any content. */
  take(bytes: number): ArrayBuffer {
    if (bytes > BUFFER_BYTES) return new ArrayBuffer(bytes)
    return this.#buffers.pop() ?? new ArrayBuffer(BUFFER_BYTES)
  }

  giveBack(buffer: ArrayBuffer): void {
    if (buffer.byteLength === BUFFER_BYTES && this.#buffers.length < BUFFERS_MAX) this.#buffers.push(buffer)
  }
}
