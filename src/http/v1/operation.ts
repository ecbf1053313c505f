import type { LiveKey } from '../../keys/key-ring.ts'
import type { Allocate } from '../../slot-index/page-copier.ts'
import type { ApiContext } from '../api-context.ts'
import type { Exchange } from '../request-context.ts'

/**
 * A GET under `/v1`, and how it is answered: whole from memory (`read`), in pieces of any number (`streams`, by media
 * type), or by the thread that may wait for the store (`relayed`). The first two may stand side by side: `Accept` decides.
 */
export interface Operation {
  /** The path, of which the last segment may be `{…}`: then it stands for any. */
  readonly path: string
  readonly read?: Read
  /** What it reads depends on more than the slots: it is read each time, and its tag is made of its content. */
  readonly isTimely?: true
  readonly streams?: Readonly<Record<string, Stream>>
  readonly relayed?: true
}

/**
 * Answers at once. Equal questions at equal `SlotIndex.version` have equal answers, which is why they are remembered, unless
 * the operation is timely.
 * Throws `Problem` and `InvalidParameter`; nothing is sent then.
 */
export type Read = (asked: Asked, api: ApiContext) => Answer

/** Answers in pieces, as fast as the caller takes them. Throws `Problem` and `InvalidParameter` before the first. */
export type Stream = (asked: AskedBy, exchange: Exchange, api: ApiContext) => void

/** What an operation is asked. */
export interface Asked {
  /** What stands behind the `?`, percent-encoded; empty if there is none. */
  readonly search: string
  /** What stands in the place of the path's `{…}`, decoded; empty if it has none. */
  readonly name: string
  readonly nowMs: number
  /** Memory for a body that is sent once. */
  readonly allocate: Allocate
}

/** The same, and by whom. */
export interface AskedBy extends Asked {
  readonly key: LiveKey
}

/** An answer that can be given again. */
export interface Answer {
  readonly body: Buffer
  /** Headers that depend on the question, names and values by turns; `ETag` and those of every answer are added. */
  readonly headers: readonly string[]
}
