import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, personOf, signUp } from './people.ts'

let page: Page
let org: string
/** An admin of the same organization. */
let grace: Page

const harness = serveDashboard({
  begin: async () => {
    page = await harness.newcomer()
    await signUp(page, personOf('Ada'))
    org = await createOrganization(page, 'Analytical Health')
    grace = await harness.newcomer()
    await signUp(grace, personOf('Grace'))
    await grace.getByLabel('Organization name').waitFor()
    await join(grace, 'admin')
  },
})

test('renaming a key keeps the networks that were set while the dialog was open', async () => {
  const keys = `/api/organizations/${org}/keys`
  const { key } = (await call(page, 'POST', keys, { name: 'report' })).body as { key: { id: string } }
  await page.goto(`/app/o/${org}/keys/${key.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit “report”' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('nightly report')
  await call(page, 'PATCH', `${keys}/${key.id}`, { networks: ['203.0.113.0/24'] })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { name, networks } = (await call(page, 'GET', `${keys}/${key.id}`)).body as Record<string, unknown>
  assert.deepEqual({ name, networks }, { name: 'nightly report', networks: ['203.0.113.0/24'] })
})

test('describing a subscription keeps the filters that were set while the dialog was open', async () => {
  const subscriptions = `/api/organizations/${org}/subscriptions`
  const made = await call(page, 'POST', subscriptions, { url: 'https://example.org/slots', filters: 'state=MA' })
  const { subscription } = made.body as { subscription: { id: string } }
  await page.goto(`/app/o/${org}/webhooks/${subscription.id}`)
  await page.getByRole('button', { name: 'Actions for example.org' }).click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit subscription' })
  await dialog.getByRole('textbox', { name: 'Description (optional)' }).fill('Boston')
  await call(page, 'PATCH', `${subscriptions}/${subscription.id}`, { filters: 'state=VT' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const after = (await call(page, 'GET', `${subscriptions}/${subscription.id}`)).body as Record<string, unknown>
  assert.deepEqual([after.description, after.filters], ['Boston', 'state=VT'])
})

test('a list shows what another person did as soon as it refuses a change', async () => {
  const joan = await harness.newcomer()
  await signUp(joan, personOf('Joan'))
  const invitation = await invite('member')
  await join(joan, 'member')
  await page.goto(`/app/o/${org}/members`)
  const row = page.getByRole('row', { name: 'joan@example.org' })
  const { userId } = (await membersOf(grace)).find(({ email }) => email === 'joan@example.org') ?? {}
  await row.waitFor()
  await call(grace, 'DELETE', `/api/organizations/${org}/members/${userId}`, {})

  await row.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Make admin' }).click()
  await page.getByRole('alert').getByText('This member does not exist.').waitFor()
  await row.waitFor({ state: 'detached' })

  await call(grace, 'DELETE', `/api/organizations/${org}/invitations/${invitation.id}`, {})
  await page.getByRole('button', { name: 'Revoke invitation for anyone with the link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke invitation?' })
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByText('This open invitation does not exist.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'No pending invitations' }).waitFor()
})

test('a key that another person revoked is no longer listed once its edit is refused', async () => {
  const keys = `/api/organizations/${org}/keys`
  const { key } = (await call(page, 'POST', keys, { name: 'shared' })).body as { key: { id: string } }
  await page.goto(`/app/o/${org}/keys`)
  await page.getByRole('button', { name: 'Actions for shared' }).click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  await call(grace, 'POST', `${keys}/${key.id}/revoke`, {})
  const dialog = page.getByRole('dialog', { name: 'Edit “shared”' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('shared report')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This key is no longer active. Create a new one.').waitFor()
  // Sooner than the list is read again anyway.
  await page
    .getByRole('rowheader', { name: 'shared', includeHidden: true })
    .waitFor({ state: 'detached', timeout: 8000 })
})

test('the page of a subscription that another person deleted says so', async () => {
  const subscriptions = `/api/organizations/${org}/subscriptions`
  const made = await call(page, 'POST', subscriptions, { url: 'https://example.net/slots', filters: 'state=MA' })
  const { subscription } = made.body as { subscription: { id: string } }
  await page.goto(`/app/o/${org}/webhooks/${subscription.id}`)
  await page.getByRole('heading', { name: 'example.net', level: 1 }).waitFor()
  await call(grace, 'DELETE', `${subscriptions}/${subscription.id}`, {})
  await page.getByRole('heading', { name: 'Subscription not found' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Actions for example.net' }).count(), 0)
})

test('a removed member does not find the next page of the organization', async () => {
  await grace.goto(`/app/o/${org}/keys`)
  await grace.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  const { userId } = (await membersOf(page)).find(({ email }) => email === 'grace@example.org') ?? {}
  await call(page, 'DELETE', `/api/organizations/${org}/members/${userId}`, {})
  await grace.getByRole('link', { name: 'Usage' }).click()
  await grace.getByRole('heading', { name: 'Page not found' }).waitFor()
})

async function invite(role: string): Promise<{ id: string; link: string }> {
  const made = (await call(page, 'POST', `/api/organizations/${org}/invitations`, { role })).body
  const { invitation, link } = made as { invitation: { id: string }; link: string }
  return { id: invitation.id, link }
}

async function join(person: Page, role: string): Promise<void> {
  const { link } = await invite(role)
  await call(person, 'POST', '/api/invitations/accept', { token: new URL(link).hash.slice(1) })
}

async function membersOf(person: Page): Promise<readonly { userId: string; email: string }[]> {
  const { body } = await call(person, 'GET', `/api/organizations/${org}/members`)
  return (body as { members: { userId: string; email: string }[] }).members
}
