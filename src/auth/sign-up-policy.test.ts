import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignInHarness } from '../../test/support/auth/sign-in-harness.ts'
import { DAY_MS, MINUTE_MS } from '../lib/time.ts'
import { INVITATION_MS } from '../shared/contract/invitations.ts'
import { hashToken } from './link-tokens.ts'
import type { SignUpRequest } from './sign-up-policy.ts'

test('invited only: requires a pending invitation to sign up', async (t) => {
  const harness = await SignInHarness.open(t, { signUp: 'invited' })
  const refused = await harness.visitor().signUp('ada@example.org')
  assert.deepEqual([refused.status, refused.body.code], [403, 'sign-up-refused'])
  assert.match(refused.body.detail, /requires an invitation/)
  const { invite, organizationId } = await withOrganization(harness)
  const open = await invite({})
  const expired = await invite({ expiresAtMs: Date.now() - 1 })
  const revoked = await invite({})
  const forBob = await invite({ email: 'Bob@example.org' })
  const by = { name: 'command line' }
  assert.equal(await harness.store.invitations.revoke({ organizationId, id: revoked.id }, by), true)
  for (const [email, invitation, status] of [
    ['ada@example.org', 'unknown', 403],
    ['ada@example.org', expired.token, 403],
    ['ada@example.org', revoked.token, 403],
    ['ada@example.org', forBob.token, 403],
    ['bob@example.org', forBob.token, 200],
    ['ada@example.org', open.token, 200],
  ] as const) {
    assert.equal((await harness.visitor().signUp(email, { invitation })).status, status, `${email} ${invitation}`)
  }
  // An invitation that a person with an account accepted admitted nobody yet.
  const accepted = await invite({})
  const { id } = await harness.store.signIn.queries.selectFrom('users').select('id').executeTakeFirstOrThrow()
  await harness.store.invitations.accept(hashToken(accepted.token), { id, email: 'bob@example.org' }, by)
  assert.equal((await harness.visitor().signUp('eve@example.org', { invitation: accepted.token })).status, 403)
  assert.equal((await harness.signIn.options()).signUp, 'invited')
})

test('invited only: the holder of the setup link can sign up and become the operator', async (t) => {
  const harness = await SignInHarness.open(t, { signUp: 'invited' })
  assert.equal((await harness.signIn.options()).needsOperator, true)
  const first = await harness.createSetupLink()
  const { link } = await harness.createSetupLink()
  assert.match(link, /^http:\/\/localhost:8080\/app\/setup#[\w-]{43}$/)
  const [old, token] = [first.link.split('#')[1], link.split('#')[1]]
  const chief = harness.visitor()
  assert.equal((await chief.signUp('chief@example.org', { invitation: old })).status, 403)
  assert.equal((await chief.signUp('chief@example.org', { invitation: token })).status, 200)
  const { userId = '' } = (await chief.session()) ?? {}
  assert.equal(await harness.signIn.claimSetup(old, userId), 'wrong-token')
  assert.equal(await harness.signIn.claimSetup(token, userId), 'claimed')
  assert.equal(await harness.signIn.claimSetup(token, userId), 'wrong-token')
  assert.equal((await chief.session())?.operatorRole, 'operator')
  const [claimed] = harness.events.filter(({ message }) => message === 'setup link claimed')
  assert.deepEqual(claimed.fields, { userId })
  assert.equal((await harness.signIn.options()).needsOperator, false)
  assert.equal((await harness.visitor().signUp('eve@example.org', { invitation: token })).status, 403)
})

test('an open invitation and a setup link admit one address each', async (t) => {
  const harness = await SignInHarness.open(t, { signUp: 'invited' })
  const { invite } = await withOrganization(harness)
  const { token } = await invite({})
  const setup = (await harness.createSetupLink()).link.split('#')[1]
  for (const invitation of [token, setup]) {
    const own = invitation === token ? 'ada' : 'chief'
    assert.equal((await harness.visitor().signUp('not an address', { invitation })).status, 400)
    const answers = await Promise.all(
      [own, `eve.of.${own}`, `bob.of.${own}`].map((name) =>
        harness.visitor().signUp(`${name}@example.org`, { invitation }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403])
    const refused = answers.find(({ status }) => status === 403)
    assert.match(refused?.body.detail, /already created with this link/)
  }
  const admitted = () => harness.store.operators.findSecret(`sign-up by ${hashToken(token)}`)
  await harness.store.operators.deleteExpiredSecrets()
  assert.notEqual(await admitted(), undefined)
  harness.advance(INVITATION_MS)
  await harness.store.operators.deleteExpiredSecrets()
  assert.equal(await admitted(), undefined)
})

test('a setup link works for 24 hours', async (t) => {
  const harness = await SignInHarness.open(t, { signUp: 'invited' })
  const { link, expiresAtMs } = await harness.createSetupLink()
  assert.ok(Math.abs(expiresAtMs - Date.now() - DAY_MS) < MINUTE_MS)
  const token = link.split('#')[1]
  harness.advance(DAY_MS - MINUTE_MS)
  const chief = harness.visitor()
  assert.equal((await chief.signUp('chief@example.org', { invitation: token })).status, 200)
  const { userId = '' } = (await chief.session()) ?? {}
  harness.advance(MINUTE_MS)
  assert.equal(await harness.signIn.claimSetup(token, userId), 'wrong-token')
  assert.equal((await harness.visitor().signUp('eve@example.org', { invitation: token })).status, 403)
  assert.equal((await chief.session())?.operatorRole, undefined)
})

test('domains: requires a verified address of an allowed domain', async (t) => {
  const harness = await SignInHarness.open(t, {
    signUp: 'domains',
    signUpDomains: ['example.org', 'example.com'],
  })
  const refusal = async (email: string, proof: SignUpRequest['proof']) => {
    const { SignUpPolicy } = await import('./sign-up-policy.ts')
    const settings = {
      signUp: 'domains',
      signUpDomains: ['example.org'],
      operatorEmails: ['chief@example.net'],
    } as const
    const rest = { passwordSignIn: true, mailFrom: '', changesPerHourMax: 300 }
    return new SignUpPolicy({ ...settings, ...rest }, harness.store, Date.now).refusal({ email, proof })
  }
  assert.equal(await refusal('ada@Example.org', 'mail'), undefined)
  assert.equal(await refusal('ada@example.org', 'provider'), undefined)
  assert.match((await refusal('ada@example.org', 'none')) ?? '', /cannot be verified/)
  assert.match((await refusal('ada@sub.example.org', 'mail')) ?? '', /addresses at example\.org/)
  assert.match((await refusal('ada@example.org@elsewhere.example', 'mail')) ?? '', /addresses at/)
  assert.equal(await refusal('chief@example.net', 'mail'), undefined)
  assert.notEqual(await refusal('chief@example.net', 'none'), undefined)
  // Without a mail server, no address is verified.
  assert.equal((await harness.visitor().signUp('ada@example.org')).status, 403)
  assert.deepEqual((await harness.signIn.options()).domains, ['example.org', 'example.com'])
})

async function withOrganization(harness: SignInHarness) {
  const by = { name: 'command line' }
  const { id: organizationId } = await harness.store.organizations.create('Acme', by)
  let count = 0
  return {
    organizationId,
    async invite(own: { email?: string; expiresAtMs?: number }) {
      const token = `token-${++count}`
      const terms = { organizationId, role: 'member', expiresAtMs: Date.now() + 60_000, ...own } as const
      const { id } = await harness.store.invitations.create({ ...terms, tokenHash: hashToken(token) }, by)
      return { id, token }
    },
  }
}
