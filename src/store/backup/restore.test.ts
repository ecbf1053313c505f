import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type TestContext, test } from 'node:test'
import { SignInHarness } from '../../../test/support/auth/sign-in-harness.ts'
import { tempDatabaseUrl } from '../../../test/support/store/temp-store.ts'
import { keyState } from '../../keys/key.ts'
import { mintApiKey } from '../../keys/mint-key.ts'
import { COMMAND_LINE } from '../contracts/audit.ts'
import { openStore, sqlitePath } from '../open-store.ts'
import { reapplyRevocations } from '../revocations/reapply-revocations.ts'
import { RevocationLog } from '../revocations/revocation-log.ts'
import { backUpSqlite } from './back-up.ts'
import { restoreSqlite } from './restore.ts'

const BY = COMMAND_LINE
const HOUR_MS = 3_600_000

/** A store with a revocation log, open until `close()`. */
async function open(t: TestContext) {
  const databaseUrl = tempDatabaseUrl()
  const path = sqlitePath(databaseUrl) ?? ''
  const revocationLog = `${path}-revocations`
  const store = await openStore(databaseUrl, { revocationLog })
  t.after(() => store.close())
  const organization = async (name: string) => (await store.organizations.create(name, BY)).id
  const key = async (organizationId: string, name: string) => {
    const { key } = mintApiKey({ organizationId, name }, Date.now())
    await store.keys.put(key)
    return key.id
  }
  const restored = async (options = {}) => {
    await store.close()
    const outcome = await restoreSqlite(copy, path, { replace: true, revocationLog, now: Date.now, ...options })
    const after = await openStore(databaseUrl)
    t.after(() => after.close())
    return { ...outcome, store: after }
  }
  const copy = `${path}.copy`
  return { databaseUrl, path, copy, revocationLog, store, organization, key, restored }
}

test('keys that were revoked, rotated or shortened after a backup stay so after a restore', async (t) => {
  const { path, copy, store, organization, key, restored } = await open(t)
  const acme = await organization('Acme')
  const gone = await organization('Gone')
  const [kept, before, revoked, rotated, shortened, ofGone] = [
    await key(acme, 'kept'),
    await key(acme, 'before'),
    await key(acme, 'revoked'),
    await key(acme, 'rotated'),
    await key(acme, 'shortened'),
    await key(gone, 'of gone'),
  ]
  await store.keys.revoke(before, { atMs: Date.now(), by: BY })
  await backUpSqlite(path, copy)
  const nowMs = Date.now()
  await store.keys.revoke(revoked, { atMs: nowMs, by: BY, reason: 'leaked' })
  const next = mintApiKey({ organizationId: acme, name: 'next' }, nowMs)
  await store.keys.rotate({ id: rotated, organizationId: acme, untilMs: nowMs + HOUR_MS }, next.key, BY)
  await store.keys.edit({ id: shortened, organizationId: acme }, { expiresAtMs: nowMs + 2 * HOUR_MS }, BY)
  await store.organizations.remove(gone, BY, 'as operator')
  const { store: after, reapplied, kept: keptFile } = await restored()
  assert.deepEqual(reapplied, { keys: 4, organizations: 1, accounts: 0 })
  const states = await Promise.all(
    [kept, before, revoked, ofGone].map(async (id) => {
      const found = await after.keys.find(id)
      return found && [keyState(found, Date.now()), found.revokedReason]
    }),
  )
  assert.deepEqual(
    states.map((state) => state?.[0]),
    ['active', 'revoked', 'revoked', 'revoked'],
  )
  assert.equal(states[2]?.[1], 'leaked')
  assert.equal((await after.keys.find(rotated))?.expiresAtMs, nowMs + HOUR_MS)
  assert.equal((await after.keys.find(shortened))?.expiresAtMs, nowMs + 2 * HOUR_MS)
  assert.equal(await after.organizations.find(gone), undefined)
  assert.ok(keptFile !== undefined && existsSync(keptFile))
})

