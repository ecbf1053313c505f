import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { becomeOperator, serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, personOf, signUp } from './people.ts'
import { assertAccessible } from './visitors.ts'

const OLIVE = personOf('Olive')
const ADA = personOf('Ada Lovelace')

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
