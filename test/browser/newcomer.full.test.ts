import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { serveDashboard } from './dashboard-harness.ts'
import { createOrganization, isSignedIn, personOf, signIn, signOut, signUp } from './people.ts'
import { secretDialog } from './secret-dialog.ts'

const ADA = personOf('Ada Lovelace')
const GRACE = personOf('Grace Hopper')
const MARY = personOf('Mary Somerville')

/** More Tab stops than any page has before the target. */
const TABS_MAX = 60

const harness = serveDashboard()

test('the keyboard leads from the home page to a first response', async () => {
  const page = await harness.newcomer()
  await page.goto('/')
  await tabTo(page.getByRole('banner').getByRole('link', { name: 'Get a free key' }))
  await page.keyboard.press('Enter')
  await typeInto(page.getByLabel('Name'), GRACE.name)
  await typeInto(page.getByLabel('Email'), GRACE.email)
  await typeInto(page.getByRole('textbox', { name: 'Password' }), GRACE.password)
  await page.keyboard.press('Enter')
  await typeInto(page.getByLabel('Organization name'), 'Compilers')
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('button', { name: 'Create your first key' }))
  await page.keyboard.press('Enter')
  // The focus is on the name field of the dialog, which is already filled in.
  await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  const { dialog, secret } = await secretDialog(page)
  await tabTo(dialog.getByRole('button', { name: 'Copy api key' }))
  await page.keyboard.press('Enter')
  await dialog.getByText('Copied to clipboard').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
  assert.equal((await harness.service.slots(secret, 'state=MA')).status, 200)
  await dialog.getByRole('status').getByText('Your first request arrived: 200 OK').waitFor()
  await tabTo(dialog.getByRole('checkbox', { name: "I've saved it in a safe place" }))
  await page.keyboard.press('Space')
  await tabTo(dialog.getByRole('button', { name: 'Done' }))
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await tabTo(page.getByRole('link', { name: 'My first key' }))
})

test('Back from a new organization does not show its form again', async () => {
  const page = await harness.newcomer()
  await signUp(page, personOf('Caroline Herschel'))
  const first = await createOrganization(page, 'Comets')
  await page.goto('/app/welcome')
  await createOrganization(page, 'Nebulae')
  await page.goBack()
  await page.waitForURL(`**/app/o/${first}/keys`)
})

test('the dialog with the secret ignores Escape and outside clicks, and Done requires the checkbox', async () => {
  const page = await harness.newcomer()
  await signUp(page, MARY)
  await createOrganization(page, 'Mechanism of the Heavens')
  // The dialog suggests a name only if the list of keys is there, and empty.
  await page.getByRole('button', { name: 'Create your first key' }).waitFor()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const { dialog } = await secretDialog(page)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 450)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByText("Confirm that you've saved it. It can't be shown again.").waitFor()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('signs out and signs in again with the same password', async () => {
  const page = await harness.newcomer()
  await signUp(page, ADA)
  await createOrganization(page, 'Analytical Health')
  await signOut(page)
  assert.equal(await isSignedIn(page), false)
  // Signing in leads to the page requested before.
  await page.goto('/app/account')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill(ADA.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(ADA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
})

test('shows the same error for a wrong password and an unknown address', async () => {
  const page = await harness.newcomer()
  const responses: string[] = []
  for (const email of [ADA.email, 'nobody@example.org']) {
    const answered = page.waitForResponse('**/api/auth/sign-in/email')
    await signIn(page, { email, password: 'not the passphrase' })
    const response = await answered
    const words = await page.getByRole('alert').textContent()
    responses.push(`${response.status()} ${await response.text()} ${words}`)
  }
  assert.match(responses[0], /^401 .*Incorrect email or password/)
  assert.equal(responses[1], responses[0])
})

test('an organization whose name is hard to type is deleted by its ID', async () => {
  const page = await harness.newcomer()
  await signUp(page, personOf('Emmy Noether'))
  const id = await createOrganization(page, '„Łódź“ عيادة النور 東京')
  await page.goto(`/app/o/${id}/settings`)
  const button = page.getByRole('button', { name: 'Delete „Łódź“' })
  // Its words are apart: a flex container drops the spaces between them.
  assert.match(await button.innerText(), /^Delete „Łódź“/)
  await button.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(id)
  await dialog.getByRole('button', { name: 'Delete organization' }).click()
  await page.getByRole('heading', { name: 'Welcome, Emmy Noether', level: 1 }).waitFor()
})

/** Presses Tab until the target has the focus. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  for (let n = 0; n < TABS_MAX; n++) {
    await target.page().keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  assert.fail(`Cannot go there by keyboard: ${target} must be within ${TABS_MAX} presses of Tab`)
}

async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field)
  await field.page().keyboard.type(text)
}
