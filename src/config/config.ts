import type { z } from 'zod'
import { defined } from '../lib/optional.ts'
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts'
import { type AuditConfig, logConfigs, type RequestLogConfig } from './log-config.ts'
import { type OpenTelemetryConfig, openTelemetryConfig } from './open-telemetry-config.ts'
import { type ServiceConfig, serviceConfig } from './service-config.ts'
import { storeFilesOf } from './store-files.ts'
import { type LOG_LEVELS, VARIABLES, type Variable } from './variables.ts'

/** The configuration, read once from the environment and frozen. */
export interface Config extends ServiceConfig {
  /** 0 selects a free port. */
  readonly port: number
  readonly host: string
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  /** `sqlite:./<path>`, `sqlite:/<path>`, `postgres://…` or `postgresql://…`. May contain a password: never log it. */
  readonly databaseUrl: string
  /** Address of the same PostgreSQL that bypasses a transaction pooler. As secret as `databaseUrl`. */
  readonly databaseDirectUrl?: string
  /** Folder of the index checkpoint; it is not saved if absent. */
  readonly checkpointFolder?: string
  /** File to which revocations are appended; absent: they are not logged. */
  readonly revocationLog?: string
  /** Sources may have private and loopback addresses. */
  readonly allowPrivateSources: boolean
  /** `max`: of an organization. `allowPrivate`: webhooks may have private addresses, and http. */
  readonly subscriptions: { readonly max: number; readonly allowPrivate: boolean }
  /** Sources may have these hosts only: names, addresses and `*.<domain>`. Any public host if absent. */
  readonly allowedSourceHosts?: readonly string[]
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Sync interval if neither the operator nor the publisher specifies one. */
  readonly syncEveryMs: number
  /** Number of concurrent syncs. */
  readonly syncConcurrency: number
  /** Memory that the process may use, if less than the container's or the system's. */
  readonly memoryBytesMax?: number
  /** Maximum JavaScript heap of one sync, import or check, in MiB; by default what the memory allows. */
  readonly syncHeapMb?: number
  /** Slots of all sources together. */
  readonly slotsMax: number
  /** How long deleted rows are retained for nodes that tail the store. */
  readonly changesRetentionMs: number
  /** Where to report vulnerabilities: a URI. */
  readonly securityContact?: string | undefined
  /** The front page shows how many open slots there are. */
  readonly publicCounts: boolean
  /** The published feed can be read without a key. */
  readonly openFeed: boolean
  /** Number of threads that serve callers. */
  readonly workers: number
  /** How long a stopping node continues to serve while it reports that it is not ready. */
  readonly drainMs: number
  /** Open connections of one serving thread, and of one public address to it. */
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  /** Of requests to `/v1` and `/mcp`; those that are absent are unlimited. */
  readonly rateLimits: RateLimitConfig
  /** Port of `/metrics`; not served if absent. */
  readonly metricsPort?: number
  /** Traces and metrics are not exported if absent. */
  readonly openTelemetry?: OpenTelemetryConfig
  /** Values of `${SOURCE_…}` in the options of sources, by name. Secret. */
  readonly sourceSecrets: Readonly<Record<string, string>>
  /** API key that the command `mcp` sends. Secret. */
  readonly apiKey?: string
  readonly account: AccountConfig
  readonly alerts: AlertConfig
  readonly audit: AuditConfig
  readonly requestLog: RequestLogConfig
}

/** Requests a minute, and milliseconds of thread time a second, of each key and of each organization. */
export interface RateLimitConfig {
  readonly keyRequests?: number
  readonly keyMs?: number
  readonly organizationRequests?: number
  readonly organizationMs?: number
}

/** Sign-in, and limits of the dashboard API that the main thread enforces. */
interface AccountConfig extends SignInConfig {
  /** Number of trusted proxies that append to `X-Forwarded-For`. */
  readonly trustedProxies: number
  /** Maximum size of an uploaded file as sent. */
  readonly uploadBytesMax: number
}

/** Who can sign in, and how. */
export interface SignInConfig {
  /** `domains`: people with an address in `signUpDomains`; `invited`: people with an invitation. */
  readonly signUp: 'open' | 'invited' | 'domains'
  readonly signUpDomains: readonly string[]
  /** Email and password can be used. */
  readonly passwordSignIn: boolean
  /** Lower case. Each becomes an operator once the address is verified. */
  readonly operatorEmails: readonly string[]
  /** The accounts that must use a second factor with a password. Absent: none. */
  readonly requireSecondFactor?: 'operators' | 'everybody'
  /** `smtp://` or `smtps://`; may contain a password: never log it. */
  readonly smtpUrl?: string
  readonly mailFrom: string
  /** How many changes an account may make in an hour in the dashboard. */
  readonly changesPerHourMax: number
  readonly oidc?: OidcConfig
  /** At least 32 characters; without it the store keeps a generated one. Secret. */
  readonly authSecret?: string
  /** Secrets whose signatures and encrypted text are still accepted. Secret. */
  readonly previousAuthSecrets?: readonly string[]
}

