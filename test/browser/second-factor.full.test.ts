import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { MINUTE_MS } from '../../src/lib/time.ts'
import { openStore } from '../../src/store/open-store.ts'
import { codeOf, plugInAuthenticator } from './authenticators.ts'
import { serveDashboard } from './dashboard-harness.ts'
import {
  call,
  createOrganization,
  enter,
  fillSignUp,
  isSignedIn,
  type Person,
  personOf,
  signIn,
  signOut,
  signUp,
} from './people.ts'

const ADA = personOf('Ada Lovelace')
const GRACE = personOf('Grace Hopper')
const MARY = personOf('Mary Somerville')
const ANNIE = personOf('Annie Easley')
const DOROTHY = personOf('Dorothy Vaughan')
const HEDY = personOf('Hedy Lamarr')
const EMMY = personOf('Emmy Noether')
const SOPHIE = personOf('Sophie Germain')
const JEAN = personOf('Jean Bartik')

const harness = serveDashboard()

test('a password alone does not sign in with a second factor, and each code works once', async () => {
  const page = await newcomerAtAccount(ADA)
  const { secret, backupCode } = await turnOnSecondFactor(page, ADA.password)
  await signOut(page)

  await signIn(page, ADA)
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
  assert.equal(await isSignedIn(page), false)
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
  assert.equal(await isSignedIn(other), false)
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
  await page.locator('h1:focus').waitFor()
  assert.deepEqual(await passkeyEntries(), ['account.passkey-added', 'account.passkey-removed'])
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('not registered with this service').waitFor()
  assert.equal(await isSignedIn(page), false)
})

/** The entries about passkeys in the log of the service, oldest first. */
async function passkeyEntries(): Promise<string[]> {
  const store = await openStore(String(harness.service.env.DATABASE_URL))
  const entries = await store.audit.list({ organizationId: null, limit: 100 })
  await store.close()
  return entries
    .map(({ kind }) => kind as string)
    .filter((kind) => kind.startsWith('account.passkey-'))
    .reverse()
}

test('ending a session in one browser signs out the other', async () => {
  const here = await newcomerAtAccount(MARY)
  const there = await harness.newcomer()
  await enter(there, MARY)

  await here.reload()
  await here.getByText('This device').waitFor()
  const end = here.getByRole('button', { name: /^Sign out (?!of)/ })
  await end.click()
  await end.waitFor({ state: 'detached' })
  await here.locator('h2:focus').getByText('Sessions').waitFor()

  assert.equal(await isSignedIn(there), false)
  await there.getByRole('link', { name: 'Members' }).click()
  await there.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(await isSignedIn(here), true)
})

test('a session that ends elsewhere leaves the focus where it is', async () => {
  const here = await newcomerAtAccount(JEAN)
  const there = await harness.newcomer()
  await enter(there, JEAN)
  await here.reload()
  const end = here.getByRole('button', { name: /^Sign out (?!of)/ })
  await end.waitFor()
  const focused = () => here.evaluate(() => document.activeElement?.tagName)
  assert.equal(await focused(), 'BODY')

  await signOut(there)
  await here.clock.setFixedTime(Date.now() + 2 * MINUTE_MS)
  await here.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await end.waitFor({ state: 'detached' })
  await here.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
  assert.equal(await focused(), 'BODY')
})

