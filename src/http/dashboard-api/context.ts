import type { SignIn } from '../../auth/open-sign-in.ts'
import type { ApiKey } from '../../keys/key.ts'
import type { ImportReport } from '../../shared/contract/imports.ts'
import type { AlertChannelView, AlertTestView } from '../../shared/contract/operator.ts'
import type { SourceCheck } from '../../shared/contract/sources.ts'
import type { AuditActor } from '../../store/contracts/audit.ts'
import type { Invitation } from '../../store/contracts/organizations.ts'
import type { Store } from '../../store/contracts/store.ts'
import type { SubscriptionChanges } from '../../subscriptions/subscription-changes.ts'
import type { NodeQuery } from '../node-query.ts'
import type { RateLimitSettings } from '../rate-limits.ts'
import type { SerializedResponse } from '../serialized-http.ts'
import type { FeedChecks } from './feed-checks/feed-checks.ts'

/** The dependencies of the dashboard API. */
export interface DashboardContext {
  readonly store: Store
  readonly signIn: SignIn
  /** Ends in a slash. */
  readonly dashboardUrl: string
  /** The address of `/v1`, without a slash at the end. */
  readonly baseUrl: string
  /** For the size of the database file. May contain a password: never show it. */
  readonly databaseUrl: string
  readonly version: string
  /** In lower case. Users with one of these addresses, once verified, are operators. */
  readonly operatorEmails: readonly string[]
  readonly configured: ConfiguredLimits
  /** Queries the main thread. Once the signal aborts, the response is not needed. */
  readonly queryNode: (query: NodeQuery, signal?: AbortSignal) => Promise<SerializedResponse>
  /** Resolves when every serving thread of this node uses the keys as they are now: await it before responding. */
  readonly applyKeys: (keys: readonly ApiKey[]) => Promise<void>
  /** Reads a manifest without adding a source. Never throws. */
  readonly checkSource: (url: string) => Promise<SourceCheck>
  readonly alerts: AlertService
  readonly feedChecks: FeedChecks
  readonly subscriptions: SubscriptionChanges
  /** Reads an uploaded file and, unless it is a dry run, replaces its source's slots. Throws `DashboardProblem`. */
  readonly importUpload: (content: AsyncIterable<Uint8Array>, options: UploadOptions) => Promise<ImportReport>
  /** Returns at once. Absent if the service cannot send mail. */
  readonly mailInvitation?: (mail: InvitationMail) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called for each unexpected error. */
  readonly onError: (error: unknown, request: { method: string; path: string }) => void
}

/** The limits that the configuration sets; what is absent is unlimited. */
export interface ConfiguredLimits {
  /** How many changes an account may make in an hour. */
  readonly changesPerHourMax: number
  readonly rateLimits: RateLimitSettings
  /** The manifest of the open feed, if it is open. */
  readonly openFeedUrl?: string
  /** Slots of all sources together. */
  readonly slotsMax: number
  readonly uploadBytesMax: number
  /** Of usage, and of keys and invitations after their end. */
  readonly retentionMs: number
  readonly requestLog: { readonly retentionMs: number; readonly entriesMax: number }
  readonly auditRetentionMs?: number
  readonly auditEntriesMax?: number
}

/** The alert channels of this node. */
export interface AlertService {
  /** Empty if no alerts are configured. */
  list(): Promise<AlertChannelView[]>
  /** Sends a test to each channel and waits for the results, at most a minute. */
  test(): Promise<AlertTestView[]>
}

export interface UploadOptions {
  readonly slug: string
  readonly by: AuditActor
  readonly fileName: string
  readonly dryRun: boolean
  /** Detected from the content by default. */
  readonly format?: ImportReport['format'] | undefined
  /** The time zone of times without an offset: an IANA name. */
  readonly timeZone?: string | undefined
  readonly dateOrder?: 'mdy' | 'dmy' | undefined
}

export interface InvitationMail {
  readonly to: string
  readonly link: string
  readonly organization: string
  readonly role: Invitation['role']
  /** The sender's email address. */
  readonly invitedBy: string
  readonly expiresAtMs: number
}
