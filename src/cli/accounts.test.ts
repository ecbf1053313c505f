import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SignInHarness } from '../../test/support/auth/sign-in-harness.ts'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { eventually } from '../../test/support/eventually.ts'
import { PostOffice } from '../../test/support/mail/smtp-server.ts'
import { GENERATED_SECRET } from '../auth/auth-secrets.ts'
import { openStore } from '../store/open-store.ts'

/** The command line, and the sign-in of a running service on its store. */
async function open(t: TestContext, env?: NodeJS.ProcessEnv) {
  const slots = await commandLine(t, env)
  const store = await openStore(slots.databaseUrl)
  t.after(() => store.close())
  const service = await SignInHarness.open(t, { store, dashboardUrl: 'http://localhost:0/' })
  /** Returns the ID of the new account. */
  const signUp = async (email: string): Promise<string> => {
    const { status, body } = await service.visitor().signUp(email)
    assert.equal(status, 200)
    return body.user.id
  }
  const makeOperator = async (email: string): Promise<void> => {
    const token = (await slots.run('operator', 'link')).out.trim().split('#')[1]
    assert.equal(await service.signIn.claimSetup(token, await signUp(email)), 'claimed')
  }
  return { slots, store, service, signUp, makeOperator }
}

test('account list shows who can sign in, and account verify confirms an address', async (t) => {
  const { slots, signUp } = await open(t, { OPERATOR_EMAILS: 'ada@example.org' })
  assert.deepEqual(await slots.json('account', 'list'), [])
  await signUp('bob@example.org')
  await signUp('ada@example.org')
  const before = await slots.json('account', 'list')
  assert.deepEqual(before.map(shown), [
    ['ada@example.org', false, undefined, 0],
    ['bob@example.org', false, undefined, 0],
  ])
  assert.equal((await slots.json('account', 'verify', 'ADA@example.org')).emailVerified, true)
  assert.deepEqual((await slots.json('account', 'list', '--search', 'ada')).map(shown), [
    ['ada@example.org', true, 'operator', 0],
  ])
  // A sign-in is recorded soon after its response.
  await eventually(async () => (await slots.json('account', 'list'))[0].lastSignInAt !== undefined)
  const { out } = await slots.run('account', 'list')
  assert.match(
    out,
    /^EMAIL +VERIFIED +NAME +ORGANIZATIONS +ROLE +STATUS +LAST SIGN-IN +CREATED\nada@example\.org +yes +ada +0 +operator +active +20.*Z +20/,
  )
})

