import type { AlertConfig, Config, RateLimitConfig, SignInConfig } from '../config/config.ts'
import type { AuditConfig, RequestLogConfig } from '../config/log-config.ts'
import type { AllowedHosts } from '../feeds/http/allowed-hosts.ts'
import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import type { UsageBatch } from '../keys/usage-batch.ts'
import type { ServiceIdentity } from '../shared/service-identity.ts'
import type { ChannelRequestOptions } from './channel.ts'
import type { JobsOptions } from './jobs.ts'
import type { ParentOperations, ThreadOperations } from './supervised-worker.ts'

/** Start options of the dashboard thread: structured-cloneable. */
export interface DashboardThreadOptions {
  readonly databaseUrl: string
  readonly revocationLog?: string | undefined
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Address of the dashboard, with a trailing slash; its origin is used for cookies and links. */
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly version: string
  readonly service: ServiceIdentity
  /** Checked feeds may have private and loopback addresses. */
  readonly allowPrivateSources: boolean
  readonly allowedSourceHosts?: AllowedHosts
  readonly subscriptions: Config['subscriptions']
  /** Values of `${SOURCE_…}` for checking the feed of a source. Secret. */
  readonly sourceSecrets?: Readonly<Record<string, string>>
  /** Maximum size of an uploaded file as sent. */
  readonly uploadBytesMax: number
  /** Standard output is a terminal, which may show the setup link. */
  readonly isTerminal: boolean
  /** Slots of all sources together. */
  readonly slotsMax: number
  /** As callers of `/v1` have them, to show them. */
  readonly rateLimits: RateLimitConfig
  readonly openFeed?: boolean
  /** Limits of imports and feed checks. */
  readonly jobs: JobsOptions
  readonly account: SignInConfig
  readonly alerts: AlertConfig
  readonly audit: AuditConfig
  readonly requestLog: RequestLogConfig
}

/**
 * The operations of the dashboard thread for the main thread. It alone signs people in and answers the dashboard API: hashing passwords and
 * waiting for the database must not delay `/v1`.
 */
export interface DashboardOperations extends ThreadOperations {
  /** Transfer the port of an upload: `transferOf()`. */
  respond(request: SerializedRequest): SerializedResponse
  addUsage(batch: UsageBatch): UsageResult
}

/** Without an error if the outage of the store is logged elsewhere. */
export type UsageResult = { readonly stored: true } | { readonly stored: false; readonly error?: string | undefined }

/** The operations of the main thread for the dashboard thread. */
export interface DashboardParent extends ParentOperations {
  query(query: NodeQuery): SerializedResponse
  /** Replies when every serving thread of the node uses the keys. */
  applyKeys(keys: readonly ApiKey[]): void
}

/** Moves the upload port of a request along with it. */
export function transferOf({ upload }: SerializedRequest): ChannelRequestOptions {
  return upload === undefined ? {} : { transfer: [upload] }
}
