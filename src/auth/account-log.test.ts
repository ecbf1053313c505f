import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { enableTwoFactor } from '../../test/support/auth/one-time-codes.ts'
import { PASSWORD, SignInHarness } from '../../test/support/auth/sign-in-harness.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'

const EMAIL = 'ada@example.org'

/** Ada, who owns Acme. `since()` returns the new entries of the service's log, after checking that Acme's has the same. */
async function open(t: TestContext) {
  const harness = await SignInHarness.open(t)
  const { store } = harness
  const ada = await harness.person(EMAIL)
  const session = await ada.session()
  assert.ok(session !== undefined)
  const { userId } = session
  const acme = await store.organizations.create('Acme', { userId, name: EMAIL })
  let lastId = (await store.audit.after(0, 100)).at(-1)?.id ?? 0
  const since = async () => {
    const entries = (await store.audit.after(lastId, 100)).filter(({ kind }) => !/^(sign-in|member)\./.test(kind))
    lastId = entries.at(-1)?.id ?? lastId
    const of = (organizationId: string | undefined) =>
      entries
        .filter((entry) => entry.organizationId === organizationId)
        .map(({ kind, actor, subject, detail }) => ({ kind, actor: actor.name, subject, ...detail }))
    assert.deepEqual(of(undefined), of(acme.id))
    assert.ok(entries.every(({ subject }) => subject === userId))
    return of(undefined).map(({ subject: _, ...entry }) => entry)
  }
  return { harness, ada, userId, session, acme, since }
}

test('records a changed password with the address and the request ID', async (t) => {
  const { harness, ada, since } = await open(t)
  const change = { currentPassword: PASSWORD, newPassword: 'another long password' }
  const wrong = await ada.post('/change-password', { ...change, currentPassword: 'not the password' })
  assert.equal(wrong.status, 400)
  assert.deepEqual(await since(), [])
  assert.equal((await ada.post('/change-password', change, { 'x-request-id': 'r-7' })).status, 200)
  const [{ actor }] = await harness.store.audit.list({ organizationId: null, limit: 1 })
  assert.deepEqual([actor.name, actor.address, actor.requestId], [EMAIL, harness.address, 'r-7'])
  assert.deepEqual(await since(), [{ kind: 'account.password-changed', actor: EMAIL }])
})

test('records that an operator made a reset link, and that it was used', async (t) => {
  const { harness, userId, since } = await open(t)
  const operator = { userId: 'olga', name: 'olga@example.org', address: '192.0.2.9' }
  const made = await harness.signIn.createResetLink(userId, operator)
  assert.deepEqual(await since(), [{ kind: 'account.reset-link-created', actor: operator.name, email: EMAIL }])
  const reset = { token: made?.link.split('#')[1], newPassword: 'a brand new password' }
  assert.equal((await harness.visitor().post('/reset-password', { ...reset, token: 'x' })).status, 400)
  assert.equal((await harness.visitor().post('/reset-password', reset)).status, 200)
  assert.deepEqual(await since(), [{ kind: 'account.password-reset', actor: EMAIL, link: 'operator' }])
})

test('records when two-factor authentication is turned on and off', async (t) => {
  const { ada, since } = await open(t)
  await enableTwoFactor(ada)
  assert.deepEqual(await since(), [{ kind: 'account.second-factor-added', actor: EMAIL }])
  assert.equal((await ada.post('/two-factor/generate-backup-codes', { password: PASSWORD })).status, 200)
  assert.deepEqual(await since(), [{ kind: 'account.backup-codes-created', actor: EMAIL }])
  assert.equal((await ada.post('/two-factor/enable', { password: PASSWORD })).status, 400)
  assert.equal((await ada.post('/two-factor/disable', { password: PASSWORD })).status, 200)
  assert.deepEqual(await since(), [{ kind: 'account.second-factor-removed', actor: EMAIL }])
})

