import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { redact } from '../lib/redact.ts'
import { ConfigError, readConfig } from './config.ts'
import { VARIABLES, workersSchema } from './variables.ts'

const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`
const HOOK = { ALERT_WEBHOOK_URL: 'https://hooks.example/t0ken', ALERT_WEBHOOK_SECRET: SECRET }

function errorsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.errors
  }
  return []
}

test('reads an empty environment as the default configuration', () => {
  const config = readConfig({ PORT: '', HOST: '' })
  assert.deepEqual(config, {
    port: 8080,
    host: '0.0.0.0',
    baseUrl: 'http://localhost:8080',
    dashboardUrl: 'http://localhost:8080/',
    docsUrl: 'http://localhost:8080/docs',
    databaseUrl: 'sqlite:./data/slots.db',
    checkpointFolder: './data/slots.db-index',
    revocationLog: './data/slots.db-revocations',
    allowPrivateSources: false,
    subscriptions: { max: 1000, allowPrivate: false },
    logLevel: 'info',
    syncEveryMs: 300_000,
    syncConcurrency: 4,
    slotsMax: 20_000_000,
    changesRetentionMs: 3_600_000,
    publicCounts: true,
    openFeed: false,
    workers: workersSchema(process.platform).parse('auto'),
    drainMs: 5000,
    connectionsMax: 16_384,
    connectionsPerAddressMax: 1024,
    rateLimits: {},
    sourceSecrets: {},
    account: {
      signUp: 'open',
      signUpDomains: [],
      passwordSignIn: true,
      operatorEmails: [],
      mailFrom: '"Scheduling Slots" <no-reply@localhost>',
      previousAuthSecrets: [],
      changesPerHourMax: 300,
      trustedProxies: 0,
      uploadBytesMax: 256 * 2 ** 20,
    },
    alerts: { emails: [] },
    audit: {},
    requestLog: { retentionMs: 7 * 86_400_000, entriesMax: 100_000, addresses: true },
    service: { name: 'Scheduling Slots', statusUrl: 'http://localhost:8080/status' },
    statusPage: true,
  })
  assert.ok(Object.isFrozen(config))
})

test('requires a second factor of operators or everybody', () => {
  const read = (text: string) => readConfig({ REQUIRE_SECOND_FACTOR: text }).account.requireSecondFactor
  assert.deepEqual(['', 'none', 'operators', 'everybody'].map(read), [undefined, undefined, 'operators', 'everybody'])
  assert.match(errorsOf({ REQUIRE_SECOND_FACTOR: 'all' })[0], /must be none, operators or everybody/)
})

test('derives addresses from the port and the base URL unless they are set', () => {
  assert.equal(readConfig({ PORT: '9000' }).docsUrl, 'http://localhost:9000/docs')
  const config = readConfig({
    BASE_URL: 'https://slots.example.org/api/',
    DASHBOARD_URL: 'https://example.org/d',
  })
  assert.equal(config.baseUrl, 'https://slots.example.org/api')
  assert.equal(config.docsUrl, 'https://slots.example.org/api/docs')
  assert.equal(config.dashboardUrl, 'https://example.org/d')
  for (const docsUrl of ['https://docs.example.org', 'https://docs.example.org/'])
    assert.equal(readConfig({ DOCS_URL: docsUrl }).docsUrl, 'https://docs.example.org')
})

test('describes who runs the service, and links its own status page unless another is named', () => {
  const named = {
    SERVICE_NAME: 'Praxis Überall, Köln',
    OPERATOR_CONTACT: 'mailto:help@slots.example',
    TERMS_URL: 'https://slots.example/terms',
    PRIVACY_URL: 'https://slots.example/privacy',
  }
  const { service, account } = readConfig({ ...named, BASE_URL: 'https://slots.example' })
  assert.deepEqual(service, {
    name: 'Praxis Überall, Köln',
    contact: 'mailto:help@slots.example',
    termsUrl: 'https://slots.example/terms',
    privacyUrl: 'https://slots.example/privacy',
    statusUrl: 'https://slots.example/status',
  })
  assert.equal(account.mailFrom, '"Praxis Überall, Köln" <no-reply@localhost>')
  assert.equal(readConfig({ STATUS_URL: 'https://status.example' }).service.statusUrl, 'https://status.example/')
  assert.equal(readConfig({ STATUS_PAGE: 'false' }).service.statusUrl, undefined)
})

test('reports all errors together, one line each', () => {
  const errors = errorsOf({ PORT: 'x', HOST: 'http://a', LOG_LEVEL: 'loud', ALLOW_PRIVATE_SOURCES: 'yes' })
  assert.deepEqual(errors, [
    'PORT must be an integer from 0 to 65535: got "x"',
    'HOST must be a host name or an IP address: got "http://a"',
    'ALLOW_PRIVATE_SOURCES must be true or false: got "yes"',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent: got "loud"',
  ])
})

test('rejects invalid values', () => {
  const wrong: [string, string[]][] = [
    ['PORT', ['-1', '65536', '1.5', '0x10', ' 80', '1e3', '99999999999']],
    ['HOST', ['a b', '-a', 'a:80', '*']],
    ['BASE_URL', ['slots.example.org', 'ftp://a', 'https://a/?q=1', 'https://a/#b', 'http://']],
    ['DOCS_URL', ['/docs', 'https://me@a', 'javascript:alert(1)', 'https://a/?q=1', 'https://a/#b']],
    ['SERVICE_NAME', ['x'.repeat(61), 'a\nb', 'a <b>', '"a"', 'a@b']],
    ['OPERATOR_CONTACT', ['help@slots.example', 'http://a', 'javascript:alert(1)']],
    ['TERMS_URL', ['/terms', 'javascript:alert(1)', 'mailto:a@b']],
    ['STATUS_PAGE', ['yes']],
    ['OTEL_EXPORTER_OTLP_HEADERS', ['a', 'a=b c', 'a=%', 'a=caf%E9']],
    ['SECURITY_CONTACT', ['security@slots.example', 'http://a', 'mailto:a', 'javascript:alert(1)', 'https://a b']],
    ['DATABASE_URL', ['./data/slots.db', 'sqlite:', 'sqlite:slots.db', 'sqlite://a/b', 'mysql://a/b', 'postgres://']],
    [
      'SMTP_URL',
      ['mail.example', 'https://a', 'smtp://', 'smtp://ada:a/b@mail.example', 'smtp://ada:a#b@mail.example'],
    ],
    ['ALLOWED_SOURCE_HOSTS', [',', ' , ']],
    ['SYNC_EVERY_MINUTES', ['0', '10081']],
    ['SYNC_CONCURRENCY', ['0', '65']],
    ['SYNC_HEAP_MB', ['63', '65537']],
    ['CHANGES_RETENTION_MINUTES', ['0', '-60']],
    ['WORKERS', ['0', '65', 'all']],
    ['RATE_LIMIT_KEY_REQUESTS', ['0', '1000000001', 'off']],
    ['RATE_LIMIT_KEY_MS', ['0', '1001']],
    ['DRAIN_SECONDS', ['-1', '3601', '5s']],
    ['METRICS_PORT', ['0', '65536', 'none']],
    ['ALLOW_PRIVATE_SOURCES', ['TRUE', '1', 'toString']],
    ['ALLOW_PRIVATE_WEBHOOKS', ['TRUE', '1']],
    ['SUBSCRIPTIONS_MAX', ['-1', '100001', 'x']],
  ]
  for (const [name, values] of wrong) {
    for (const value of values) {
      const errors = errorsOf({ [name]: value })
      assert.equal(errors.length, 1, `${name}=${value}`)
      assert.deepEqual(errors.map(redact), errors, 'is printed as it is')
    }
  }
})

test('does not repeat the database URL, which may contain a password', () => {
  assert.ok(!errorsOf({ DATABASE_URL: 'mysql://me:secret@db/slots' }).join().includes('secret'))
})

test('requires PostgreSQL for a direct database URL, and does not repeat it', () => {
  const databases = { DATABASE_URL: 'postgres://pooler/slots', DATABASE_DIRECT_URL: 'postgres://a,b/slots' }
  assert.equal(readConfig(databases).databaseDirectUrl, 'postgres://a,b/slots')
  assert.deepEqual(errorsOf({ DATABASE_DIRECT_URL: 'postgres://me:secret@a/slots' }), [
    'DATABASE_DIRECT_URL needs a PostgreSQL DATABASE_URL',
  ])
  assert.deepEqual(errorsOf({ ...databases, DATABASE_DIRECT_URL: 'mysql://me:secret@a/slots' }), [
    'DATABASE_DIRECT_URL must be postgres://<user>@<host>/<database>',
  ])
})

test('docs/configuration.md has a row for each variable, with its default', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (?:`([^`]+)`|none) \| /gm)].map(([, name, fallback]) => [
    name,
    fallback ?? '',
  ])
  assert.deepEqual(
    rows,
    Object.entries(VARIABLES).map(([name, { fallback }]) => [name, fallback]),
  )
})

