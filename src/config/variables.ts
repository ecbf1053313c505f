import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { isPercentEncoded } from '../lib/text.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const AUTH_SECRET_FORM = /^[^\s,]{32,}$/
const ALERT_EMAILS_MAX = 20
const WORKERS_MAX = 64

/** One variable of the environment. */
export interface Variable<T> {
  /** As text; `<NAME>` is replaced by the value of a variable that comes before. Empty for none. */
  readonly fallback: string
  /** The message of its error completes "PORT must be …". */
  readonly schema: z.ZodType<T, string>
  /** Its value must not be repeated in an error. */
  readonly secret?: true
}

/** Without a user name and a password: responses and pages contain these addresses. */
const webUrl = z
  .url({ protocol: /^https?$/, error: 'an http or https URL' })
  .regex(/^\w+:\/\/[^/?#@]+(?![^/?#])/, 'an http or https URL without a user name and a password')
const address = webUrl.transform((text) => new URL(text).href)
const smtpUrl = z.url({
  protocol: /^smtps?$/,
  hostname: /./,
  // Not as one URL: the output would redact its password.
  error:
    'smtp:// or smtps://<host>:<port>, with <user>:<password>@ before the host if it has them, special characters percent-encoded',
})
const contact = matching(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+|tel:\+?[\d-]+)$/, 'a mailto:, https: or tel: address')

/** Base URL of the service: paths are appended to it, so it has no query, no fragment and no trailing slash. */
export const BASE_URL_SCHEMA = webUrl
  .refine((text) => !/[?#]/.test(text), 'an http or https URL')
  .transform((text) => new URL(text).href.replace(/\/+$/, ''))

const DATABASE_URL_SCHEMA = matching(
  /^(sqlite:\.{0,2}\/(?!\/).|postgres(ql)?:\/\/.)/,
  'sqlite:./<path>, sqlite:/<path> or postgres://<user>@<host>/<database>',
)

/**
 * Every variable that is read, besides those that begin with `SOURCE_`. A test holds docs/configuration.md to this table.
 * Unset optional variables are undefined.
 */
export const VARIABLES = {
  PORT: { fallback: '8080', schema: integer(0, 65_535) },
  HOST: { fallback: '0.0.0.0', schema: z.string().refine(isHost, 'a host name or an IP address') },
  BASE_URL: { fallback: 'http://localhost:<PORT>', schema: BASE_URL_SCHEMA },
  DASHBOARD_URL: { fallback: '<BASE_URL>/', schema: address },
  DOCS_URL: { fallback: '<BASE_URL>/docs', schema: BASE_URL_SCHEMA },
  DATABASE_URL: { fallback: 'sqlite:./data/slots.db', schema: DATABASE_URL_SCHEMA, secret: true },
  DATABASE_DIRECT_URL: {
    fallback: '',
    schema: optional(matching(/^postgres(ql)?:\/\/./, 'postgres://<user>@<host>/<database>')),
    secret: true,
  },
  // `auto`: beside the file of a SQLite store. `off`: none.
  CHECKPOINT_DIR: { fallback: 'auto', schema: z.string() },
  REVOCATION_LOG: { fallback: 'auto', schema: z.string() },
  ALLOW_PRIVATE_SOURCES: { fallback: 'false', schema: boolean() },
  ALLOW_PRIVATE_WEBHOOKS: { fallback: 'false', schema: boolean() },
  SUBSCRIPTIONS_MAX: { fallback: '1000', schema: integer(0, 100_000) },
  ALLOWED_SOURCE_HOSTS: {
    fallback: '',
    schema: list(
      /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^[0-9a-f:]+$/,
      'host names, IP addresses or *.<domain>, separated by commas',
    ),
  },
  LOG_LEVEL: { fallback: 'info', schema: oneOf(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`) },
  // A publisher is asked at most once a minute; the upper bound is a week.
  SYNC_EVERY_MINUTES: { fallback: '5', schema: integer(1, 10_080) },
  SYNC_CONCURRENCY: { fallback: '4', schema: integer(1, 64) },
  MEMORY_MB_MAX: { fallback: '', schema: optional(integer(1, 100_000_000)) },
  SYNC_HEAP_MB: { fallback: '', schema: optional(integer(64, 65_536)) },
  // No node has been tried with more.
  SLOTS_MAX: { fallback: '20000000', schema: integer(1, 150_000_000) },
  CHANGES_RETENTION_MINUTES: { fallback: '60', schema: integer(1, 10_080) },
  SERVICE_NAME: {
    fallback: 'Scheduling Slots',
    // It is part of the sender of mails.
    schema: matching(
      /^[^\p{Cc}\p{Zl}\p{Zp}<>"\\@]{1,60}$/u,
      'at most 60 characters on one line, without < > " @ and backslashes',
    ),
  },
  OPERATOR_CONTACT: { fallback: '', schema: optional(contact) },
  TERMS_URL: { fallback: '', schema: optional(address) },
  PRIVACY_URL: { fallback: '', schema: optional(address) },
  STATUS_URL: { fallback: '', schema: optional(address) },
  STATUS_PAGE: { fallback: 'true', schema: boolean() },
  SECURITY_CONTACT: { fallback: '', schema: optional(contact) },
  PUBLIC_COUNTS: { fallback: 'true', schema: boolean() },
  OPEN_FEED: { fallback: 'false', schema: boolean() },
  WORKERS: { fallback: 'auto', schema: workersSchema(process.platform) },
  DRAIN_SECONDS: { fallback: '5', schema: integer(0, 3600) },
  METRICS_PORT: { fallback: '', schema: optional(integer(1, 65_535)) },
  OTEL_EXPORTER_OTLP_ENDPOINT: { fallback: '', schema: optional(BASE_URL_SCHEMA) },
  OTEL_EXPORTER_OTLP_HEADERS: { fallback: '', schema: headers(), secret: true },
  OTEL_SERVICE_NAME: { fallback: 'scheduling-slots', schema: z.string() },
  OTEL_TRACES_SAMPLER_ARG: { fallback: '0.01', schema: share() },
  OTEL_METRIC_EXPORT_INTERVAL: { fallback: '60000', schema: integer(1000, 3_600_000) },
  // Checked by the only command that uses it: `serve` must not fail because of it.
  SLOTS_API_KEY: { fallback: '', schema: optional(z.string()), secret: true },
  SIGN_UP: { fallback: 'open', schema: oneOf(['open', 'invited'] as const, 'open or invited') },
  SIGN_UP_DOMAINS: {
    fallback: '',
    schema: list(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'domains, separated by commas: example.org, example.com'),
  },
  PASSWORD_SIGN_IN: { fallback: 'true', schema: boolean() },
  OPERATOR_EMAILS: {
    fallback: '',
    schema: list(/^[^\s@]+@[^\s@]+$/, 'email addresses, separated by commas'),
  },
  REQUIRE_SECOND_FACTOR: {
    fallback: 'none',
    schema: oneOf(['none', 'operators', 'everybody'] as const, 'none, operators or everybody'),
  },
  SMTP_URL: { fallback: '', schema: optional(smtpUrl), secret: true },
  MAIL_FROM: {
    fallback: '"<SERVICE_NAME>" <no-reply@localhost>',
    schema: matching(/^[^@\r\n]+@[^@\s>]+>?$/, 'an email address, or a name and one in angle brackets'),
  },
  OIDC_ISSUER: {
    fallback: '',
    schema: optional(z.url({ protocol: /^https?$/, error: 'the http or https URL of an OpenID Connect issuer' })),
  },
  OIDC_CLIENT_ID: { fallback: '', schema: optional(z.string()) },
  OIDC_CLIENT_SECRET: { fallback: '', schema: optional(z.string()), secret: true },
  OIDC_NAME: { fallback: 'single sign-on', schema: z.string() },
  AUTH_SECRET: {
    fallback: '',
    schema: optional(matching(AUTH_SECRET_FORM, 'at least 32 characters without spaces and commas')),
    secret: true,
  },
  AUTH_SECRET_PREVIOUS: {
    fallback: '',
    schema: secrets(
      (previous) => previous.every((secret) => AUTH_SECRET_FORM.test(secret)),
      'earlier values of AUTH_SECRET, separated by commas',
    ),
    secret: true,
  },
  CHANGES_PER_HOUR_MAX: { fallback: '300', schema: integer(1, 1_000_000) },
  CONNECTIONS_MAX: { fallback: '16384', schema: integer(16, 1_000_000) },
  CONNECTIONS_PER_ADDRESS_MAX: { fallback: '1024', schema: integer(1, 1_000_000) },
  RATE_LIMIT_KEY_REQUESTS: { fallback: '', schema: optional(integer(1, 1_000_000_000)) },
  RATE_LIMIT_KEY_MS: { fallback: '', schema: optional(integer(1, 1000)) },
  RATE_LIMIT_ORGANIZATION_REQUESTS: { fallback: '', schema: optional(integer(1, 1_000_000_000)) },
  RATE_LIMIT_ORGANIZATION_MS: { fallback: '', schema: optional(integer(1, 1000)) },
  TRUSTED_PROXIES: { fallback: '0', schema: integer(0, 10) },
  REQUEST_LOG_DAYS: { fallback: '7', schema: integer(1, 90) },
  REQUEST_LOG_ENTRIES_MAX: { fallback: '100000', schema: integer(1000, 1_000_000) },
  REQUEST_LOG_ADDRESSES: { fallback: 'true', schema: boolean() },
  AUDIT_LOG: { fallback: '', schema: optional(z.string()) },
  AUDIT_DAYS: { fallback: '', schema: optional(integer(30, 36_500)) },
  AUDIT_ENTRIES_MAX: { fallback: '', schema: optional(integer(1000, 1_000_000_000)) },
  UPLOAD_MB_MAX: { fallback: '256', schema: integer(1, 4096) },
  ALERT_EMAILS: {
    fallback: '',
    schema: list(
      /^[^\s@<>]+@[^\s@<>]+$/,
      `at most ${ALERT_EMAILS_MAX} email addresses, separated by commas`,
      ALERT_EMAILS_MAX,
    ),
  },
  ALERT_WEBHOOK_URL: {
    fallback: '',
    schema: optional(
      z
        .string()
        .refine(
          isWebhookUrl,
          'an https URL without user, password and fragment, or an http one with ALLOW_PRIVATE_SOURCES',
        ),
    ),
    secret: true,
  },
  ALERT_WEBHOOK_SECRET: { fallback: '', schema: webhookSecrets(), secret: true },
} as const satisfies Record<string, Variable<unknown>>

/**
 * Threads can share a port on Linux and FreeBSD only. `auto`: one core is left to the other threads of the node, and more than eight
 * threads are not worth their start.
 */
export function workersSchema(platform: NodeJS.Platform, cores = availableParallelism()): z.ZodType<number, string> {
  const canShare = platform === 'linux' || platform === 'freebsd'
  const auto = canShare ? Math.min(8, Math.max(1, cores - 1)) : 1
  const number = canShare
    ? integer(1, WORKERS_MAX, `auto or an integer from 1 to ${WORKERS_MAX}`)
    : integer(1, 1, '1 on this system: only Linux and FreeBSD let several threads listen on one port')
  return z.preprocess((text) => (text === 'auto' ? String(auto) : text), number)
}

/** Whether a text is `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks). */
export function isWebhookSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  if (encoded === undefined) return false
  const key = Buffer.from(encoded, 'base64')
  return (
    key.length >= 24 &&
    key.length <= 64 &&
    key.toString('base64') === encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '=')
  )
}

function integer(min: number, max: number, message = `an integer from ${min} to ${max}`) {
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

/** From 0 to 1. */
function share() {
  const message = 'a number from 0 to 1'
  return z
    .string()
    .regex(/^(0|1|0?\.\d{1,9}|1\.0+)$/, message)
    .transform(Number)
}

/** Names and values as in a `baggage` header (OpenTelemetry protocol exporter, configuration options). */
function headers() {
  return z
    .string()
    .regex(
      /^$|^[\w-]+=[^,;=\s]+(,\s*[\w-]+=[^,;=\s]+)*$/,
      '<name>=<value>, separated by commas, values percent-encoded',
    )
    .refine(isPercentEncoded, 'percent-encoded UTF-8')
    .transform((text): Record<string, string> => {
      const pairs = text === '' ? [] : text.split(',').map((pair) => pair.trim().split('='))
      return Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value)]))
    })
}

