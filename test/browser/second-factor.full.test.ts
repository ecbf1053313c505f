import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeOf, plugInAuthenticator } from './authenticators.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, enter, type Person, personOf, signIn, signOut, signUp } from './people.ts'

const ADA = personOf('Ada Lovelace')
const GRACE = personOf('Grace Hopper')
const MARY = personOf('Mary Somerville')

const harness = serveDashboard()

test('a password alone does not sign in with a second factor, and each code works once', async () => {
  const page = await newcomerAtAccount(ADA)
  const { secret, backupCode } = await turnOnSecondFactor(page, ADA.password)
  await signOut(page)

  await signIn(page, ADA)
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
  assert.equal((await call(page, 'GET', '/api/me')).status, 401)
  const code = codeOf(secret, Date.now())
  await enterCode(page, 'Code from the app', code)
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()

  const other = await harness.newcomer()
  await signIn(other, ADA)
  await enterCode(other, 'Code from the app', code)
  await other
    .getByRole('alert')
    .getByText(/code was (?:already )?used/)
    .waitFor()
  await other.getByRole('button', { name: 'Use a backup code instead' }).click()
  await enterCode(other, 'Backup code', backupCode)
  await other.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()

  await signOut(other)
  await signIn(other, ADA)
  await other.getByRole('button', { name: 'Use a backup code instead' }).click()
  await enterCode(other, 'Backup code', backupCode)
  await other.getByRole('alert').getByText('already used').waitFor()
  assert.equal((await call(other, 'GET', '/api/me')).status, 401)
})

test('a passkey signs in without a password until it is removed', async () => {
  const page = await newcomerAtAccount(GRACE)
  await plugInAuthenticator(page)
  await page.getByLabel('Passkey name').fill('Desk')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'Remove Desk' }).waitFor()
  await signOut(page)

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menu').getByText(GRACE.email).waitFor()

  await page.getByRole('menuitem', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Remove Desk' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Passkey removed.').waitFor()
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('not registered with this service').waitFor()
  assert.equal((await call(page, 'GET', '/api/me')).status, 401)
})

test('ending a session in one browser signs out the other', async () => {
  const here = await newcomerAtAccount(MARY)
  const there = await harness.newcomer()
  await enter(there, MARY)

  await here.reload()
  await here.getByText('This device').waitFor()
  const end = here.getByRole('button', { name: /^Sign out (?!of)/ })
  await end.click()
  await end.waitFor({ state: 'detached' })

  assert.equal((await call(there, 'GET', '/api/me')).status, 401)
  await there.getByRole('link', { name: 'Members' }).click()
  await there.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal((await call(here, 'GET', '/api/me')).status, 200)
})

/** A signed-in member of an organization, on the account page. */
async function newcomerAtAccount(person: Person): Promise<Page> {
  const page = await harness.newcomer()
  await signUp(page, person)
  await createOrganization(page, `Company of ${person.name}`)
  await page.goto('/app/account')
  return page
}

async function turnOnSecondFactor(page: Page, password: string): Promise<{ secret: string; backupCode: string }> {
  await page.getByRole('button', { name: 'Turn on' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = (await dialog.getByRole('textbox', { name: 'Key', exact: true }).textContent()) ?? ''
  await dialog.getByLabel('Code from the app').fill(codeOf(secret, Date.now()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const backupCodes = dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
  const backupCode = (await backupCodes.first().textContent()) ?? ''
  await dialog.getByRole('checkbox', { name: "I've saved them" }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
  return { secret, backupCode }
}

async function enterCode(page: Page, label: string, code: string): Promise<void> {
  await page.getByLabel(label).fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}