test('reports incomplete sign-in variables', () => {
  assert.deepEqual(errorsOf({ OIDC_ISSUER: 'https://id.example' }), [
    'OIDC_CLIENT_ID must be set because another OIDC variable is set',
    'OIDC_CLIENT_SECRET must be set because another OIDC variable is set',
  ])
  assert.deepEqual(errorsOf({ PASSWORD_SIGN_IN: 'false' }), [
    'PASSWORD_SIGN_IN must be true while OIDC_ISSUER is unset: there is no other way to sign in',
  ])
})

test('restricts an open sign-up to domains', () => {
  const mail = { SMTP_URL: 'smtp://localhost' }
  const { account } = readConfig({ ...mail, SIGN_UP_DOMAINS: 'Example.org, example.com,example.org' })
  assert.deepEqual([account.signUp, account.signUpDomains], ['domains', ['example.org', 'example.com']])
  assert.equal(readConfig({ ...mail, SIGN_UP: 'invited', SIGN_UP_DOMAINS: 'a.org' }).account.signUp, 'invited')
  assert.deepEqual(errorsOf({ ...mail, SIGN_UP_DOMAINS: 'localhost' }), [
    'SIGN_UP_DOMAINS must be domains, separated by commas: example.org, example.com: got "localhost"',
  ])
  assert.deepEqual(errorsOf({ SIGN_UP_DOMAINS: 'a.org' }), [
    'SIGN_UP_DOMAINS needs SMTP_URL or OIDC_ISSUER to verify addresses',
  ])
})

