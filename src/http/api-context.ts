import type { Duplex } from 'node:stream'
import type { KeyRing } from '../keys/key-ring.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import type { KnownSources } from '../slot-index/known-sources.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import type { Exchange } from './request-context.ts'
import type { StaticFiles } from './show-file.ts'
import type { ExportPump } from './v1/export-slots/export-pump.ts'
import type { Editions } from './v1/fhir-feed/feed-versions.ts'

/** What the API answers from. Nothing here waits for anything but the dashboard, which answers when it can. */
export interface ApiContext {
  readonly index: SlotIndex
  readonly keyRing: KeyRing
  /** The publishers, and how fresh what we hold of each is. */
  readonly sources: KnownSources
  /** Counts what keys are used for. */
  readonly meter: UsageMeter
  /** Sends what is too much for one answer. */
  readonly exports: ExportPump
  /** Hands out what we hold as a feed. */
  readonly editions: Editions
  /** True once the index and the keys have been loaded. */
  readonly isReady: () => boolean
  /** What `/readyz` tells beyond that; absent in threads that pass it on to the one that knows. */
  readonly condition?: () => NodeCondition
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Where callers reach the service, without a final slash. */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  /** Answers from another thread: what lies under `/api/`, and operations that are relayed. */
  readonly dashboard: (exchange: Exchange) => void
  /** True while the dashboard takes a file through a socket: that may take longer than any other request. */
  readonly isUploading?: (socket: Duplex) => boolean
  /** The front page, the documentation and the dashboard, as files. */
  readonly site: StaticFiles
  /** Told of every fault of ours: an answer 500 has been given. */
  readonly onFault: (fault: unknown, request: { id: string; method: string; url: string }) => void
}

/** How a node does, for those who give it traffic. Times are milliseconds since 1970. */
export interface NodeCondition {
  /** It was asked to end, and goes on answering those who have not noticed yet. */
  readonly draining: boolean
  /** Whether the database can be asked, and since when that is so. Slots and keys are served from memory meanwhile. */
  readonly store: {
    readonly kind: 'sqlite' | 'postgres'
    readonly status: 'ok' | 'away'
    readonly sinceMs: number
  }
  /** When it last took in a change of the slots; absent before the first. */
  readonly lastChangeAtMs?: number
}
