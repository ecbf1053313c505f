import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { KeyRing } from '../keys/key-ring.ts'
import type { LoggedProblem } from '../keys/usage-batch.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import type { ServiceIdentity } from '../shared/service-identity.ts'
import type { KnownSources } from '../slot-index/known-sources.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import type { FairCaller, FairQueue } from './fair-queue.ts'
import type { OpenFeedCounts } from './open-feed/open-feed-counts.ts'
import type { RateLimits } from './rate-limits.ts'
import type { SerializedResponse } from './serialized-http.ts'
import type { StaticFiles } from './show-file.ts'
import type { ReadHistory } from './status/status-page.ts'
import type { ExportPump } from './v1/export-slots/export-pump.ts'
import type { FeedVersions } from './v1/fhir-feed/feed-versions.ts'
import type { ChangeStreams } from './v1/list-changes/change-streams.ts'

/** The dependencies of the HTTP API. All of them respond synchronously, except `queue` and `relay`. */
export interface ApiContext {
  readonly index: SlotIndex
  readonly keyRing: KeyRing
  /** The publishers and how fresh their slots are. */
  readonly sources: KnownSources
  readonly meter: UsageMeter
  /** Sends responses in chunks. */
  readonly exports: ExportPump
  /** Sends changes as they are committed. */
  readonly changeStreams: ChangeStreams
  /** Shares the thread between callers whose requests take long. */
  readonly queue: FairQueue
  /** Absent unless the operator has set limits. */
  readonly rateLimits: RateLimits | undefined
  /** The versions of the republished FHIR feed. */
  readonly feedVersions: FeedVersions
  /** Counts the requests of the open feed; absent if the operator has not opened it. */
  readonly openFeed?: OpenFeedCounts
  /** Everybody may read how many open slots there are. */
  readonly publicCounts?: boolean
  /** True once the index and the keys have been loaded. */
  readonly isReady: () => boolean
  /** Hands a readiness check to the main thread, which alone knows whether the node is ready; absent there. */
  readonly relayReadiness?: (context: RequestContext) => void
  /** The state that `/readyz` reports; absent in threads that relay it. */
  readonly condition?: () => NodeCondition
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The public URL of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Number of trusted proxies that append to `X-Forwarded-For`; 0 by default. */
  readonly trustedProxies?: number
  readonly dashboardUrl: string
  readonly docsUrl: string
  /** Where to report vulnerabilities: a URI. */
  readonly securityContact?: string | undefined
  /** Who runs the service; unnamed by default. */
  readonly service?: ServiceIdentity
  /** Hands a request to the dashboard thread: `/api/`, and relayed operations. */
  readonly relay: (context: RequestContext) => void
  /** Whether the dashboard receives a file on this socket: an upload may take longer than other requests. */
  readonly isUploading?: (socket: Duplex) => boolean
  /** Reads the history of the status page; absent if the operator has turned the page off. */
  readonly readHistory?: ReadHistory
  /** The front page, the documentation and the dashboard, as files. */
  readonly site: StaticFiles
  /** Reports an unexpected error, which is answered with 500. */
  readonly onError: (error: unknown, request: FailedRequest) => void
  /** Counts and samples a request that was answered with 401, 403 or 429. */
  readonly onRefusal?: (request: IncomingMessage, problem: { status: number; reason: string }) => void
}

/** One request and its response. */
export interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The error that was sent, for the request log. */
  problem?: LoggedProblem | undefined
  /** Counts and logs the request now instead of at the end of its response, which may be hours away. Set for requests with a key that go on. */
  meter?: (() => void) | undefined
  /** The path of the relayed operation: set by the dispatcher once the API key has been checked. */
  readonly operation?: string
  /** Whose key it is; set once the API key has been checked. */
  caller?: FairCaller | undefined
  /** Checks the key again once the body has arrived. If it is no longer accepted, sends the error. Set together with `operation`. */
  readonly isAccepted?: () => boolean
  /** Sends the response of another thread; set together with `operation`. Never throws. */
  readonly send?: (response: SerializedResponse) => void
}

/** The request that caused an unexpected error, for the log. */
export interface FailedRequest {
  readonly id: string
  readonly method: string
  readonly url: string
  /** Of the caller's trace. */
  readonly traceId?: string
}

/** The state of a node, for load balancers and operators. Times are milliseconds since 1970. */
export interface NodeCondition {
  /** The node is shutting down and still answers requests. */
  readonly draining: boolean
  /** Whether the database is available, and since when. Slots and keys are served from memory meanwhile. */
  readonly store: {
    readonly kind: 'sqlite' | 'postgres'
    readonly status: 'ok' | 'unavailable'
    readonly sinceMs: number
  }
  /** Whether all slots fit into the memory of this node. */
  readonly memory?: {
    readonly status: 'ok' | 'full'
    readonly maxBytes: number
    /** Slots in the store that this node does not serve. */
    readonly missingSlots: number
  }
  /** When the index last applied a change; absent before the first. */
  readonly lastChangeAtMs?: number
}
