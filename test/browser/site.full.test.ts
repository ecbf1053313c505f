import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/source-files.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { findingsOf, isWide, oneHeading, schemesOf } from './visitors.ts'

/** The pages outside the dashboard. */
const SITE = ['/', '/docs', ...docsPages(), '/nowhere']

const harness = serveDashboard()

test('axe finds no violations on the home page and the documentation, which fit a phone', async () => {
  const page = await harness.newcomer()
  const found: string[] = []
  // reference.full.test.ts checks the API reference, which is not only the project's own markup.
  const paths = SITE.filter((each) => each !== '/docs/api')
  for (const [n, path] of paths.entries()) {
    const schemes = schemesOf(n)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: schemes[0] })
    await page.goto(path)
    found.push(...(await oneHeading(page, path)), ...(await findingsOf(page, path, { schemes })))
    await page.setViewportSize({ width: 390, height: 844 })
    found.push(...(await isWide(page, path)))
  }
  assert.equal(found.join('\n'), '')
})

test('the home page and the documentation work without scripts', async () => {
  const page = await harness.newcomer({ script: false })
  for (const path of SITE) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.ok((await page.getByRole('main').innerText()).length > 100, path)
  }
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Docs' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Quickstart' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor()
})

function docsPages(): string[] {
  return readdirSync(join(ROOT, 'dashboard/dist/site/docs'))
    .filter((file) => file.endsWith('.html'))
    .map((file) => `/docs/${file.replace('.html', '')}`)
}
