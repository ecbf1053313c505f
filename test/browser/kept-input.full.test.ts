import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { serveDashboard } from './dashboard-harness.ts'
import { call, enter, personOf, signOut } from './people.ts'
import { acknowledge } from './secret-dialog.ts'

const ADA = personOf('Ada Lovelace')

/** An operator with an organization that has a key, and a source. */
let page: Page
let org: string

serveDashboard({
  prepare: (_, service) => service.run('source', 'add', 'example', 'https://publisher.example/$bulk-publish'),
  begin: async (harness) => {
    page = await harness.operator(ADA)
    org = await newOrganization('Analytical Health')
    await call(page, 'POST', `/api/organizations/${org}/keys`, { name: 'web' })
  },
})

test('the search of a list stays when its request fails, and can be corrected', async () => {
  for (const [list, parameter, label] of [
    [`o/${org}/keys`, 'q', 'Search keys'],
    [`o/${org}/webhooks`, 'q', 'Search subscriptions'],
    ['operator/organizations', 'search', 'Search by name'],
    ['operator/accounts', 'search', 'Search by name or email'],
    ['operator/sources', 'search', 'Search by name or URL'],
  ]) {
    await page.route('**/api/**search=wrong*', (route) => route.fulfill({ status: 400, json: {} }))
    await page.goto(`/app/${list}?${parameter}=wrong`)
    const failure = page.getByRole('alert').filter({ hasText: 'Try again' })
    await failure.waitFor()
    await page.getByLabel(label).fill('right')
    await failure.waitFor({ state: 'detached' })
    await page.getByLabel(label).and(page.locator(':focus')).waitFor()
    await page.unrouteAll()
  }
})

test('a dialog keeps what was entered when the session ends, and saves it after signing in in another tab', async () => {
  await page.goto(`/app/o/${org}/keys`)
  const other = await page.context().newPage()
  await other.goto('/app/account')
  await page.getByRole('button', { name: 'Create key', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Create an API key' })
  await dialog.getByLabel('Name').fill('long considered')
  const noticed = page.waitForResponse('**/api/me')
  await signOut(other)
  await noticed
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByRole('alert').getByText("You're signed out. Use another tab to sign in, then try again.").waitFor()
  await enter(other, ADA)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await acknowledge(page)
  await page.getByRole('link', { name: 'long considered' }).waitFor()

  await signOut(other)
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await enter(other, ADA)
  await other.close()
})

test('a dialog closes when Back leads to another organization', async () => {
  await newOrganization('Other Health')
  await page.goto(`/app/o/${org}/keys`)
  await page.getByRole('button', { name: /^Switch organization/ }).click()
  await page.getByRole('menuitem', { name: 'Other Health' }).click()
  await page.getByRole('button', { name: 'Switch organization. Current: Other Health' }).waitFor()
  await page.getByRole('button', { name: 'Create your first key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create an API key' })
  await dialog.getByLabel('Name').fill('of the other')
  await page.goBack()
  await page.waitForURL(`**/app/o/${org}/keys`)
  await dialog.waitFor({ state: 'detached' })
})

async function newOrganization(name: string): Promise<string> {
  const { body } = await call(page, 'POST', '/api/organizations', { name })
  return (body as { id: string }).id
}