function boolean() {
  return oneOf(['true', 'false'] as const, 'true or false').transform((text) => text === 'true')
}

function oneOf<const Values extends readonly string[]>(values: Values, error: string) {
  return z.enum(values, { error })
}

function matching(form: RegExp, message: string) {
  return z.string().regex(form, message)
}

/** Undefined for an empty text. */
function optional<T>(schema: z.ZodType<T, string>): z.ZodType<T | undefined, string> {
  return z.union([z.literal('').transform(() => undefined), schema], {
    error: ({ input }) => schema.safeParse(input).error?.issues[0]?.message,
  })
}

/** Comma-separated values: lower case, distinct, at most `max`. Commas alone are no empty list: many lists restrict something. */
function list(form: RegExp, message: string, max = Number.POSITIVE_INFINITY) {
  return z
    .string()
    .regex(/^$|[^\s,]/, message)
    .transform((text) => [...new Set(partsOf(text.toLowerCase()).filter((part) => part !== ''))])
    .refine((parts) => parts.length <= max && parts.every((part) => form.test(part)), message)
}

/** Separated by commas. */
function secrets(areValid: (secrets: readonly string[]) => boolean, form: string) {
  return z
    .string()
    .transform((text) => (text === '' ? [] : partsOf(text)))
    .refine(areValid, form)
}

/** None, one, or during rotation two. */
function webhookSecrets() {
  return secrets(
    (secrets) => secrets.length <= 2 && secrets.every(isWebhookSecret),
    'whsec_ and the base64 of 24 to 64 bytes, or during rotation two of them, separated by a comma',
  )
}

function partsOf(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)
}

function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === ''
}
