import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { CarelessPublisher } from './careless-publisher.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { personOf } from './people.ts'
import { beginSource } from './source-dialog.ts'
import { assertAccessible, isWide } from './visitors.ts'

const OLIVE = personOf('Olive')

let careless: CarelessPublisher
let silent: Server
let operator: Page

serveDashboard({
  prepare: async (harness) => {
    careless = harness.use(await CarelessPublisher.open())
    silent = harness.adopt(createServer(() => {}).listen(0, '127.0.0.1'), (server) => {
      server.close()
      server.closeAllConnections()
    })
  },
  begin: async (harness) => {
    operator = await harness.operator(OLIVE)
  },
})

const address = () => operator.getByLabel('Manifest URL')
const begin = () => operator.getByRole('button', { name: 'Check feed' }).click()

test('an operator checks a feed before adding it and reads its errors', async () => {
  const dialog = await beginSource(operator, { url: careless.url, slug: 'harbour' })
  await dialog.getByRole('link', { name: 'check the whole feed' }).click()
  await operator.getByRole('heading', { name: 'Check a feed', level: 1 }).waitFor()
  assert.equal(await address().inputValue(), careless.url)
  await begin()
  await operator.getByText('This feed needs attention').waitFor()
  const found = operator.locator('details', { hasText: 'slot-schedule-dangling' })
  await found.getByText(/Slot\.ndjson:\d+/).waitFor()
  await found.getByRole('link', { name: /^About this rule/ }).waitFor()
  await operator.getByRole('heading', { name: 'Preview' }).waitFor()
  const byState = operator
    .getByRole('region', { name: 'Preview' })
    .locator('dl[aria-labelledby]', { hasText: 'Massachusetts' })
  assert.equal(await byState.locator('dd').innerText(), '8')
  await operator.reload()
  await operator.getByText('This feed needs attention').waitFor()
  await operator.setViewportSize({ width: 390, height: 844 })
  assert.deepEqual(await isWide(operator, 'the report'), [])
  await operator.setViewportSize({ width: 1440, height: 900 })
})

test('exports the report as a self-contained page', async () => {
  const coming = operator.waitForEvent('download')
  await operator.getByRole('button', { name: 'Download HTML' }).click()
  const download = await coming
  assert.equal(download.suggestedFilename(), 'check-127.0.0.1.html')
  const html = await text(await download.createReadStream())
  assert.match(html, /slot-schedule-dangling/)
  assert.doesNotMatch(html, /<script/)
})

test('checks a manifest before the source has a slug, and asks before the dialog discards what was entered', async () => {
  await operator.goto('/app/operator/sources')
  await operator.getByRole('button', { name: 'Add a source' }).click()
  const dialog = operator.getByRole('dialog', { name: 'Add a source' })
  const question = operator.getByRole('dialog', { name: 'Discard changes?' })
  await operator.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await operator.getByRole('button', { name: 'Add a source' }).click()
  await dialog.getByLabel('Manifest URL').fill(careless.url)
  await dialog.getByLabel('Manifest URL').press('Enter')
  await dialog.getByText('This manifest is readable').waitFor()
  await dialog.getByLabel('Slug').and(operator.locator(':focus')).waitFor()
  await dialog.getByRole('button', { name: 'Add source' }).click()
  await dialog.getByText('Use at most 63 lowercase letters, digits and hyphens').waitFor()
  await operator.keyboard.press('Escape')
  await question.locator(':focus').waitFor()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await question.waitFor({ state: 'hidden' })
  assert.equal(await dialog.getByLabel('Manifest URL').inputValue(), careless.url)
  await operator.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await operator.getByRole('button', { name: 'Add a source' }).click()
  assert.equal(await dialog.getByLabel('Manifest URL').inputValue(), '')
  await operator.keyboard.press('Escape')
})

test('does not add an unreadable source when Enter is pressed in a field', async () => {
  await operator.goto('/app/operator/sources')
  const dialog = await beginSource(operator, { url: `${careless.url}/nothing`, slug: 'nothing' })
  await dialog.getByText("This manifest can't be read").waitFor()
  const checked = operator.waitForRequest('**/api/operator/sources/check')
  await dialog.getByLabel('Slug').press('Enter')
  await checked
  await dialog.getByRole('button', { name: 'Add anyway' }).click()
  await operator.getByRole('heading', { level: 1, name: 'nothing' }).waitFor()
})

test('assesses a feed as a Slot Directory, and exports a conformance report that is accessible and fits a phone', async () => {
  await operator.goto(`/app/operator/check?url=${encodeURIComponent(careless.url)}`)
  await operator.getByRole('switch', { name: 'Slot Directory' }).check()
  await begin()
  await operator.getByRole('heading', { name: 'Conformance', level: 2 }).waitFor()
  await operator.getByText(/^Does not conform to Slot Directory: directory-/).waitFor()
  await operator
    .locator('details', { hasText: 'directory-3' })
    .getByText(/Access-Control-Allow-Origin/)
    .waitFor()
  await assertAccessible(operator, 'the statements')
  const coming = operator.waitForEvent('download')
  await operator.getByRole('button', { name: 'Download conformance report' }).click()
  const download = await coming
  assert.equal(download.suggestedFilename(), 'conformance-127.0.0.1.html')
  const page = await operator.context().newPage()
  // The policy of the page forbids scripts, also those of axe.
  const html = (await text(await download.createReadStream())).replace(/<meta http-equiv.*>/, '')
  await page.setContent(html)
  await page.getByRole('heading', { name: /^sched-24/ }).waitFor()
  await assertAccessible(page, 'the conformance report')
  await page.setViewportSize({ width: 390, height: 844 })
  assert.deepEqual(await isWide(page, 'the conformance report'), [])
  await page.close()
})

test('runs one check at a time, shows its progress and keeps a partial report when stopped', async () => {
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/$bulk-publish`
  await operator.goto(`/app/operator/check?url=${encodeURIComponent(url)}`)
  await begin()
  await operator.getByText('Requesting the manifest').waitFor()
  const other = await operator.context().newPage()
  await other.goto('/app/operator/check')
  await other.getByLabel('Manifest URL').fill(careless.url)
  await other.getByRole('button', { name: 'Check feed' }).click()
  await other.getByText(/You are checking http:\/\/127/).waitFor()
  await other.close()
  await operator.getByRole('button', { name: 'Stop' }).click()
  await operator.getByText(/The check ended early, with no error so far: it was stopped/).waitFor()
})

test('checks a source from its page and by its slug', async () => {
  await operator.goto('/app/operator/sources')
  const dialog = await beginSource(operator, { url: careless.url, slug: 'harbour' })
  await dialog.getByRole('button', { name: 'Add source' }).click()
  await dialog.waitFor({ state: 'detached' })
  await operator.goto('/app/operator/sources/harbour')
  await operator.getByRole('link', { name: 'Check feed' }).click()
  assert.equal(await operator.getByLabel('Source', { exact: true }).inputValue(), 'harbour')
  await begin()
  await operator.getByText('This feed needs attention').waitFor()
  assert.equal(await operator.getByLabel('Source', { exact: true }).inputValue(), 'harbour')
})
