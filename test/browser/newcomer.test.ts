import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, fillSignUp, personOf } from './people.ts'
import { secretDialog } from './secret-dialog.ts'

const ADA = personOf('Ada Lovelace')

const harness = serveDashboard()

test('mouse clicks lead from the home page to a first response, and the secret is shown once', async () => {
  const page = await harness.newcomer()
  await page.goto('/')
  await page.getByRole('main').getByRole('link', { name: 'Get a free key' }).click()
  await fillSignUp(page, ADA)
  const org = await createOrganization(page, 'Analytical Health')
  await page.getByRole('button', { name: 'Create your first key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const { dialog, secret } = await secretDialog(page)
  await dialog.getByRole('status').getByText('Waiting for your first request…').waitFor()

  await runAsShown(dialog)
  await dialog.getByRole('status').getByText('Your first request arrived: 200 OK').waitFor()
  assert.equal((await harness.service.slots(secret, 'state=MA')).status, 200)

  assert.ok((await everythingKept(page, org)).includes(secret))
  assert.equal(await questionOnReload(page), 'beforeunload', 'a key that was not stored is not lost at once')
  await page.getByText(`svc_sk_…${secret.slice(-4)}`).waitFor()
  assert.ok(!(await everythingKept(page, org)).includes(secret))
})

/** Runs the TypeScript sample of the page in a separate process. Rejects if the service rejects it. */
async function runAsShown(dialog: Locator): Promise<void> {
  await dialog.getByRole('tab', { name: 'TypeScript' }).click()
  const code = await dialog.getByRole('region', { name: 'TypeScript example' }).textContent()
  await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', code ?? ''])
}

/** Reloads the page, accepts the confirmation and returns the type of the dialog. */
async function questionOnReload(page: Page): Promise<string | undefined> {
  let asked: string | undefined
  page.once('dialog', async (dialog) => {
    asked = dialog.type()
    await dialog.accept()
  })
  await page.reload()
  return asked
}

/** Everything that the page still shows, stores or can request again. */
async function everythingKept(page: Page, org: string): Promise<string> {
  const kept = await page.evaluate(() => [
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input')].map(({ value }) => value),
    ...[localStorage, sessionStorage].flatMap((storage) => Object.values(storage)),
    JSON.stringify(history.state),
    document.cookie,
    location.href,
  ])
  const paths = ['keys', 'audit'].map((part) => `/api/organizations/${org}/${part}`)
  const responses = await Promise.all(paths.map((path) => call(page, 'GET', path)))
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200],
  )
  return JSON.stringify([kept, responses])
}
