import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { serveDashboard } from './dashboard-harness.ts'
import { createOrganization, personOf, signUp } from './people.ts'
import { acknowledge } from './secret-dialog.ts'

/** A signed-in owner of an organization. */
let page: Page
let org: string

serveDashboard({
  begin: async (harness) => {
    page = await harness.newcomer()
    await signUp(page, personOf('Ada Lovelace'))
    org = await createOrganization(page, 'Analytical Health')
  },
})

test('a new key can be saved as a .env file', async () => {
  await page.goto(`/app/o/${org}/keys`)
  const form = await beginKey('saved')
  await form.getByRole('button', { name: 'Create key' }).click()
  const secret = await page.getByRole('textbox', { name: 'API key' }).textContent()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download .env' }).click()
  const saved = await saving
  assert.equal(saved.suggestedFilename(), 'slots.env')
  assert.equal(await text(await saved.createReadStream()), `SLOTS_API_KEY=${secret}\n`)
  await acknowledge(page)
})

test('a new key stays shown on Back until it is saved', async () => {
  await page.goto(`/app/o/${org}/members`)
  await page.getByRole('link', { name: 'API keys' }).click()
  const form = await beginKey('unsaved')
  const leaving = Promise.withResolvers<void>()
  await page.route(
    `**/api/organizations/${org}/keys`,
    async (route) => {
      await page.goBack()
      leaving.resolve()
      await route.continue()
    },
    { times: 1 },
  )
  await form.getByRole('button', { name: 'Create key' }).click()
  await leaving.promise
  const secret = page.getByRole('textbox', { name: 'API key' })
  await secret.waitFor()
  await page.goBack()
  await page.getByText("Confirm that you've saved it. It can't be shown again.").waitFor()
  assert.ok(await secret.isVisible())
  await acknowledge(page)
  await page.goBack()
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
})

/** The form of a new key with this name. */
async function beginKey(name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  return form
}
