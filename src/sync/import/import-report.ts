import type { StoredRejection } from '../../store/contracts/sources.ts'

/** What an imported file came to, or in a dry run would come to. It is the whole of what its source has: what it does not hold is gone. */
export interface ImportReport {
  readonly slug: string
  /** Nothing was changed, and nothing tried. */
  readonly dryRun: boolean
  /** `partial`: something was rejected. `failed`: as a whole it cannot be read, and nothing changed. */
  readonly outcome: 'ok' | 'partial' | 'failed'
  /** Why nothing was taken in: a sentence. */
  readonly error?: string
  /** How the file is laid out; absent if that could not be told. */
  readonly format?: 'csv' | 'ndjson' | 'json'
  /** Rows, lines or entries of slots: `slots + rejected + withheld`. */
  readonly read: number
  readonly slots: number
  readonly rejected: number
  /** Never served: `entered-in-error`, `nopt`. */
  readonly withheld: number
  /** Resources that slots refer to. */
  readonly resources: number
  /** How many slots the source had before; absent if there was no such source. */
  readonly slotsBefore?: number
  /** Not of a dry run. */
  readonly changes?: { readonly added: number; readonly changed: number; readonly removed: number }
  /** What was assumed, and what looks wrong without being a fault of a line: a sentence each. */
  readonly notes: readonly string[]
  /** At most 1,000; `line` is the row of a spreadsheet, the line of NDJSON, or the number of an entry. */
  readonly rejections: readonly StoredRejection[]
  /** The first three, as callers see them. */
  readonly samples: readonly unknown[]
  readonly durationMs: number
}
