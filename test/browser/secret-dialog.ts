import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** The dialog with the new key, once it is open. */
export async function secretDialog(page: Page): Promise<{ dialog: Locator; secret: string }> {
  const dialog = page.getByRole('dialog', { name: 'Your new key' })
  const secret = await dialog
    .getByRole('textbox', { name: 'API key' })
    .textContent()
    .catch(async (error) => assert.fail(`${error}\nThe page shows: ${await page.locator('body').innerText()}`))
  assert.match(secret ?? '', /^svc_sk_\w{49}$/)
  return { dialog, secret: secret ?? '' }
}

/** Confirms that the new key is saved, and closes the dialog. */
export async function acknowledge(page: Page): Promise<void> {
  const { dialog } = await secretDialog(page)
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'hidden' })
}