test('suspended and deleted organizations and accounts stay so after a restore; resumed ones are not suspended', async (t) => {
  const { path, copy, store, organization, restored } = await open(t)
  const harness = await SignInHarness.open(t, { store })
  const [suspended, resumed] = [await organization('Suspended'), await organization('Resumed')]
  const idOf = async (email: string) => (await (await harness.person(email)).session())?.userId ?? ''
  const [ada, bob, eve, owner] = [
    await idOf('ada@example.org'),
    await idOf('bob@example.org'),
    await idOf('eve@example.org'),
    await idOf('owner@example.org'),
  ]
  const owned = await store.organizations.create('Owned', { userId: owner, name: 'owner@example.org' })
  await backUpSqlite(path, copy)
  await store.organizations.suspend(suspended, 'Abuse', BY)
  await store.organizations.suspend(resumed, 'Abuse', BY)
  await store.organizations.resume(resumed, BY)
  await store.accounts.suspend(ada, 'Shared', BY)
  await store.accounts.suspend(bob, 'Shared', BY)
  await store.accounts.resume(bob, BY)
  await store.memberships.removeAccount(eve, { by: BY, allowNone: true })
  await store.organizations.remove(owned.id, BY, 'as operator')
  await store.memberships.removeAccount(owner, { by: BY, allowNone: true })
  await harness.signIn.close()
  const { store: after, reapplied } = await restored()
  assert.deepEqual(reapplied, { keys: 0, organizations: 2, accounts: 3 })
  assert.equal((await after.organizations.find(suspended))?.suspension?.reason, 'Abuse')
  assert.equal((await after.organizations.find(resumed))?.suspension, undefined)
  assert.equal((await after.accounts.find(ada))?.account.suspension?.reason, 'Shared')
  assert.equal((await after.accounts.find(bob))?.account.suspension, undefined)
  assert.deepEqual([await after.accounts.find(eve), await after.accounts.find(owner)], [undefined, undefined])
})

test('a log undoes nothing that a node with another log resumed or extended later, unless a backup from before is restored', async (t) => {
  const { databaseUrl, path, copy, revocationLog, store, organization, key } = await open(t)
  const harness = await SignInHarness.open(t, { store })
  const ada = (await (await harness.person('ada@example.org')).session())?.userId ?? ''
  const acme = await organization('Acme')
  const of = { id: await key(acme, 'web'), organizationId: acme }
  await harness.signIn.close()
  await store.close()
  await backUpSqlite(path, copy)
  let nowMs = Date.now()
  const now = () => ++nowMs
  const [one, two] = await Promise.all(
    [revocationLog, `${revocationLog}-2`].map((log) => openStore(databaseUrl, { now, revocationLog: log })),
  )
  await one.organizations.suspend(acme, 'Abuse', BY)
  await one.accounts.suspend(ada, 'Shared', BY)
  await one.keys.edit(of, { expiresAtMs: nowMs + HOUR_MS }, BY)
  await two.organizations.resume(acme, BY)
  await two.accounts.resume(ada, BY)
  await two.keys.edit(of, { expiresAtMs: nowMs + 2 * HOUR_MS }, BY)
  const log = new RevocationLog(revocationLog)
  const nothing = { keys: 0, organizations: 0, accounts: 0 }
  assert.deepEqual(await reapplyRevocations(one, log, now), nothing)
  await two.audit.deleteBefore(now())
  assert.deepEqual(await reapplyRevocations(one, log, now), nothing)
  await Promise.all([one.close(), two.close()])
  await restoreSqlite(copy, path, { replace: true, revocationLog: undefined, now })
  const after = await openStore(databaseUrl, { now })
  t.after(() => after.close())
  await after.keys.edit(of, { note: 'An edit of something else' }, BY)
  assert.deepEqual(await reapplyRevocations(after, log, now), { keys: 1, organizations: 1, accounts: 1 })
  await after.organizations.resume(acme, BY)
  assert.deepEqual(await reapplyRevocations(after, log, now), nothing)
})