test('a privileged change asks to confirm the identity, and is then made', async () => {
  const page = await newcomerAtAccount(EMMY)
  const other = await harness.newcomer()
  await enter(other, EMMY)
  await page.reload()
  const changeAll = async () => {
    await page.getByRole('button', { name: 'Sign out of all other sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  }
  await harness.forgetConfirmations()
  await changeAll()
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alert').getByText('Confirm your identity first').waitFor()
  assert.equal(await isSignedIn(other), true)

  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('Incorrect password.').waitFor()
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(EMMY.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Signed out of all other sessions.').waitFor()
  assert.equal(await isSignedIn(other), false)
})

test('a passkey confirms the identity of its owner only', async () => {
  const page = await newcomerAtAccount(SOPHIE)
  await plugInAuthenticator(page)
  await page.getByLabel('Passkey name').fill('Desk')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const remove = page.getByRole('button', { name: 'Remove Desk' })
  await remove.waitFor()
  await harness.forgetConfirmations()
  await remove.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Passkey removed.').waitFor()
  assert.equal(await isSignedIn(page), true)
})

test('an organization that requires a second factor shows nothing to members without one', async () => {
  const owner = await newcomerAtAccount(ANNIE)
  await turnOnSecondFactor(owner, ANNIE.password)
  const organization = `Company of ${ANNIE.name}`
  const joined = await invite(owner, DOROTHY)
  await joined.getByRole('button', { name: `Join ${organization}` }).click()
  await joined.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()

  await owner.getByRole('link', { name: 'Settings' }).click()
  await owner.getByRole('button', { name: 'Require it' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Require' }).click()
  await owner.getByText('Required of all members.').waitFor()
  await joined.reload()
  await joined.getByText('This organization requires two-factor authentication').waitFor()
  const org = new URL(joined.url()).pathname.split('/')[3]
  assert.equal((await call(joined, 'GET', `/api/organizations/${org}/members`)).status, 403)

  // Another organization does not require it, not even while the dialog of this one is open.
  await call(joined, 'POST', '/api/organizations', { name: 'Compilers' })
  await joined.goto('/app/account')
  await joined.getByRole('button', { name: /Switch organization/ }).click()
  await joined.getByRole('menuitem', { name: 'Compilers' }).click()
  await joined.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await joined.getByRole('button', { name: /Switch organization/ }).click()
  await joined.getByRole('menuitem', { name: organization }).click()
  await joined.getByRole('button', { name: 'Set up' }).click()
  await joined.getByRole('dialog').waitFor()
  await joined.goBack()
  await joined.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await joined.goForward()
  await joined.getByRole('button', { name: 'Set up' }).click()
  await finishSecondFactor(joined, DOROTHY.password)
  await joined.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()

  const invited = await invite(owner, HEDY)
  await invited.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  await finishSecondFactor(invited, HEDY.password)
  await invited.getByRole('button', { name: `Join ${organization}` }).click()
  await invited.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
})

/** The page of an invitation, where a person with a new account can join. */
async function invite(owner: Page, person: Person): Promise<Page> {
  await owner.getByRole('link', { name: 'Members' }).click()
  await owner.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = (await dialog.getByRole('textbox', { name: 'Invitation link' }).textContent()) ?? ''
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const page = await harness.newcomer()
  await page.goto(link)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await fillSignUp(page, person)
  await page.getByText(`You're signed in as`).waitFor()
  return page
}

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
  const made = await finishSecondFactor(page, password)
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
  return made
}

async function assertPrintsCodesOnly(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('listitem').last().waitFor()
  assert.equal(await page.getByRole('button').count(), 0)
  assert.equal(await page.getByRole('link').count(), 0)
  await page.emulateMedia({ media: 'screen' })
}

/** Goes through the dialog that turns it on. */
async function finishSecondFactor(page: Page, password: string): Promise<{ secret: string; backupCode: string }> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = (await dialog.getByRole('textbox', { name: 'Key', exact: true }).textContent()) ?? ''
  await dialog.getByLabel('Code from the app').fill(codeOf(secret, Date.now()))
  // After a minute, the page refetches the visitor, who has a second factor by then.
  await page.clock.setFixedTime(Date.now() + 2 * MINUTE_MS)
  const refetched = page.waitForResponse('**/api/me')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await refetched
  const backupCodes = dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
  const backupCode = (await backupCodes.first().textContent()) ?? ''
  await assertPrintsCodesOnly(page)
  await dialog.getByRole('checkbox', { name: "I've saved them" }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return { secret, backupCode }
}

async function enterCode(page: Page, label: string, code: string): Promise<void> {
  await page.getByLabel(label).fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}
