import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../source-files.ts'
import { serveDashboard } from './dashboard-bed.ts'
import { findingsOf, isWide, oneHeading } from './visitors.ts'

/** The pages that are read without the dashboard. */
const SITE = ['/', '/docs', ...docsPages(), '/nowhere']

const bed = serveDashboard()

test('axe finds nothing on the front page and the documentation, and none of it scrolls sideways on a phone', async () => {
  const page = await bed.newcomer()
  const found: string[] = []
  // The reference is not our own work alone: reference.test.ts looks at it.
  for (const path of SITE.filter((each) => each !== '/docs/api')) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(path)
    found.push(...(await oneHeading(page, path)), ...(await findingsOf(page, path)))
    await page.setViewportSize({ width: 390, height: 844 })
    found.push(...(await isWide(page, path)))
  }
  assert.equal(found.join('\n'), '')
})

test('the front page and the documentation are read without scripts', async () => {
  const page = await bed.newcomer({ script: false })
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