test('logs at the next start what a killed process could not log', async (t) => {
  const { databaseUrl, path, copy, revocationLog, organization, key, restored } = await open(t)
  const [acme, suspended] = [await organization('Acme'), await organization('Suspended')]
  const [kept, revoked, shortened] = [await key(acme, 'kept'), await key(acme, 'revoked'), await key(acme, 'shortened')]
  await backUpSqlite(path, copy)
  const killed = await openStore(databaseUrl)
  t.after(() => killed.close())
  const nowMs = Date.now()
  await killed.keys.revoke(revoked, { atMs: nowMs, by: BY })
  await killed.keys.edit({ id: shortened, organizationId: acme }, { expiresAtMs: nowMs + HOUR_MS }, BY)
  await killed.organizations.suspend(suspended, 'Unpaid', BY)
  const log = new RevocationLog(revocationLog)
  for (let start = 0; start < 2; start++) await reapplyRevocations(killed, log, Date.now)
  assert.equal(log.read().length, 3)
  await killed.close()
  const { store, reapplied } = await restored()
  assert.deepEqual(reapplied, { keys: 2, organizations: 1, accounts: 0 })
  assert.equal((await store.keys.find(kept))?.revokedAtMs, undefined)
  assert.equal((await store.keys.find(revoked))?.revokedAtMs, nowMs)
  assert.equal((await store.keys.find(shortened))?.expiresAtMs, nowMs + HOUR_MS)
  assert.equal((await store.organizations.find(suspended))?.suspension?.reason, 'Unpaid')
})

test('deletions and suspensions that a killed process could not log stay so after a restore', (t) =>
  killBeforeLogging(t, { starts: 0 }))

test('starts between a kill and a restore change nothing', (t) => killBeforeLogging(t, { starts: 2 }))

async function killBeforeLogging(t: TestContext, { starts }: { readonly starts: number }): Promise<void> {
  const { databaseUrl, path, copy, revocationLog, store, organization, key, restored } = await open(t)
  const harness = await SignInHarness.open(t, { store })
  const idOf = async (email: string) => (await (await harness.person(email)).session())?.userId ?? ''
  const [deleted, suspended] = [await idOf('deleted@example.org'), await idOf('suspended@example.org')]
  const gone = await organization('Gone')
  const ofGone = await key(gone, 'of gone')
  await backUpSqlite(path, copy)
  await harness.signIn.close()
  const killed = await openStore(databaseUrl)
  t.after(() => killed.close())
  await killed.organizations.remove(gone, BY, 'as operator')
  await killed.memberships.removeAccount(deleted, { by: BY, allowNone: true })
  await killed.accounts.suspend(suspended, 'Shared', BY)
  const log = new RevocationLog(revocationLog)
  for (let start = 0; start < starts; start++) await reapplyRevocations(killed, log, Date.now)
  await killed.close()
  const { store: after, reapplied } = await restored()
  assert.deepEqual(
    log
      .read()
      .map(({ kind }) => kind)
      .sort(),
    ['account.deleted', 'account.suspended', 'key.revoked', 'organization.deleted'],
  )
  assert.deepEqual(reapplied, { keys: 1, organizations: 1, accounts: 2 })
  assert.equal(await after.organizations.find(gone), undefined)
  assert.equal((await after.keys.find(ofGone))?.revokedReason, 'organization deleted')
  assert.equal(await after.accounts.find(deleted), undefined)
  assert.equal((await after.accounts.find(suspended))?.account.suspension?.reason, 'Shared')
}

test('restores over a damaged store, and says that its revocations could not be read', async (t) => {
  const { path, copy, revocationLog, store, organization, key, restored } = await open(t)
  const revoked = await key(await organization('Org'), 'revoked')
  await backUpSqlite(path, copy)
  await store.keys.revoke(revoked, { atMs: Date.now(), by: BY })
  await store.close()
  writeFileSync(path, readFileSync(path).fill(7, 4096))
  const { store: after, reapplied, unread } = await restored()
  assert.match(unread ?? '', /malformed|not a database/)
  assert.equal(reapplied?.keys, 1)
  assert.equal(keyState((await after.keys.find(revoked)) ?? assert.fail(), Date.now()), 'revoked')
  assert.equal(new RevocationLog(revocationLog).read().length, 1)
})

