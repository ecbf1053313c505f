import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { becomeOperator, serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, enter, personOf, signIn, signUp } from './people.ts'
import { assertAccessible } from './visitors.ts'

const OLIVE = personOf('Olive')
const ADA = personOf('Ada Lovelace')
const GRACE = personOf('Grace Hopper')

const harness = serveDashboard()

test('people see what an operator changed in their account, and who did what in their security log', async () => {
  const operator = await harness.newcomer()
  await becomeOperator(operator, OLIVE, await harness.setupLink())
  const page = await harness.newcomer()
  await signUp(page, ADA)
  await createOrganization(page, 'Analytical Engines')
  const { user, org } = await idsOf(page)
  assert.equal((await call(operator, 'POST', `/api/operator/accounts/${user}/reset-link`, {})).status, 200)
  assert.equal((await call(operator, 'POST', `/api/operator/accounts/${user}/end-sessions`, {})).status, 204)

  await enter(page, ADA)
  const notice = page.getByRole('status', { name: 'Your account was changed' })
  await notice.getByText(/An operator created a password reset link for your account on/).waitFor()
  await notice.getByText(/An operator ended all sessions of your account on/).waitFor()
  await page.goto(`/app/o/${org}/members`)
  await notice.getByRole('link', { name: 'View security log' }).click()
  const log = page.getByRole('list', { name: 'Security log' })
  await log.getByText(`${OLIVE.email} created a password reset link for your account`).waitFor()
  await log.getByText('You signed up').waitFor()
  const download = page.getByRole('link', { name: 'Export CSV' })
  assert.equal(await download.getAttribute('href'), '/api/me/security-log.csv')
  await page.getByRole('switch', { name: 'Show sign-ins' }).uncheck()
  assert.equal(await download.getAttribute('href'), '/api/me/security-log.csv?signIns=false')
  await log.getByText('You signed up').waitFor({ state: 'detached' })
  await log.getByText(`${OLIVE.email} ended all sessions of your account`).waitFor()

  await assertAccessible(page, 'account with notices')

  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.locator('h1:focus').waitFor()
  await page.reload()
  await page.getByRole('list', { name: 'Security log' }).getByText('You signed in with a password').waitFor()
  assert.equal(await notice.count(), 0)
})

test('a log that cannot show more keeps its entries and says so once', async () => {
  const page = await harness.newcomer()
  await signUp(page, GRACE)
  await createOrganization(page, 'Compilers')
  const { user } = await idsOf(page)
  const operator = await harness.newcomer()
  await signIn(operator, OLIVE)
  for (let n = 0; n < 10; n++) await call(operator, 'POST', `/api/operator/accounts/${user}/reset-link`, {})
  await page.goto('/app/account')
  const log = page.getByRole('list', { name: 'Security log' })
  await log.waitFor()
  await page.route('**/security-log?*', (route) => route.abort())
  await page.getByRole('button', { name: 'Show older entries' }).click()
  await page.getByRole('alert').getByText("Can't reach the service.").waitFor()
  assert.equal(await page.getByRole('alert').count(), 1)
  assert.ok(await log.isVisible())
  await page.unrouteAll({ behavior: 'wait' })
})

async function idsOf(page: Page): Promise<{ user: string; org: string }> {
  const { body } = await call(page, 'GET', '/api/me')
  const { userId, organizations } = body as { userId: string; organizations: readonly [{ id: string }] }
  return { user: userId, org: organizations[0].id }
}
