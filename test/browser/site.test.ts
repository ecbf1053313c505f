import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { RunningService } from '../running-service.ts'
import { ROOT } from '../source-files.ts'
import { findingsOf, isWide, oneHeading, Visitors } from './visitors.ts'

/** The pages that are read without the dashboard. */
const SITE = ['/', '/docs', ...docsPages(), '/nowhere']

let service: RunningService
let visitors: Visitors

before(async () => {
  service = await RunningService.prepare()
  await service.serve()
  visitors = await Visitors.to(service.home)
})

after(async () => {
  await visitors?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

test('axe finds nothing on the front page and the documentation, and none of it scrolls sideways on a phone', async () => {
  const page = await visitors.newcomer()
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
  visitors.assertNoComplaints()
})

test('the front page and the documentation are read without scripts', async () => {
  const page = await visitors.newcomer({ script: false })
  for (const path of SITE) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.ok((await page.getByRole('main').innerText()).length > 100, path)
  }
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Docs' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Quickstart' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor()
  visitors.assertNoComplaints()
})

function docsPages(): string[] {
  return readdirSync(join(ROOT, 'dashboard/dist/site/docs'))
    .filter((file) => file.endsWith('.html'))
    .map((file) => `/docs/${file.replace('.html', '')}`)
}