test('says that nothing was applied if there was no log, and no store to read', async (t) => {
  const { path, copy, revocationLog, store, organization, key } = await open(t)
  const revoked = await key(await organization('Acme'), 'revoked')
  await backUpSqlite(path, copy)
  await store.keys.revoke(revoked, { atMs: Date.now(), by: BY })
  await store.close()
  const restore = (to: string) =>
    restoreSqlite(copy, to, { replace: true, revocationLog: `${to}-revocations`, now: Date.now })
  assert.equal((await restore(`${path}.new`)).reapplied, undefined)
  rmSync(revocationLog)
  assert.deepEqual((await restore(path)).reapplied, { keys: 1, organizations: 0, accounts: 0 })
  writeFileSync(path, readFileSync(path).fill(7, 4096))
  rmSync(revocationLog)
  const damaged = await restoreSqlite(copy, path, { replace: true, revocationLog, now: () => Date.now() + HOUR_MS })
  assert.deepEqual([damaged.reapplied, damaged.unread === undefined], [undefined, false])
})

test('reads a log whose last line was cut off, and appends after it', async (t) => {
  const { path, copy, revocationLog, store, organization, key, restored } = await open(t)
  const acme = await organization('Acme')
  const [first, second] = [await key(acme, 'first'), await key(acme, 'second')]
  await backUpSqlite(path, copy)
  await store.keys.revoke(first, { atMs: Date.now(), by: BY })
  assert.equal(statSync(revocationLog).mode & 0o777, 0o600)
  appendFileSync(revocationLog, '{"kind":"key.rev')
  await store.keys.revoke(second, { atMs: Date.now(), by: BY })
  assert.equal(readFileSync(revocationLog, 'utf8').trim().split('\n').length, 3)
  assert.equal((await restored()).reapplied?.keys, 2)
})

test('a backup is one whole file, and never replaces another', async (t) => {
  const { path, store, organization } = await open(t)
  await organization('Acme')
  const copy = `${path}.backup`
  const { bytes, schema } = await backUpSqlite(path, copy)
  assert.equal(bytes, statSync(copy).size)
  assert.equal(statSync(copy).mode & 0o777, 0o600)
  assert.match(schema, /^\d{4}-/)
  await assert.rejects(backUpSqlite(path, copy), /the file must not exist/)
  const names = () => readdirSync(dirname(path)).filter((name) => name.startsWith(basename(copy)))
  assert.deepEqual(names(), [basename(copy)])
  await assert.rejects(backUpSqlite(path, `${path}.none/copy`), /the folder of the file must exist: got ".*\.none"/)
  await assert.rejects(backUpSqlite(`${path}.nothing`, `${path}.other`), /there is no store: ".*\.nothing"/)
  assert.ok(!existsSync(`${path}.other`))
  await store.close()
})

test('refuses a store in use, a present store, and a damaged or foreign file, and changes nothing then', async (t) => {
  const { path, copy, store, organization } = await open(t)
  await organization('Acme')
  await backUpSqlite(path, copy)
  const before = readFileSync(path)
  const attempt = (file: string, replace: boolean) =>
    restoreSqlite(file, path, { replace, revocationLog: undefined, now: Date.now })
  await assert.rejects(attempt(copy, false), /there is a store: .* give --replace/)
  await assert.rejects(attempt(copy, true), /Cannot restore: the store must not be in use/)
  await store.close()
  const present = readFileSync(path)
  const whole = readFileSync(copy)
  writeFileSync(`${path}.damaged`, whole.fill(7, 8192, 40_000))
  writeFileSync(`${path}.text`, 'not a database, but long enough to be read as one'.repeat(100))
  await assert.rejects(attempt(`${path}.damaged`, true), /damaged|malformed|corrupt/)
  await assert.rejects(attempt(`${path}.text`, true), /not a database/)
  writeFileSync(`${path}.empty`, '')
  await assert.rejects(attempt(`${path}.empty`, true), /the file is not a store/)
  await assert.rejects(attempt(`${path}.nothing`, true), /the file must exist/)
  await assert.rejects(attempt(dirname(path), true), /the backup must be a file: got the folder/)
  assert.deepEqual(readFileSync(path), present)
  assert.ok(before.length > 0)
  rmSync(copy)
  assert.deepEqual(
    readdirSync(dirname(path)).filter((name) => name.includes('partial')),
    [],
  )
})