/** An OpenID Connect provider. */
interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  /** Secret. */
  readonly clientSecret: string
  /** Label of the sign-in button. */
  readonly name: string
}

/** Recipients of alerts. */
export interface AlertConfig {
  /** Lower case, distinct; empty without a mail server. */
  readonly emails: readonly string[]
  /** URL and secrets are secret. */
  readonly webhook?: { readonly url: string; readonly secrets: readonly string[] }
}

/** The environment is invalid; the message has one line per error. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    super(`Cannot read the environment:\n${errors.map((error) => `  ${error}`).join('\n')}`)
    this.errors = errors
  }
}

/** How `bin/slots` was called; undefined if the program was started in another way. */
export function calledAs(): string | undefined {
  return process.env.SLOTS_PROGRAM || undefined
}

/** Reads the configuration. Empty variables count as unset. Throws `ConfigError` with all errors. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { values, errors } = readVariables(env)
  errors.push(...findConflicts(values))
  if (errors.length > 0) throw new ConfigError(errors)
  const { MEMORY_MB_MAX } = values
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    baseUrl: values.BASE_URL,
    dashboardUrl: values.DASHBOARD_URL,
    docsUrl: values.DOCS_URL,
    databaseUrl: values.DATABASE_URL,
    ...storeFilesOf(values),
    allowPrivateSources: values.ALLOW_PRIVATE_SOURCES,
    subscriptions: { max: values.SUBSCRIPTIONS_MAX, allowPrivate: values.ALLOW_PRIVATE_WEBHOOKS },
    ...(values.ALLOWED_SOURCE_HOSTS.length > 0 && { allowedSourceHosts: values.ALLOWED_SOURCE_HOSTS }),
    logLevel: values.LOG_LEVEL,
    syncEveryMs: values.SYNC_EVERY_MINUTES * MINUTE_MS,
    syncConcurrency: values.SYNC_CONCURRENCY,
    slotsMax: values.SLOTS_MAX,
    ...(MEMORY_MB_MAX !== undefined && { memoryBytesMax: MEMORY_MB_MAX * 2 ** 20 }),
    changesRetentionMs: values.CHANGES_RETENTION_MINUTES * MINUTE_MS,
    ...defined({ databaseDirectUrl: values.DATABASE_DIRECT_URL, syncHeapMb: values.SYNC_HEAP_MB }),
    ...defined({ metricsPort: values.METRICS_PORT, apiKey: values.SLOTS_API_KEY }),
    ...defined({ securityContact: values.SECURITY_CONTACT }),
    publicCounts: values.PUBLIC_COUNTS,
    openFeed: values.OPEN_FEED,
    workers: values.WORKERS,
    drainMs: values.DRAIN_SECONDS * SECOND_MS,
    connectionsMax: values.CONNECTIONS_MAX,
    connectionsPerAddressMax: values.CONNECTIONS_PER_ADDRESS_MAX,
    rateLimits: defined({
      keyRequests: values.RATE_LIMIT_KEY_REQUESTS,
      keyMs: values.RATE_LIMIT_KEY_MS,
      organizationRequests: values.RATE_LIMIT_ORGANIZATION_REQUESTS,
      organizationMs: values.RATE_LIMIT_ORGANIZATION_MS,
    }),
    ...openTelemetryConfig(values),
    sourceSecrets: readSourceSecrets(env),
    account: accountConfig(values),
    alerts: alertConfig(values),
    ...logConfigs(values),
    ...serviceConfig(values),
  })
}

/** The values of the variables. */
export type Values = { [Name in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[Name]['schema']> }

function readVariables(env: NodeJS.ProcessEnv): { values: Values; errors: string[] } {
  const values: Record<string, unknown> = {}
  const errors: string[] = []
  for (const [name, { fallback, schema, secret }] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const unset = fallback.replace(/<(\w+)>/, (_, other) => String(values[other]))
    const text = env[name] || unset
    const { success, data, error } = schema.safeParse(text)
    if (!success) {
      errors.push(`${name} must be ${error.issues[0]?.message}${secret ? '' : `: got ${JSON.stringify(text)}`}`)
    }
    values[name] = success ? data : schema.parse(unset)
  }
  return { values: values as Values, errors }
}

/** The faults of variables that are valid one by one. */
function findConflicts(values: Values): string[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, SMTP_URL, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = values
  const { ALERT_WEBHOOK_URL, ALERT_WEBHOOK_SECRET } = values
  const oidc = { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }
  const unset = Object.entries(oidc).filter(([, value]) => value === undefined)
  const hasOidc = unset.length < 3
  const conflicts: [boolean, string][] = [
    [
      DATABASE_DIRECT_URL !== undefined && !DATABASE_URL.startsWith('postgres'),
      'DATABASE_DIRECT_URL needs a PostgreSQL DATABASE_URL',
    ],
    ...(hasOidc ? unset : []).map(([name]): [boolean, string] => [
      true,
      `${name} must be set because another OIDC variable is set`,
    ]),
    [
      !values.PASSWORD_SIGN_IN && !hasOidc,
      'PASSWORD_SIGN_IN must be true while OIDC_ISSUER is unset: there is no other way to sign in',
    ],
    [
      values.SIGN_UP_DOMAINS.length > 0 && SMTP_URL === undefined && !hasOidc,
      'SIGN_UP_DOMAINS needs SMTP_URL or OIDC_ISSUER to verify addresses',
    ],
    [
      values.AUDIT_ENTRIES_MAX !== undefined && values.AUDIT_LOG === undefined,
      'AUDIT_ENTRIES_MAX needs AUDIT_LOG: entries are exported before they are deleted',
    ],
    [values.ALERT_EMAILS.length > 0 && SMTP_URL === undefined, 'ALERT_EMAILS needs SMTP_URL'],
    [
      (ALERT_WEBHOOK_URL === undefined) !== (ALERT_WEBHOOK_SECRET.length === 0),
      'ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET must be set together: webhooks are always signed',
    ],
    [
      ALERT_WEBHOOK_URL?.startsWith('http:') === true && !values.ALLOW_PRIVATE_SOURCES,
      'ALERT_WEBHOOK_URL must be https, unless ALLOW_PRIVATE_SOURCES is true',
    ],
  ]
  return conflicts.flatMap(([isConflict, message]) => (isConflict ? [message] : []))
}

function accountConfig(values: Values): AccountConfig {
  const { SIGN_UP, SIGN_UP_DOMAINS, REQUIRE_SECOND_FACTOR, SMTP_URL, AUTH_SECRET, AUTH_SECRET_PREVIOUS } = values
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = values
  const hasOidc = OIDC_ISSUER !== undefined && OIDC_CLIENT_ID !== undefined && OIDC_CLIENT_SECRET !== undefined
  return {
    signUp: SIGN_UP === 'open' && SIGN_UP_DOMAINS.length > 0 ? 'domains' : SIGN_UP,
    signUpDomains: SIGN_UP_DOMAINS,
    passwordSignIn: values.PASSWORD_SIGN_IN,
    operatorEmails: values.OPERATOR_EMAILS,
    mailFrom: values.MAIL_FROM,
    changesPerHourMax: values.CHANGES_PER_HOUR_MAX,
    trustedProxies: values.TRUSTED_PROXIES,
    uploadBytesMax: values.UPLOAD_MB_MAX * 2 ** 20,
    ...(REQUIRE_SECOND_FACTOR !== 'none' && { requireSecondFactor: REQUIRE_SECOND_FACTOR }),
    ...defined({ smtpUrl: SMTP_URL, authSecret: AUTH_SECRET }),
    previousAuthSecrets: AUTH_SECRET_PREVIOUS,
    ...(hasOidc && {
      oidc: {
        issuer: OIDC_ISSUER,
        clientId: OIDC_CLIENT_ID,
        clientSecret: OIDC_CLIENT_SECRET,
        name: OIDC_NAME,
      },
    }),
  }
}

function alertConfig({ ALERT_EMAILS, ALERT_WEBHOOK_URL, ALERT_WEBHOOK_SECRET }: Values): AlertConfig {
  return {
    emails: ALERT_EMAILS,
    ...(ALERT_WEBHOOK_URL !== undefined && {
      webhook: { url: ALERT_WEBHOOK_URL, secrets: ALERT_WEBHOOK_SECRET },
    }),
  }
}

/** Variables that begin with `SOURCE_`; the options of sources refer to them by name. */
function readSourceSecrets(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (/^SOURCE_[A-Z0-9_]{1,100}$/.test(name) && value) secrets[name] = value
  }
  return Object.freeze(secrets)
}
