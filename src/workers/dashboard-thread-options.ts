import type { AlertConfig, SignInConfig } from '../config/config.ts'

/** Start options of the dashboard thread: structured-cloneable. */
export interface AccountThreadOptions {
  readonly databaseUrl: string
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Address of the dashboard, with a trailing slash; its origin is used for cookies and links. */
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly version: string
  /** Checked feeds may have private and loopback addresses. */
  readonly allowPrivateSources: boolean
  /** Values of `${SOURCE_…}` for checking the feed of a source. Secret. */
  readonly sourceSecrets?: Readonly<Record<string, string>>
  /** Maximum size of an uploaded file as sent. */
  readonly uploadBytesMax: number
  readonly account: SignInConfig
  readonly alerts: AlertConfig
}
