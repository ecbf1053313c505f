import { MINUTE_MS } from '../lib/time.ts'
import { ACCOUNT_VARIABLES, type AccountConfig, readAccountConfig } from './account-config.ts'
import { ALERT_VARIABLES, readAlertConfig } from './alert-config.ts'
import type { AlertSettings } from './dashboard-thread-options.ts'
import {
  ConfigFault,
  EnvironmentReader,
  integer,
  optional,
  parseBaseUrl,
  parseHost,
  truth,
  type Variable,
  webAddress,
} from './environment.ts'
import { workersVariable } from './workers-variable.ts'

/** What the operator decided, read once from the environment and frozen. */
export interface Config {
  /** 0 lets the system choose a free one. */
  readonly port: number
  readonly host: string
  /** Where callers reach the service, without a slash at its end. */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  /** `sqlite:./<path>`, `sqlite:/<path>`, `postgres://…` or `postgresql://…`. May hold a password: never to be shown. */
  readonly databaseUrl: string
  /** A way to the same PostgreSQL past a pooler of transactions. As secret as `databaseUrl`. */
  readonly databaseDirectUrl?: string
  /** Sources may lie at private and loopback addresses. */
  readonly allowPrivateSources: boolean
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** How often a source is synced when neither the operator nor its publisher says. */
  readonly syncEveryMs: number
  /** How many sources are synced at the same time. */
  readonly syncConcurrency: number
  /** How long the store remembers what died, for nodes that follow it. */
  readonly changesRetentionMs: number
  /** How many threads answer callers. */
  readonly workers: number
  /** How long a node that was asked to end goes on answering, and says that it is not ready. */
  readonly drainMs: number
  /** Where `/metrics` is served; nowhere without it. */
  readonly metricsPort?: number
  /** What `${SOURCE_…}` stands for in the options of sources, by name. Never to be shown. */
  readonly sourceSecrets: Readonly<Record<string, string>>
  /** What `mcp` shows to the service it asks. Never to be shown. */
  readonly apiKey?: string
  readonly account: AccountConfig
  /** Who is told of sources in trouble. */
  readonly alerts: AlertSettings
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Every variable that is read, but for those that begin with `SOURCE_`; nothing else is. `docs/configuration.md` has a row for each: a test holds it. */
export const VARIABLES = {
  port: { name: 'PORT', fallback: '8080', ...integer(0, 65_535) },
  host: { name: 'HOST', fallback: '0.0.0.0', must: 'a host name or an IP address', parse: parseHost },
  baseUrl: { name: 'BASE_URL', fallback: 'http://localhost:<PORT>', ...webAddress(), parse: parseBaseUrl },
  dashboardUrl: { name: 'DASHBOARD_URL', fallback: '<BASE_URL>/', ...webAddress() },
  docsUrl: { name: 'DOCS_URL', fallback: '<BASE_URL>/docs', ...webAddress() },
  databaseUrl: {
    name: 'DATABASE_URL',
    fallback: 'sqlite:./data/slots.db',
    must: 'sqlite:./<path>, sqlite:/<path> or postgres://<user>@<host>/<database>',
    parse: (text: string) => (/^(sqlite:\.{0,2}\/(?!\/).|postgres(ql)?:\/\/.)/.test(text) ? text : undefined),
    secret: true,
  },
  databaseDirectUrl: {
    name: 'DATABASE_DIRECT_URL',
    fallback: '',
    must: 'postgres://<user>@<host>/<database>',
    parse: (text: string) => (/^(postgres(ql)?:\/\/.|$)/.test(text) ? text : undefined),
    secret: true,
  },
  allowPrivateSources: { name: 'ALLOW_PRIVATE_SOURCES', fallback: 'false', ...truth() },
  logLevel: {
    name: 'LOG_LEVEL',
    fallback: 'info',
    must: `one of ${LOG_LEVELS.join(', ')}`,
    parse: (text: string) => LOG_LEVELS.find((level) => level === text),
  },
  // A source is never asked more often than once a minute; the upper bound is a week.
  syncEveryMinutes: { name: 'SYNC_EVERY_MINUTES', fallback: '5', ...integer(1, 10_080) },
  syncConcurrency: { name: 'SYNC_CONCURRENCY', fallback: '4', ...integer(1, 64) },
  changesRetentionMinutes: { name: 'CHANGES_RETENTION_MINUTES', fallback: '60', ...integer(1, 10_080) },
  workers: workersVariable(process.platform),
  drainSeconds: { name: 'DRAIN_SECONDS', fallback: '5', ...integer(0, 3600) },
  metricsPort: { name: 'METRICS_PORT', fallback: '', ...optional(integer(1, 65_535)) },
  // Its form is looked at by the one command that uses it: `serve` must not fail for it.
  apiKey: {
    name: 'SLOTS_API_KEY',
    fallback: '',
    must: 'an API key',
    parse: (text: string) => text,
    secret: true,
  },
  ...ACCOUNT_VARIABLES,
  ...ALERT_VARIABLES,
} satisfies Record<string, Variable<unknown>>

/** Reads the configuration. An empty variable counts as unset. Throws `ConfigFault` with every fault there is. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const reader = new EnvironmentReader(env)
  const metricsPort = reader.read(VARIABLES.metricsPort)
  const apiKey = reader.read(VARIABLES.apiKey)
  const config: Omit<Config, 'alerts'> = {
    port: reader.read(VARIABLES.port),
    host: reader.read(VARIABLES.host),
    baseUrl: reader.read(VARIABLES.baseUrl),
    dashboardUrl: reader.read(VARIABLES.dashboardUrl),
    docsUrl: reader.read(VARIABLES.docsUrl),
    ...readDatabase(reader),
    allowPrivateSources: reader.read(VARIABLES.allowPrivateSources),
    logLevel: reader.read(VARIABLES.logLevel),
    syncEveryMs: reader.read(VARIABLES.syncEveryMinutes) * MINUTE_MS,
    syncConcurrency: reader.read(VARIABLES.syncConcurrency),
    changesRetentionMs: reader.read(VARIABLES.changesRetentionMinutes) * MINUTE_MS,
    workers: reader.read(VARIABLES.workers),
    drainMs: reader.read(VARIABLES.drainSeconds) * 1000,
    ...(metricsPort !== 'none' && { metricsPort }),
    sourceSecrets: readSourceSecrets(env),
    ...(apiKey !== '' && { apiKey }),
    account: readAccountConfig(reader),
  }
  const { account, allowPrivateSources: allowPrivate } = config
  const alerts = readAlertConfig(reader, { smtpUrl: account.smtpUrl, allowPrivate })
  if (reader.faults.length > 0) throw new ConfigFault(reader.faults)
  return Object.freeze({ ...config, alerts })
}

function readDatabase(reader: EnvironmentReader): Pick<Config, 'databaseUrl' | 'databaseDirectUrl'> {
  const databaseUrl = reader.read(VARIABLES.databaseUrl)
  const databaseDirectUrl = reader.read(VARIABLES.databaseDirectUrl)
  if (databaseDirectUrl === '') return { databaseUrl }
  if (!databaseUrl.startsWith('postgres')) {
    reader.faults.push('DATABASE_DIRECT_URL must go with a DATABASE_URL of PostgreSQL')
  }
  return { databaseUrl, databaseDirectUrl }
}

/** Whatever an operator calls `SOURCE_…`: which of them are needed, the sources say. */
function readSourceSecrets(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (/^SOURCE_[A-Z0-9_]{1,100}$/.test(name) && value) secrets[name] = value
  }
  return Object.freeze(secrets)
}
