import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, personOf, signUp } from './people.ts'

let page: Page
let org: string

const harness = serveDashboard({
  begin: async () => {
    page = await harness.newcomer()
    await signUp(page, personOf('Ada'))
    org = await createOrganization(page, 'Analytical Health')
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
