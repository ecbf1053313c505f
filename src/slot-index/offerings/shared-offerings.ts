import type { SharedColumn } from './column.ts'
import type { OfferingSegment } from './offering-segments.ts'
import type { AddedTexts } from './pack-offerings.ts'

/** How much of a table another thread has. */
export interface KnownOfferings {
  /** Each `put()` adds one. */
  readonly chunks: number
  /** Exclusive upper bounds of the numbers of texts, by table. */
  readonly texts: readonly number[]
}

/** A table as it is sent to another thread: its memory, and what is new beside that. */
export interface SharedOfferings {
  readonly columns: readonly SharedColumn[]
  readonly durations: Uint8Array
  readonly segments: readonly OfferingSegment[]
  readonly chunks: readonly SharedArrayBuffer[]
  readonly texts: AddedTexts
}
