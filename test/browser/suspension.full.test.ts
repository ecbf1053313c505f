import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { becomeOperator, serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, personOf, signIn, signUp } from './people.ts'
import { assertAccessible } from './visitors.ts'

const OLIVE = personOf('Olive')
const ADA = personOf('Ada Lovelace')
const GRACE = personOf('Grace Hopper')

const harness = serveDashboard()

test('an operator suspends an organization and an account, whose people read the reason, and resumes both', async () => {
  const operator = await harness.newcomer()
  await becomeOperator(operator, OLIVE, await harness.setupLink())
  const page = await harness.newcomer()
  await signUp(page, ADA)
  await createOrganization(page, 'Analytical Engines')
  const { body } = await call(page, 'GET', '/api/me')
  const { organizations } = body as { organizations: readonly [{ id: string }] }
  const [{ id: org }] = organizations
  const { body: made } = await call(page, 'POST', `/api/organizations/${org}/keys`, { name: 'web' })
  const { secret } = made as { secret: string }
  const statusOfKey = async () =>
    (await fetch(`${harness.service.origin}/v1/scheduling/publishers`, { headers: { 'x-api-key': secret } })).status
  assert.equal(await statusOfKey(), 200)

  const { body: invited } = await call(page, 'POST', `/api/organizations/${org}/invitations`, { role: 'member' })
  const { link } = invited as { link: string }

  await operator.goto('/app/operator/organizations')
  await operator.getByRole('link', { name: 'Analytical Engines', exact: true }).click()
  await operator.getByRole('heading', { name: 'Analytical Engines', exact: true }).waitFor()
  await operator.getByRole('table', { name: 'API keys' }).getByRole('rowheader', { name: 'web', exact: true }).waitFor()
  await suspend(operator, 'Requests from unknown networks')
  await operator.getByText('This organization is suspended').waitFor()
  assert.equal(await statusOfKey(), 403)
  await assertAccessible(operator, 'suspended organization')

  await page.goto(`/app/o/${org}/keys`)
  await page.getByText('Requests from unknown networks').waitFor()
  await page.getByRole('rowheader', { name: 'web' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create key' }).count(), 0)
  await assertAccessible(page, 'keys of a suspended organization')

  const guest = await harness.newcomer()
  await guest.goto(link)
  await guest.getByRole('heading', { name: 'Analytical Engines is suspended' }).waitFor()
  await assertAccessible(guest, 'invitation of a suspended organization')

  await answer(operator, 'Resume', 'Resume')
  await operator.getByText('This organization is suspended').waitFor({ state: 'detached' })
  assert.equal(await statusOfKey(), 200)

  await operator.getByRole('table', { name: 'Members' }).getByRole('link', { name: ADA.name, exact: true }).click()
  await operator.getByRole('heading', { name: ADA.name, exact: true }).waitFor()
  await suspend(operator, 'Shared with others')
  await operator.getByText('This account is suspended').waitFor()
  await operator.getByText('No sessions.').waitFor()
  await assertAccessible(operator, 'suspended account')

  await page.goto('/app/sign-in')
  await page.getByRole('textbox', { name: 'Email' }).fill(ADA.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(ADA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText(/^This account is suspended\. Reason: Shared with others\./).waitFor()

  await answer(operator, 'Resume', 'Resume')
  await operator.getByText('This account is suspended').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
})

test('an operator who suspends and resumes their own organization sees it as its other members do', async () => {
  const page = await harness.newcomer()
  await signIn(page, OLIVE)
  await page.goto('/app/welcome')
  await createOrganization(page, 'Difference Engines')
  await page.getByRole('link', { name: 'Organizations', exact: true }).click()
  await page.getByRole('link', { name: 'Difference Engines', exact: true }).click()
  await suspend(page, 'Requests from unknown networks')
  await page.getByText('Difference Engines suspended.').waitFor()
  await page.getByRole('link', { name: 'API keys', exact: true }).click()
  await page.getByText('You can read everything, revoke keys and leave.').waitFor()
  await page.goBack()
  await answer(page, 'Resume', 'Resume')
  await page.getByText('Difference Engines resumed.').waitFor()
  await page.getByRole('link', { name: 'API keys', exact: true }).click()
  await page.getByRole('button', { name: 'Create key' }).waitFor()
})

test('members of a suspended organization are offered only what they may do', async () => {
  const operator = await harness.newcomer()
  await signIn(operator, OLIVE)
  const page = await harness.newcomer()
  await signUp(page, GRACE)
  const org = await createOrganization(page, 'Compilers')
  const { body } = await call(page, 'POST', `/api/organizations/${org}/keys`, { name: 'web' })
  const { key } = body as { key: { id: string } }
  const path = `/api/operator/organizations/${org}/suspend`
  assert.equal((await call(operator, 'POST', path, { reason: 'Unpaid bills' })).status, 204)

  await page.goto(`/app/o/${org}/keys`)
  await page.getByRole('button', { name: 'Actions for web' }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).waitFor()
  assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['Usage and requests', 'Revoke…'])

  await page.goto(`/app/o/${org}/keys/${key.id}`)
  await page.getByRole('heading', { name: 'web', level: 1 }).waitFor()
  for (const name of ['Edit', 'Rotate']) assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0)
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key', exact: true }).click()
  await page.getByText('Revoked', { exact: true }).waitFor()

  await page.goto(`/app/o/${org}/keys`)
  await page.getByText('Keys can be created once the organization is resumed.').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Create/ }).count(), 0)

  await page.goto(`/app/o/${org}/members`)
  await page.getByText('No one can be invited while the organization is suspended.').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Invite/ }).count(), 0)

  await page.goto(`/app/o/${org}/settings`)
  const reason = page.getByText('No one can change it while the organization is suspended.')
  await reason.nth(1).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).count(), 0)
  await assertAccessible(page, 'settings of a suspended organization')
})

test('an operator makes a member the owner of an organization whose owner is gone', async () => {
  const owner = await harness.newcomer()
  await signUp(owner, personOf('Mary Somerville'))
  const org = await createOrganization(owner, 'Mechanism of the Heavens')
  const { body } = await call(owner, 'POST', `/api/organizations/${org}/invitations`, { role: 'member' })
  const emmy = await harness.newcomer()
  await signUp(emmy, personOf('Emmy Noether'))
  const token = new URL((body as { link: string }).link).hash.slice(1)
  assert.equal((await call(emmy, 'POST', '/api/invitations/accept', { token })).status, 200)

  const operator = await harness.newcomer()
  await signIn(operator, OLIVE)
  await operator.goto(`/app/operator/organizations/${org}`)
  const members = operator.getByRole('table', { name: 'Members' })
  await members.getByRole('button', { name: 'Make owner: Emmy Noether' }).waitFor()
  assert.equal(await members.getByRole('button').count(), 1)
  await assertAccessible(operator, 'members of an organization')
  await answer(operator, 'Make owner: Emmy Noether', 'Make owner')
  await operator.getByText('now owns').waitFor()
  await members.getByRole('row', { name: /Emmy Noether.*Owner/ }).waitFor()
  await members.getByRole('row', { name: /Mary Somerville.*Admin/ }).waitFor()
  await operator.getByRole('main').getByRole('link', { name: 'Service log' }).click()
  await operator.getByText('made emmy@example.org the owner of Mechanism of the Heavens').waitFor()
  await emmy.goto(`/app/o/${org}/settings`)
  await emmy.getByRole('heading', { name: 'Transfer ownership' }).waitFor()
})

async function suspend(page: Page, reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Suspend', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
}

async function answer(page: Page, button: string, confirm: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click()
}
