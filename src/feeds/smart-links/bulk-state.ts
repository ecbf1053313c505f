import { asObject } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { SourceMessage } from '../../shared/source-vocabulary.ts'
import type { Source } from '../connector.ts'
import type { Validators } from '../http/response.ts'
import { smartLinksReaderId } from './connector-state.ts'
import type { ImmutableFile } from './immutable-files.ts'
import { PENDING } from './manifest.ts'
import { listingOf, type ReadPage } from './manifest-client.ts'
import { contentOf } from './publication-check.ts'

/** The state of the connector after a publication of Bulk Publish. */
export interface BulkState {
  readonly bulkReader: string
  /** Those to ask again: all pages of a snapshot; of an open chain of updates only the last page. */
  readonly pages: readonly KnownPage[]
  /** The last page says that updates will follow. */
  readonly isOpen: boolean
  readonly publishedAtMs?: number
  readonly updateCadenceMs?: number
  /** Of the directory that the slots were joined with; absent after an update. */
  readonly digest?: string
  /** A Slot may name its Location itself. Absent if unknown: in states of older versions. */
  readonly slotsNamePlaces?: boolean
  /** Those whose resources are stored. */
  readonly files: readonly ImmutableFile[]
  /** The publisher's reports on all pages. */
  readonly messages: readonly SourceMessage[]
  /** When pages were last requested without validators, in milliseconds since 1970. */
  readonly askedAtMs: number
}

interface KnownPage {
  readonly url: string
  readonly validators: Validators
  readonly content: string
  readonly listing: string
}

/** The state after the last snapshot of this source; undefined if this reader wrote none. */
export function parseBulkState(state: unknown, source: Source): BulkState | undefined {
  return asObject(state)?.bulkReader === smartLinksReaderId(source) ? (state as BulkState) : undefined
}

/** The state after reading these pages, which are not empty. */
export function bulkStateOf(
  source: Source,
  pages: readonly ReadPage[],
  nowMs: number,
): Omit<BulkState, 'digest' | 'files' | 'messages'> {
  const [last] = pages.slice(-1)
  const isOpen = last?.manifest.next === PENDING
  const { publishedAtMs, updateCadenceMs } = last?.manifest ?? {}
  return {
    bulkReader: smartLinksReaderId(source),
    pages: (isOpen ? pages.slice(-1) : pages).map(({ url, validators, text, manifest }) => ({
      url,
      validators,
      content: contentOf(text),
      listing: listingOf(manifest),
    })),
    isOpen,
    ...defined({ publishedAtMs, updateCadenceMs }),
    askedAtMs: nowMs,
  }
}
