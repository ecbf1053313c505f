import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { firstLine, startScript, stopScript } from '../../demo/children.ts'
import { openStore } from '../../src/store/open-store.ts'
import { freePort } from '../support/free-port.ts'
import { ROOT } from '../support/source-files.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { call, isSignedIn, personOf, signUp } from './people.ts'

const CLIENT = { id: 'slots', secret: 'a secret of the client' }
const GRACE = personOf('Grace Hopper')

const harness = serveDashboard({
  prepare: async (harness, service) => {
    const port = await freePort()
    const provider = harness.adopt(
      startScript(
        join(import.meta.dirname, 'oidc-provider.ts'),
        [
          `--port=${port}`,
          `--client-id=${CLIENT.id}`,
          `--client-secret=${CLIENT.secret}`,
          `--redirect-uri=${service.home}${toldRedirectPath()}`,
        ],
        service.env,
      ),
      (child) => stopScript(child, 1000),
    )
    const issuer = await firstLine(provider)
    harness.allow(issuer)
    service.env.OIDC_ISSUER = issuer
    service.env.OIDC_CLIENT_ID = CLIENT.id
    service.env.OIDC_CLIENT_SECRET = CLIENT.secret
    service.env.OIDC_NAME = 'Example Identity'
  },
})

test('signs in users of the provider with the provided name and address', async () => {
  const page = await harness.newcomer()
  await page.goto('/app/sign-in')
  await continueAs(page, 'ada')
  await page.getByRole('heading', { name: 'Welcome, Ada Lovelace' }).waitFor()
  await page.getByLabel('Organization name').fill('Analytical Health')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menu').getByText('ada@example.org').waitFor()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  // The same person again, not a second account.
  await page.goto('/app/sign-in')
  await page.getByRole('button', { name: 'Continue with Example Identity' }).click()
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
})

test('rejects an unconfirmed address of the provider for an existing account', async () => {
  const grace = await harness.newcomer()
  await signUp(grace, GRACE)
  const mallory = await harness.newcomer()
  await mallory.goto('/app/sign-in')
  await continueAs(mallory, 'mallory')
  await mallory.getByRole('alert').getByText('Single sign-on failed').waitFor()
  assert.equal(await isSignedIn(mallory), false)
})

test('a canceled sign-in at the provider says so and keeps the page to continue to', async () => {
  const page = await harness.newcomer()
  await page.goto('/app/sign-in?next=/app/account')
  await continueAs(page, '')
  await page.getByRole('alert').getByText('You canceled at the identity provider').waitFor()
  await continueAs(page, 'ada')
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
})

test('a person with only single sign-on confirms by signing in again at the provider, and repeats the change', async () => {
  const page = await harness.newcomer()
  await page.goto('/app/sign-in')
  await continueAs(page, 'ada')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await forgetConfirmations()
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete Analytical Health' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Analytical Health?' })
    await dialog.getByRole('textbox').fill('Analytical Health')
    await dialog.getByRole('button', { name: 'Delete organization' }).click()
  }
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
  // The provider knows this browser, and asks nevertheless.
  const confirmAs = async (account: string) => {
    await dialog.getByRole('button', { name: 'Sign in again with Example Identity' }).click()
    await page.getByRole('heading', { name: 'Example Identity' }).waitFor()
    await page.getByLabel('Account').fill(account)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  }
  await remove()
  assert.equal(await dialog.getByLabel('Password').count(), 0)
  await confirmAs('')
  const failure = page.getByRole('alert').filter({ hasText: 'You canceled at the identity provider' })
  await failure.getByRole('button', { name: 'Close' }).click()
  await failure.waitFor({ state: 'detached' })
  await page.locator('h1:focus').getByText('Settings').waitFor()
  assert.equal(new URL(page.url()).search, '')
  await remove()
  await confirmAs('ada')
  await remove()
  await page.getByText('Analytical Health deleted.').waitFor()
})

/** As if everybody had signed in, and proved their identity, twenty minutes ago. */
async function forgetConfirmations(): Promise<void> {
  const store = await openStore(String(harness.service.env.DATABASE_URL))
  const confirmedAt = new Date(Date.now() - 20 * 60_000).toISOString()
  await store.signIn.queries.updateTable('sessions').set({ confirmedAt }).execute()
  await store.close()
}

test('hides the password form and rejects passwords if password sign-in is off', async () => {
  await harness.service.stop()
  harness.service.env.PASSWORD_SIGN_IN = 'false'
  await harness.service.serve()
  const page = await harness.newcomer()
  for (const path of ['/app/sign-in', '/app/sign-up']) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Continue with Example Identity' }).waitFor()
    assert.equal(await page.getByLabel('Password').count(), 0)
    assert.equal(await page.getByLabel('Email').count(), 0)
  }
  for (const path of ['/api/auth/sign-up/email', '/api/auth/sign-in/email']) {
    assert.equal((await call(page, 'POST', path, GRACE)).status, 404)
  }
})

/** On the origin of the dashboard, which the operator registers at the provider. */
function toldRedirectPath(): string {
  const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
  return /redirect address here is `<origin of DASHBOARD_URL>([^`]+)`/.exec(page)?.[1] ?? ''
}

async function continueAs(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue with Example Identity' }).click()
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Continue' }).click()
}
