import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { serveDashboard } from './dashboard-harness.ts'
import { personOf, signUp } from './people.ts'
import { assertAccessible } from './visitors.ts'

const OLIVE = personOf('Olive')
const GRACE = personOf('Grace Hopper')
const MARY = personOf('Mary Somerville')

const harness = serveDashboard()

test('a confirmation that is canceled keeps the form behind it, and asks before it drops a password', async () => {
  await signUp(await harness.newcomer(), GRACE)
  await harness.service.run('account', 'verify', GRACE.email)
  const page = await harness.operator(OLIVE)
  await page.goto('/app/operator/operators')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add an operator or viewer' })
  await form.getByLabel('Email').fill(GRACE.email)
  await harness.forgetConfirmations()
  await form.getByRole('button', { name: 'Add' }).click()

  const confirmation = page.getByRole('dialog', { name: "Confirm it's you" })
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await confirmation.getByRole('textbox', { name: 'Your password' }).fill('half a pass')
  await page.keyboard.press('Escape')
  await question.waitFor()
  await assertAccessible(page, 'question over the confirmation')
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  assert.equal(await confirmation.getByRole('textbox', { name: 'Your password' }).inputValue(), 'half a pass')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await confirmation.waitFor({ state: 'hidden' })
  await form.getByText('Confirm your identity first').waitFor()
  assert.equal(await question.isVisible(), false)
  assert.equal(await form.getByLabel('Email').inputValue(), GRACE.email)

  await form.getByRole('button', { name: 'Add' }).click()
  await cancelEmpty(page)
  assert.equal(await form.getByLabel('Email').inputValue(), GRACE.email)
  await form.getByRole('button', { name: 'Add' }).click()
  await confirmation.getByRole('textbox', { name: 'Your password' }).fill(OLIVE.password)
  await confirmation.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText(`${GRACE.email} is now a viewer.`).waitFor()
})

test('a confirmation that is left by Back is asked for again', async () => {
  const page = await harness.operator(MARY)
  await page.goto('/app/operator/operators')
  await page.getByRole('button', { name: 'No organization. Choose one' }).click()
  await page.getByRole('menuitem', { name: 'New organization' }).click()
  await page.getByLabel('Organization name').waitFor()
  await page.goBack()
  await askToAdd(page)
  await page.goForward()
  await page.getByLabel('Organization name').waitFor()
  await page.goBack()
  await askToAdd(page)
})

/** Resolves when the dialog asks for a confirmation. */
async function askToAdd(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add an operator or viewer' })
  await form.getByLabel('Email').fill(GRACE.email)
  await harness.forgetConfirmations()
  await form.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('textbox', { name: 'Your password' }).waitFor()
}

/** Escape closes the empty confirmation only, without a question. */
async function cancelEmpty(page: Page): Promise<void> {
  const confirmation = page.getByRole('dialog', { name: "Confirm it's you" })
  await confirmation.getByRole('textbox', { name: 'Your password' }).waitFor()
  await page.keyboard.press('Escape')
  await confirmation.waitFor({ state: 'hidden' })
  await page.waitForTimeout(300)
  assert.equal(await page.getByRole('dialog', { name: 'Discard changes?' }).isVisible(), false)
}