test('reads variables that begin with SOURCE_ as secrets of sources', () => {
  const env = { SOURCE_KEY: 'one', SOURCE_EMPTY: '', SOURCE_lower: 'two', OTHER: 'three', SOURCES: 'four' }
  const { sourceSecrets } = readConfig(env)
  assert.deepEqual(sourceSecrets, { SOURCE_KEY: 'one' })
  assert.ok(Object.isFrozen(sourceSecrets))
})

test('reads the recipients of alerts', () => {
  const { alerts } = readConfig({
    ...HOOK,
    ALERT_WEBHOOK_SECRET: `${SECRET}, ${SECRET}`,
    ALERT_EMAILS: 'Ada@example.org,bob@example.org, ada@example.org',
    SMTP_URL: 'smtp://mail.example',
  })
  assert.deepEqual(alerts, {
    emails: ['ada@example.org', 'bob@example.org'],
    webhook: { url: HOOK.ALERT_WEBHOOK_URL, secrets: [SECRET, SECRET] },
  })
})

test('rejects invalid or incomplete alert variables without repeating secrets', () => {
  const wrong: [NodeJS.ProcessEnv, RegExp][] = [
    [{ AUDIT_ENTRIES_MAX: '1000' }, /AUDIT_ENTRIES_MAX needs AUDIT_LOG/],
    [{ ALERT_EMAILS: 'ada@example.org' }, /ALERT_EMAILS needs SMTP_URL/],
    [{ ALERT_EMAILS: 'ada', SMTP_URL: 'smtp://a' }, /ALERT_EMAILS must be/],
    [{ ALERT_EMAILS: Array.from({ length: 21 }, (_, n) => `a${n}@b`).join(), SMTP_URL: 'smtp://a' }, /at most 20/],
    [{ ...HOOK, ALERT_WEBHOOK_SECRET: '' }, /must be set together/],
    [{ ...HOOK, ALERT_WEBHOOK_URL: '' }, /must be set together/],
    [{ ...HOOK, ALERT_WEBHOOK_SECRET: 'whsec_t0ken' }, /ALERT_WEBHOOK_SECRET must be/],
    [{ ...HOOK, ALERT_WEBHOOK_SECRET: `${SECRET},${SECRET},${SECRET}` }, /ALERT_WEBHOOK_SECRET must be/],
    [{ ...HOOK, ALERT_WEBHOOK_URL: 'http://hooks.example/t0ken' }, /must be https/],
    [{ ...HOOK, ALERT_WEBHOOK_URL: 'https://user:t0ken@hooks.example/' }, /ALERT_WEBHOOK_URL must be/],
    [{ ...HOOK, ALERT_WEBHOOK_URL: 'ftp://hooks.example/t0ken' }, /ALERT_WEBHOOK_URL must be/],
  ]
  for (const [env, message] of wrong) {
    assert.throws(
      () => readConfig(env),
      (error: Error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /t0ken/)
        return true
      },
    )
  }
  const local = { ...HOOK, ALERT_WEBHOOK_URL: 'http://127.0.0.1/', ALLOW_PRIVATE_SOURCES: 'true' }
  assert.equal(readConfig(local).alerts.webhook?.url, 'http://127.0.0.1/')
})

