import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { SECOND_MS } from '../../src/lib/time.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, fillSignUp, personOf, signUp } from './people.ts'

const GRACE = personOf('Grace Hopper')

/** A signed-in owner, and an organization with another member. */
let page: Page
let org: string

serveDashboard({
  begin: async (harness) => {
    page = await harness.newcomer()
    await signUp(page, personOf('Ada Lovelace'))
    org = await createOrganization(page, 'Analytical Health')
    const { body } = await call(page, 'POST', `/api/organizations/${org}/invitations`, { role: 'member' })
    const grace = await harness.newcomer()
    await grace.goto((body as { link: string }).link)
    await grace.getByRole('link', { name: 'Create an account' }).click()
    await fillSignUp(grace, GRACE)
    await grace.getByRole('button', { name: 'Join Analytical Health' }).click()
    await grace.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  },
})

test('says that a change without a network failed, and does not make it later', async (t) => {
  await page.goto(`/app/o/${org}/members`)
  const grace = page.getByRole('row', { name: GRACE.name })
  await grace.getByRole('button', { name: `Actions for ${GRACE.name}` }).click()
  await page.context().setOffline(true)
  t.after(() => page.context().setOffline(false))
  await page.getByRole('menuitem', { name: 'Make admin' }).click()
  await page.getByRole('alert').getByText("Can't reach the service.").waitFor()
  await page.context().setOffline(false)
  await pause(SECOND_MS)
  await page.reload()
  await grace.getByRole('cell', { name: 'Member', exact: true }).waitFor()
})

test('says that data could not be loaded without a network, and loads it once there is one', async (t) => {
  await page.goto(`/app/o/${org}/usage`)
  await page.getByRole('heading', { name: 'No requests in the last 7 days' }).waitFor()
  await page.context().setOffline(true)
  t.after(() => page.context().setOffline(false))
  await page.getByText('90 d').click()
  await page.getByRole('alert').getByText("Can't reach the service.").waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'No requests in the last 90 days' }).waitFor()
})

test('a dialog stays open while its form is sent, and then shows what can be seen only once', async (t) => {
  await page.goto(`/app/o/${org}/members`)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/invitations', async (route) => {
    if (route.request().method() === 'POST') await promise
    await route.continue()
  })
  t.after(() => page.unrouteAll())
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByLabel('Email (optional)').fill('mary@example.org')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Create link' }).click()
  await sent
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await pause(SECOND_MS)
  resolve()
  await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
})
