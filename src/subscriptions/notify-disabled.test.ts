import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignInHarness } from '../../test/support/auth/sign-in-harness.ts'
import { hashToken } from '../auth/link-tokens.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { notifyDisabled } from './notify-disabled.ts'

test('notifies the owner and the admins, no member, and of an expiry nobody', async (t) => {
  const { store, ...harness } = await openHarness(t)
  const [owner, admin, member] = await Promise.all(['owner', 'admin', 'member'].map(harness.addPerson))
  const { id: organizationId } = await store.organizations.create('Acme', owner)
  for (const [role, { userId, name }] of [['admin', admin] as const, ['member', member] as const]) {
    const terms = { organizationId, role, expiresAtMs: Date.now() + 60_000, tokenHash: hashToken(role) }
    await store.invitations.create(terms, COMMAND_LINE)
    await store.invitations.accept(hashToken(role), { id: userId, email: name }, COMMAND_LINE)
  }
  const mails: { readonly to: string; readonly text: string }[] = []
  const options = {
    store,
    mailer: { post: (mail: (typeof mails)[number]) => mails.push(mail) },
    dashboardUrl: 'https://slots.example',
    service: { name: 'Slots' },
  }
  const disabled = { subscriptionId: 'sub_1', organizationId, url: 'https://receiver.example/?key=secret' }
  await notifyDisabled({ ...disabled, reason: 'expired' }, options)
  assert.equal(mails.length, 0)
  await notifyDisabled({ ...disabled, reason: 'gone' }, options)
  assert.deepEqual(
    mails.map(({ to }) => to),
    ['owner@example.org', 'admin@example.org'],
  )
  assert.match(mails[0].text, /sub_1 of Acme to receiver\.example was disabled\. The receiver responded 410/)
  assert.doesNotMatch(mails[0].text, /secret/)
})

async function openHarness(t: Parameters<typeof SignInHarness.open>[0]) {
  const harness = await SignInHarness.open(t)
  const addPerson = async (role: string) => {
    const name = `${role}@example.org`
    const visitor = await harness.person(name)
    return { userId: (await visitor.session())?.userId ?? assert.fail(), name }
  }
  return { store: harness.store, addPerson }
}
