import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { SampleService } from '../support/sample-service.ts'
import { EventReceiver, isVerified } from '../support/subscriptions/event-receiver.ts'
import { visitDashboard } from './dashboard-harness.ts'
import { createOrganization, personOf, signIn, signOut, signUp } from './people.ts'

const ADA = personOf('Ada Lovelace')

let sample: SampleService
let receiver: EventReceiver

const harness = visitDashboard(async (harness) => {
  receiver = harness.use(await EventReceiver.open())
  sample = harness.use(await SampleService.serve({ slots: 2000, env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } }))
  return sample.service
})

test('subscribes from Explore, follows a delivery, rotates the secret, pauses and deletes', async () => {
  const page = await signedIn()
  receiver.echoes = false
  const secret = await notifyMe(page)
  await page
    .getByText('The response does not contain the challenge.')
    .or(page.getByText('200', { exact: true }))
    .waitFor()
  // Not before the click: the service retries by itself, and the button then sends a test.
  await page.route('**/test', (route) => {
    receiver.echoes = true
    return route.continue()
  })
  await page.getByRole('button', { name: 'Verify now' }).click()
  await page.getByText('Active', { exact: true }).waitFor()

  await sample.passHour()
  const [event] = await receiver.whenReceived(1)
  assert.equal(event.body.type, 'slots.opened')
  assert.ok(isVerified(event, secret))
  await readDelivery(page, event.id, event.body.data.total ?? 0)
  const [, again] = await receiver.whenReceived(2)
  assert.deepEqual([again.id, again.body.data.ids], [event.id, event.body.data.ids])
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

  const next = await rotateSecret(page)
  assert.notEqual(next, secret)
  await page.getByRole('button', { name: 'Send test' }).click()
  const [, , tested] = await receiver.whenReceived(3)
  assert.equal(tested.body.type, 'subscription.test')
  assert.deepEqual([isVerified(tested, secret), isVerified(tested, next)], [true, true])

  await act(page, 'Pause')
  await page.getByText('Paused', { exact: true }).waitFor()
  await act(page, 'Delete…')
  const confirmation = page.getByRole('dialog', { name: 'Delete this subscription?' })
  await confirmation.getByRole('button', { name: 'Delete subscription' }).click()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  await page.getByText(new URL(receiver.url()).host).waitFor({ state: 'detached' })
})

async function signedIn(): Promise<Page> {
  const page = await harness.newcomer()
  await signUp(page, ADA)
  await createOrganization(page, 'Analytical Health')
  await signOut(page)
  await signIn(page, ADA)
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  return page
}

/** Ends on the page of the subscription. Returns the secret. */
async function notifyMe(page: Page): Promise<string> {
  await page.goto('/app/explore?state=MA')
  await page.getByRole('button', { name: 'Notify me' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notify me when slots open' })
  await dialog.getByText('Massachusetts').waitFor()
  await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url())
  await dialog.getByRole('combobox', { name: 'At most one request every' }).click()
  await page.getByRole('option', { name: '1 second', exact: true }).click()
  await dialog.getByRole('button', { name: 'Create subscription' }).click()
  const secret = await saveSecret(page)
  await page.getByRole('heading', { name: new URL(receiver.url()).host, level: 1 }).waitFor()
  return secret
}

async function rotateSecret(page: Page): Promise<string> {
  await act(page, 'Rotate secret…')
  const dialog = page.getByRole('dialog', { name: 'Rotate the secret?' })
  await dialog.getByRole('button', { name: 'Create new secret' }).click()
  const secret = await saveSecret(page)
  await page.getByText('Requests are also signed with the previous secret').waitFor()
  return secret
}

/** Closes the dialog, after which the page does not have the secret. */
async function saveSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'The secret of your subscription' })
  const secret = (await dialog.getByRole('textbox', { name: 'Secret' }).textContent()) ?? ''
  assert.match(secret, /^whsec_/)
  await dialog.getByRole('checkbox', { name: "I've saved it in a safe place" }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(secret))
  return secret
}

/** Opens the delivery, which shows request and response, and sends it again. */
async function readDelivery(page: Page, id: string, total: number): Promise<void> {
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  const row = deliveries.getByRole('row').filter({ hasText: `Slots opened (${total.toLocaleString('en-US')})` })
  await row.getByText('Delivered').waitFor()
  await row.getByText('204', { exact: true }).waitFor()
  await row.getByRole('button').click()
  const drawer: Locator = page.getByRole('dialog')
  await drawer.getByText(id).first().waitFor()
  await drawer.getByText('"type": "slots.opened"').waitFor()
  await drawer.getByText('204', { exact: true }).waitFor()
  await drawer.getByRole('button', { name: 'Send again' }).click()
}

async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${new URL(receiver.url()).host}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