test('saves the index beside the file of a SQLite store unless told otherwise', () => {
  const postgres = { DATABASE_URL: 'postgres://database/slots' }
  const folders = [
    {},
    postgres,
    { CHECKPOINT_DIR: '/cache' },
    { ...postgres, CHECKPOINT_DIR: '/cache' },
    { CHECKPOINT_DIR: 'off' },
  ]
  assert.deepEqual(
    folders.map((env) => readConfig(env).checkpointFolder),
    ['./data/slots.db-index', undefined, '/cache', '/cache', undefined],
  )
})

test('leaves one core to the other threads by default, and starts eight at most', () => {
  const threads = [1, 2, 4, 9, 64].map((cores) => workersSchema('linux', cores).parse('auto'))
  assert.deepEqual(threads, [1, 1, 3, 8, 8])
  assert.equal(workersSchema('darwin', 64).parse('auto'), 1)
})

test('allows more than one thread only where threads can share a port', () => {
  assert.equal(workersSchema('darwin').parse('1'), 1)
  assert.match(
    workersSchema('darwin').safeParse('2').error?.issues[0]?.message ?? '',
    /^1 on this system: only Linux and FreeBSD let several threads listen on one port$/,
  )
  assert.equal(workersSchema('linux').parse('2'), 2)
})

test('reads the hosts that sources may use', () => {
  const hosts = readConfig({ ALLOWED_SOURCE_HOSTS: 'Feeds.example.org, *.example.com,10.0.0.1,2600::1' })
  assert.deepEqual(hosts.allowedSourceHosts, ['feeds.example.org', '*.example.com', '10.0.0.1', '2600::1'])
  for (const text of ['https://a.org', '*', '*.*.org', 'a.*.org', 'a b', '.org'])
    assert.match(errorsOf({ ALLOWED_SOURCE_HOSTS: text })[0], /^ALLOWED_SOURCE_HOSTS must be host names/, text)
})

test('accepts the greatest value that a number may have, and no greater one', () => {
  for (const name of ['RATE_LIMIT_KEY_REQUESTS', 'RATE_LIMIT_ORGANIZATION_REQUESTS', 'AUDIT_ENTRIES_MAX']) {
    const env = { AUDIT_LOG: 'stdout', [name]: '1000000000' }
    assert.doesNotThrow(() => readConfig(env), name)
    assert.throws(() => readConfig({ ...env, [name]: '1000000001' }), ConfigError)
  }
})