test('account reset-link creates a link that sets a password on the running service', async (t) => {
  const { slots, service, signUp } = await open(t)
  await signUp('ada@example.org')
  const { code, out, err } = await slots.run('account', 'reset-link', 'ada@example.org')
  assert.equal(code, 0)
  assert.match(out, /^http:\/\/localhost:0\/app\/reset-password#by-operator-[\w-]{43}\n$/)
  assert.match(err, /^The link works once, until /)
  const reset = { token: out.trim().split('#')[1], newPassword: 'a brand new password' }
  assert.equal((await service.visitor().post('/reset-password', reset)).status, 200)
  assert.equal((await service.visitor().signInWith('ada@example.org', reset.newPassword)).status, 200)
})

test('account reset-link notifies the owner by email', async (t) => {
  const office = await PostOffice.open(t)
  const { slots, signUp } = await open(t, { SMTP_URL: office.smtpUrl, MAIL_FROM: 'no-reply@slots.example' })
  await signUp('ada@example.org')
  const { code, out } = await slots.run('account', 'reset-link', 'ada@example.org')
  assert.equal(code, 0)
  assert.equal(office.mails.length, 1)
  assert.equal(office.mails[0].subject, 'An operator created a password reset link')
  assert.equal(office.mails[0].whole.includes(out.trim().split('#')[1]), false)
})

test('account delete deletes an account unless it owns an organization', async (t) => {
  const { slots, store, signUp } = await open(t)
  const userId = await signUp('ada@example.org')
  const { id } = await store.organizations.create('Acme', { userId, name: 'ada@example.org' })
  const refused = await slots.run('account', 'delete', 'ada@example.org')
  assert.deepEqual(
    [refused.code, refused.err],
    [1, 'Cannot delete account: it owns "Acme". Transfer or delete the organization first.\n'],
  )
  await store.organizations.remove(id, { name: 'test' })
  assert.equal((await slots.json('account', 'delete', 'ada@example.org')).email, 'ada@example.org')
  assert.deepEqual(await slots.json('account', 'list'), [])
})

test('account delete deletes the last operator only with --last', async (t) => {
  const { slots, signUp } = await open(t)
  await signUp('ada@example.org')
  await slots.json('operator', 'add', 'ada@example.org')
  const refused = await slots.run('account', 'delete', 'ada@example.org', '--yes')
  assert.deepEqual(
    [refused.code, /^Cannot delete account: ada@.* is the last operator\. Add/.test(refused.err)],
    [1, true],
  )
  assert.equal((await slots.run('account', 'delete', 'ada@example.org', '--yes', '--last')).code, 0)
  assert.deepEqual(await slots.json('account', 'list'), [])
})

test('account end-sessions ends all sessions of an account', async (t) => {
  const { slots, store, signUp } = await open(t)
  await signUp('ada@example.org')
  const sessions = async () => (await store.signIn.queries.selectFrom('sessions').select('id').execute()).length
  assert.equal(await sessions(), 1)
  assert.equal((await slots.json('account', 'end-sessions', 'ada@example.org')).email, 'ada@example.org')
  assert.equal(await sessions(), 0)
})

test('commands of accounts generate no secret, which a service with an AUTH_SECRET does not need', async (t) => {
  const { slots, store, signUp } = await open(t)
  await signUp('ada@example.org')
  await store.operators.deleteSecret(GENERATED_SECRET)
  await slots.json('account', 'suspend', 'ada@example.org', '--reason', 'shared')
  await slots.json('account', 'reset-link', 'ada@example.org')
  assert.equal(await store.operators.findSecret(GENERATED_SECRET), undefined)
})

test('store encrypt reports what it did', async (t) => {
  const slots = await commandLine(t, { AUTH_SECRET: 'x'.repeat(32), AUTH_SECRET_PREVIOUS: 'y'.repeat(32) })
  const { code, out } = await slots.run('store', 'encrypt')
  assert.deepEqual(
    [code, out],
    [0, 'Encrypted 0 second factors and secrets of subscriptions with the current secret.\n'],
  )
})

test('account suspend ends the sessions and refuses sign-ins until account resume', async (t) => {
  const { slots, service, signUp } = await open(t)
  await signUp('ada@example.org')
  const suspend = () => slots.run('account', 'suspend', 'ada@example.org', '--reason', 'Shared')
  assert.equal((await suspend()).out, 'Suspended ada@example.org.\n')
  assert.match((await suspend()).err, /already suspended/)
  const signIn = () => service.visitor().signInWith('ada@example.org')
  assert.equal((await signIn()).status, 403)
  assert.equal((await slots.json('account', 'list'))[0].suspendedReason, 'Shared')
  assert.equal((await slots.json('account', 'resume', 'ada@example.org')).suspended, false)
  assert.match((await slots.run('account', 'resume', 'ada@example.org')).err, /is not suspended/)
  assert.equal((await signIn()).status, 200)
  await slots.run('operator', 'add', 'ada@example.org')
  assert.match((await suspend()).err, /is an operator or a viewer\nFirst: .* operator remove ada@example\.org\n/)
  const reset = await slots.run('account', 'reset-second-factor', 'ada@example.org')
  assert.match(reset.err, /ada@example\.org has no two-factor authentication/)
})

test('account commands report an unknown address', async (t) => {
  const slots = await commandLine(t)
  for (const command of ['reset-link', 'verify', 'end-sessions', 'reset-second-factor', 'resume', 'delete']) {
    const { code, err } = await slots.run('account', command, 'nobody@example.org')
    assert.equal(code, 1)
    assert.match(err, /^Cannot [\w ]+: no account has the email address "nobody@example\.org"\n/)
  }
})

test('operator link makes exactly one operator', async (t) => {
  const { slots, service, signUp } = await open(t, { SIGN_UP: 'invited' })
  const { out } = await slots.run('operator', 'link')
  const token = /^http:\/\/localhost:0\/app\/setup#([\w-]{43})\n$/.exec(out)?.[1] ?? ''
  const userId = await signUp('ada@example.org')
  assert.equal(await service.signIn.claimSetup(token, userId), 'claimed')
  assert.equal(await service.signIn.claimSetup(token, userId), 'wrong-token')
  assert.equal((await slots.json('account', 'list'))[0].operatorRole, 'operator')
})

test('operator list and remove, and the last operator only with --last', async (t) => {
  const { slots, signUp, makeOperator } = await open(t, { OPERATOR_EMAILS: 'eve@example.org' })
  await signUp('eve@example.org')
  await slots.json('account', 'verify', 'eve@example.org')
  for (const name of ['ada', 'bob']) await makeOperator(`${name}@example.org`)
  const list = async () => (await slots.json('operator', 'list')).map(({ email }: { email: string }) => email)
  assert.deepEqual(await list(), ['ada@example.org', 'bob@example.org', 'eve@example.org'])
  const { out } = await slots.run('operator', 'list')
  assert.match(
    out,
    /^EMAIL +NAME +ROLE +GRANTED BY +GRANTED\nada@example\.org +ada +operator +setup link or operator +20.*Z\n/,
  )
  const configured = await slots.run('operator', 'remove', 'eve@example.org')
  assert.deepEqual([configured.code, /OPERATOR_EMAILS contains eve/.test(configured.err)], [1, true])
  assert.match((await slots.run('operator', 'remove', 'nobody@example.org')).err, /is not an operator\nAll operators/)
  assert.equal((await slots.run('operator', 'remove', 'ADA@example.org')).code, 0)
  assert.deepEqual(await list(), ['bob@example.org', 'eve@example.org'])
})

test('operator add and role make operators and viewers', async (t) => {
  const { slots, signUp } = await open(t)
  for (const name of ['ada', 'bob']) await signUp(`${name}@example.org`)
  assert.match((await slots.run('operator', 'add', 'nobody@example.org')).err, /no account has the email address/)
  assert.equal((await slots.json('operator', 'add', 'ADA@example.org')).role, 'operator')
  assert.equal((await slots.json('operator', 'add', 'bob@example.org', '--role', 'viewer')).role, 'viewer')
  assert.match((await slots.run('operator', 'add', 'bob@example.org')).err, /operator role bob@example\.org operator\n/)
  const roles = async () => (await slots.json('operator', 'list')).map(({ role }: { role: string }) => role)
  assert.deepEqual(await roles(), ['operator', 'viewer'])
  assert.match(
    (await slots.run('operator', 'role', 'ada@example.org', 'viewer')).err,
    /is the last operator\. Add --last/,
  )
  assert.match((await slots.run('operator', 'role', 'bob@example.org', 'operator')).out, /is now an operator/)
  assert.equal((await slots.run('operator', 'role', 'ada@example.org', 'viewer')).code, 0)
  assert.deepEqual(await roles(), ['viewer', 'operator'])
})

test('operator remove leaves no service without an operator by mistake', async (t) => {
  const { slots, makeOperator } = await open(t)
  await makeOperator('ada@example.org')
  const refused = await slots.run('operator', 'remove', 'ada@example.org')
  assert.deepEqual([refused.code, /is the last operator\. Add --last/.test(refused.err)], [1, true])
  assert.equal((await slots.run('operator', 'remove', 'ada@example.org', '--last')).code, 0)
  assert.match((await slots.run('operator', 'list')).out, /^No operators yet\./)
})

function shown(account: { email: string; emailVerified: boolean; operatorRole?: string; organizations: number }) {
  return [account.email, account.emailVerified, account.operatorRole, account.organizations]
}

test('org transfer makes a member the owner, and nobody else', async (t) => {
  const { slots, store, signUp } = await open(t)
  const ada = await signUp('ada@example.org')
  const bob = await signUp('bob@example.org')
  await signUp('eve@example.org')
  const acme = await store.organizations.create('Acme', { userId: ada, name: 'ada@example.org' })
  const invitation = {
    organizationId: acme.id,
    role: 'member',
    tokenHash: 'hash',
    expiresAtMs: Number.MAX_SAFE_INTEGER,
  } as const
  await store.invitations.create(invitation, { userId: ada, name: 'ada@example.org' })
  const joining = { id: bob, email: 'bob@example.org' }
  await store.invitations.accept('hash', joining, { userId: bob, name: joining.email })
  const transfer = (email: string) => slots.run('org', 'transfer', 'Acme', email)
  assert.match((await transfer('nobody@example.org')).err, /no account has the email address/)
  const { err } = await transfer('eve@example.org')
  assert.match(err, /eve@example.org is not a member of "Acme"\n/)
  assert.ok(err.includes(`Invite: npm run -s slots -- invite ${acme.id} eve@example.org`), err)
  assert.match((await transfer('ada@example.org')).err, /already owns "Acme"/)
  assert.deepEqual(await slots.json('org', 'transfer', 'acme', 'bob@example.org'), {
    id: acme.id,
    name: 'Acme',
    owner: 'bob@example.org',
  })
  assert.match((await slots.run('account', 'delete', 'bob@example.org', '--yes')).err, /owns/)
  assert.equal((await slots.run('account', 'delete', 'ada@example.org', '--yes')).code, 0)
})
