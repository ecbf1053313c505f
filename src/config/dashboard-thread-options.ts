/** What the account thread is told at its start: plain, so that it can be handed to a thread. */
export interface AccountThreadOptions {
  readonly databaseUrl: string
  /** Where callers reach the service, without a slash at its end. */
  readonly baseUrl: string
  /** Where the dashboard is: its origin is that of every cookie and link; ends in a slash. */
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly version: string
  /** Let a source that is checked be read from private and loopback addresses. */
  readonly allowPrivateSources: boolean
  /** What `${SOURCE_…}` stands for where the feed of a source is checked. Never to be shown. */
  readonly sourceSecrets?: Readonly<Record<string, string>>
  /** How large a file may be that is brought, as it comes. */
  readonly uploadBytesMax: number
  readonly account: SignInSettings
  readonly alerts: AlertSettings
}

/** Who is told of sources in trouble. */
export interface AlertSettings {
  /** Lower case, without repetition; empty where there is no mail server. */
  readonly emails: readonly string[]
  /** Neither the URL nor the secrets are ever to be shown. */
  readonly webhook?: { readonly url: string; readonly secrets: readonly string[] }
}

/** How people sign in and who may: `AccountConfig`, less what concerns the main thread alone. */
export interface SignInSettings {
  readonly signUp: 'open' | 'invited' | 'domains'
  readonly signUpDomains: readonly string[]
  readonly passwordSignIn: boolean
  /** Lower case. */
  readonly operatorEmails: readonly string[]
  readonly smtpUrl?: string
  readonly mailFrom: string
  readonly oidc?: {
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret: string
    readonly name: string
  }
  readonly authSecret?: string
}
