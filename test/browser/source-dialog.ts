import type { Locator, Page } from 'playwright-core'

/** Opens "Add a source" on the page of sources, fills in the form and checks the manifest. Returns the dialog. */
export async function beginSource(page: Page, { url, slug }: { url: string; slug: string }): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a source' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Manifest URL').fill(url)
  await dialog.getByLabel('Slug').fill(slug)
  await dialog.getByRole('button', { name: 'Check' }).click()
  return dialog
}
