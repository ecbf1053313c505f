import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig, VARIABLES } from './config.ts'
import { ConfigFault } from './environment.ts'

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigFault)
    return error.faults
  }
  return []
}

test('an empty environment is a working configuration', () => {
  const config = readConfig({ PORT: '', HOST: '' })
  assert.deepEqual(config, {
    port: 8080,
    host: '0.0.0.0',
    baseUrl: 'http://localhost:8080',
    dashboardUrl: 'http://localhost:8080/',
    docsUrl: 'http://localhost:8080/docs',
    databaseUrl: 'sqlite:./data/slots.db',
    allowPrivateSources: false,
    logLevel: 'info',
    syncEveryMs: 300_000,
    syncConcurrency: 4,
    changesRetentionMs: 3_600_000,
    workers: 1,
    drainMs: 5000,
    sourceSecrets: {},
    account: {
      signUp: 'open',
      signUpDomains: [],
      passwordSignIn: true,
      operatorEmails: [],
      mailFrom: 'Scheduling Slots <no-reply@localhost>',
      trustedProxies: 0,
      uploadBytesMax: 256 * 2 ** 20,
    },
    alerts: { emails: [] },
  })
  assert.ok(Object.isFrozen(config))
})

test('addresses follow the port and the base address unless they are set', () => {
  assert.equal(readConfig({ PORT: '9000' }).docsUrl, 'http://localhost:9000/docs')
  const config = readConfig({
    BASE_URL: 'https://slots.example.org/api/',
    DASHBOARD_URL: 'https://example.org/d',
  })
  assert.equal(config.baseUrl, 'https://slots.example.org/api')
  assert.equal(config.docsUrl, 'https://slots.example.org/api/docs')
  assert.equal(config.dashboardUrl, 'https://example.org/d')
})

test('all faults are named together, one line each', () => {
  const faults = faultsOf({ PORT: 'x', HOST: 'http://a', LOG_LEVEL: 'loud', ALLOW_PRIVATE_SOURCES: 'yes' })
  assert.deepEqual(faults, [
    'PORT must be an integer from 0 to 65535: got "x"',
    'HOST must be a host name or an IP address: got "http://a"',
    'ALLOW_PRIVATE_SOURCES must be true or false: got "yes"',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent: got "loud"',
  ])
})

test('what is not allowed is a fault', () => {
  const wrong: [string, string[]][] = [
    ['PORT', ['-1', '65536', '1.5', '0x10', ' 80', '1e3', '99999999999']],
    ['HOST', ['a b', '-a', 'a:80', '*']],
    ['BASE_URL', ['slots.example.org', 'ftp://a', 'https://a/?q=1', 'https://a/#b', 'http://']],
    ['DOCS_URL', ['/docs', 'javascript:alert(1)']],
    [
      'DATABASE_URL',
      ['./data/slots.db', 'sqlite:', 'sqlite:slots.db', 'sqlite://a/b', 'mysql://a/b', 'postgres://'],
    ],
    ['SYNC_EVERY_MINUTES', ['0', '10081']],
    ['SYNC_CONCURRENCY', ['0', '65']],
    ['CHANGES_RETENTION_MINUTES', ['0', '-60']],
    ['WORKERS', ['0', '65', 'auto']],
    ['DRAIN_SECONDS', ['-1', '3601', '5s']],
    ['METRICS_PORT', ['0', '65536', 'none']],
    ['ALLOW_PRIVATE_SOURCES', ['TRUE', '1', 'toString']],
  ]
  for (const [name, values] of wrong) {
    for (const value of values) assert.equal(faultsOf({ [name]: value }).length, 1, `${name}=${value}`)
  }
})

test('a fault does not repeat the address of the database, which may hold a password', () => {
  assert.ok(!faultsOf({ DATABASE_URL: 'mysql://me:secret@db/slots' }).join().includes('secret'))
})

test('a direct way to the database goes with PostgreSQL, and is as secret as the other', () => {
  const databases = { DATABASE_URL: 'postgres://pooler/slots', DATABASE_DIRECT_URL: 'postgres://a,b/slots' }
  assert.equal(readConfig(databases).databaseDirectUrl, 'postgres://a,b/slots')
  assert.deepEqual(faultsOf({ DATABASE_DIRECT_URL: 'postgres://me:secret@a/slots' }), [
    'DATABASE_DIRECT_URL must go with a DATABASE_URL of PostgreSQL',
  ])
  assert.deepEqual(faultsOf({ ...databases, DATABASE_DIRECT_URL: 'mysql://me:secret@a/slots' }), [
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
    Object.values(VARIABLES).map(({ name, fallback }) => [name, fallback]),
  )
})

test('what belongs together in sign-in is asked for together', () => {
  assert.deepEqual(faultsOf({ OIDC_ISSUER: 'https://id.example' }), [
    'OIDC_CLIENT_ID must be set where another OIDC variable is',
    'OIDC_CLIENT_SECRET must be set where another OIDC variable is',
  ])
  assert.deepEqual(faultsOf({ PASSWORD_SIGN_IN: 'false' }), [
    'PASSWORD_SIGN_IN must be true while OIDC_ISSUER is unset: else nobody could sign in',
  ])
})

test('domains limit an open sign-up', () => {
  const mail = { SMTP_URL: 'smtp://localhost' }
  const { account } = readConfig({ ...mail, SIGN_UP_DOMAINS: 'Example.org, example.com,example.org' })
  assert.deepEqual([account.signUp, account.signUpDomains], ['domains', ['example.org', 'example.com']])
  assert.equal(
    readConfig({ ...mail, SIGN_UP: 'invited', SIGN_UP_DOMAINS: 'a.org' }).account.signUp,
    'invited',
  )
  assert.deepEqual(faultsOf({ ...mail, SIGN_UP_DOMAINS: 'localhost' }), [
    'SIGN_UP_DOMAINS must be domains, separated by commas: example.org, example.com: got "localhost"',
  ])
  assert.deepEqual(faultsOf({ SIGN_UP_DOMAINS: 'a.org' }), [
    'SIGN_UP_DOMAINS must go with SMTP_URL or OIDC_ISSUER: else no address could be confirmed',
  ])
})

test('what begins with SOURCE_ is for sources, and nothing else is', () => {
  const env = { SOURCE_KEY: 'one', SOURCE_EMPTY: '', SOURCE_lower: 'two', OTHER: 'three', SOURCES: 'four' }
  const { sourceSecrets } = readConfig(env)
  assert.deepEqual(sourceSecrets, { SOURCE_KEY: 'one' })
  assert.ok(Object.isFrozen(sourceSecrets))
})