test('records a removed passkey, ended sessions and a new email address', async (t) => {
  const { harness, ada, userId, since } = await open(t)
  const passkey = { id: 'p', userId, publicKey: 'k', credentialID: 'c', counter: 0, deviceType: 'd', backedUp: 0 }
  await harness.store.signIn.queries.insertInto('passkeys').values(passkey).execute()
  assert.equal((await ada.post('/passkey/delete-passkey', { id: 'p' })).status, 200)
  assert.deepEqual(await since(), [{ kind: 'account.passkey-removed', actor: EMAIL }])
  assert.equal((await ada.post('/revoke-other-sessions')).status, 200)
  assert.deepEqual(await since(), [{ kind: 'account.sessions-ended', actor: EMAIL, sessions: 'others' }])
  const newEmail = 'ada@acme.example'
  assert.equal((await ada.post('/change-email', { newEmail })).status, 200)
  const change = { kind: 'account.email-changed', actor: EMAIL, email: newEmail, from: EMAIL, to: newEmail }
  assert.deepEqual(await since(), [change])
})

test('records that one session was ended, and that single sign-on was unlinked', async (t) => {
  const { harness, ada, userId, since } = await open(t)
  await harness.visitor().signInWith(EMAIL)
  const sessions: { id: string }[] = (await ada.get('/list-sessions')).body
  const own = (await ada.get('/get-session')).body.session.id
  const other = sessions.find(({ id }) => id !== own)
  assert.equal((await ada.post('/revoke-session', { id: other?.id })).status, 200)
  assert.deepEqual(await since(), [{ kind: 'account.sessions-ended', actor: EMAIL, sessions: 'one' }])
  const at = new Date().toISOString()
  const link = { id: 'c', accountId: 'ada', providerId: 'oidc', userId, createdAt: at, updatedAt: at }
  await harness.store.signIn.queries.insertInto('credentials').values(link).execute()
  assert.equal((await ada.post('/unlink-account', { accountId: 'c' })).status, 200)
  assert.deepEqual(await since(), [{ kind: 'account.sign-on-unlinked', actor: EMAIL }])
})

test('records an address that was verified on the command line', async (t) => {
  const { harness, userId, since } = await open(t)
  await harness.store.accounts.verifyEmail(userId, EMAIL, COMMAND_LINE)
  assert.deepEqual(await since(), [{ kind: 'account.email-verified', actor: 'command line', email: EMAIL }])
})

test('records setup links and who claimed one', async (t) => {
  const { harness, userId } = await open(t)
  const { link, expiresAtMs } = await harness.createSetupLink()
  const [created] = await harness.store.audit.list({ organizationId: null, limit: 1 })
  assert.deepEqual(
    [created.kind, created.actor.name, created.detail],
    ['setup-link.created', 'service', { untilMs: expiresAtMs }],
  )
  await harness.signIn.claimSetup(link.split('#')[1], userId, { address: '192.0.2.1', requestId: 'r' })
  const [granted] = await harness.store.audit.list({ organizationId: null, limit: 1 })
  assert.deepEqual(granted.actor, { userId, name: EMAIL, address: '192.0.2.1', requestId: 'r' })
  assert.deepEqual((await harness.store.audit.after(created.id, 9)).length, 2)
})

test('records a deleted account in the logs of the organizations that it leaves', async (t) => {
  const { harness, acme } = await open(t)
  const { store } = harness
  const bob = await (await harness.person('bob@example.org')).session()
  assert.ok(bob !== undefined)
  const by = { userId: bob.userId, name: bob.email }
  const expiresAtMs = Date.now() + 1e6
  await store.invitations.create({ organizationId: acme.id, role: 'member', tokenHash: 't', expiresAtMs }, COMMAND_LINE)
  await store.invitations.accept('t', { id: bob.userId, email: bob.email }, by)
  assert.deepEqual(await harness.signIn.deleteAccount(bob, bob.email, { requestId: 'r' }), { outcome: 'deleted' })
  const newest = await store.audit.list({ organizationId: acme.id, limit: 2 })
  assert.deepEqual(
    newest.map(({ kind, actor, subject }) => [kind, actor, subject]),
    ['member.left', 'account.deleted'].map((kind) => [kind, { ...by, requestId: 'r' }, bob.userId]),
  )
  const [{ kind, subject }] = await store.audit.list({ organizationId: null, limit: 1 })
  assert.deepEqual([kind, subject], ['account.deleted', bob.userId])
})
