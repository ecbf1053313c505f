import type { HealthView } from '../shared/contract/operator.ts'
import type { FairCaller } from './fair-queue.ts'
import type { ContentCoding } from './negotiation.ts'

/** A query that only the main thread can answer. `search` is a URL's query string without the question mark. */
export type NodeQuery =
  | { readonly about: 'slots' | 'days' | 'suggestions'; readonly search: string; readonly by: FairCaller }
  /** Answered by a CSV file, see `CsvDownloads`. */
  | {
      readonly about: 'csv'
      readonly search: string
      readonly coding: ContentCoding | undefined
      readonly by: FairCaller
    }
  /** Answered by a list of `CityCenter`. */
  | { readonly about: 'cities'; readonly text: string; readonly by: FairCaller }
  | { readonly about: 'health' }
  /** Answered by lines of JSON: `EventSlotsHead`, then each of the slots that exist. */
  | { readonly about: 'event-slots'; readonly ids: readonly string[] }
  /** Answered by `OpenSlotCounts`. */
  | { readonly about: 'open-slots' }
  /** A GET of `/v1` that is answered from memory: path and query. */
  | { readonly about: 'operation'; readonly target: string; readonly by: FairCaller }

/** The main thread's reply to `health`; the dashboard thread adds the rest. */
export type NodeHealth = Omit<HealthView, 'version' | 'store' | 'mail'>

/** The committed revision of the node's slots. */
export interface EventSlotsHead {
  /** Identifies the store of the revision: see `Revision`. */
  readonly store: number
  readonly revision: number
}

/** The number of open slots of each publisher, in all and by state. */
export type OpenSlotCounts = Readonly<
  Record<string, { readonly all: number; readonly byState: Readonly<Record<string, number>> }>
>
