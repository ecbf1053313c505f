import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SampleService } from '../support/sample-service.ts'
import { visitDashboard } from './dashboard-harness.ts'
import { findingsOf, isWide, oneHeading } from './visitors.ts'

const WIDTHS = [390, 1440]
const SCRIPT_BYTES_MAX = 20_000

let sample: SampleService

const harness = visitDashboard(async (harness) => {
  sample = harness.use(await SampleService.serve({ slots: 300 }))
  return sample.service
})

test('a visitor tries an operation with a key that no browser storage keeps', async () => {
  const page = await harness.newcomer({ width: 1440 })
  await page.goto('/docs/api')
  await page.getByText('Try it: List slots').click()
  const form = page.getByRole('main').locator('form').first()
  await form.getByLabel('API key (stays on this page)').fill(sample.key)
  await form.getByLabel('limit', { exact: true }).fill('3')
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/v1/'))
  await form.getByRole('button', { name: 'Send' }).click()
  const response = await answered
  assert.deepEqual([response.status(), response.url()], [200, `${sample.service.home}/v1/scheduling/slots?limit=3`])
  await page.getByRole('status').filter({ hasText: '200 /v1/scheduling/slots?limit=3' }).waitFor()
  const { slots } = await response.json()
  await page.locator('.try-it pre').getByText(slots[2].id).waitFor()
  const kept = await page.evaluate(async () => [
    { ...localStorage, ...sessionStorage },
    document.cookie,
    await indexedDB.databases(),
    location.href,
  ])
  assert.doesNotMatch(JSON.stringify(kept), /svc_sk_/)
})

test('axe finds nothing, also in an open form, and the page is as wide as the screen', async () => {
  const found: string[] = []
  for (const width of WIDTHS) {
    const page = await harness.newcomer({ width })
    await page.goto('/docs/api')
    await page.getByText('Try it: Show a slot').click()
    found.push(...(await oneHeading(page, `at ${width}`)), ...(await isWide(page, `at ${width}`)))
    found.push(...(await findingsOf(page, `at ${width}`)))
  }
  assert.equal(found.join('\n'), '')
})

test('has the frame of the documentation, and few scripts', async () => {
  const page = await harness.newcomer({ width: 1440 })
  let bytes = 0
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script') bytes += (await response.body()).length
  })
  await page.goto('/docs/api', { waitUntil: 'networkidle' })
  const nav = page.getByRole('navigation', { name: 'Documentation' })
  assert.equal(await nav.getByRole('link', { name: 'API reference' }).getAttribute('aria-current'), 'page')
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'List slots' }).waitFor()
  assert.ok(bytes < SCRIPT_BYTES_MAX, `${bytes} bytes of script`)
})

test('needs no script, and the search finds operations', async () => {
  const without = await harness.newcomer({ script: false })
  await without.goto('/docs/api')
  await without.getByRole('heading', { level: 3, name: 'List slots' }).waitFor()
  const page = await harness.newcomer()
  await page.goto('/docs')
  await page.getByRole('combobox').fill('list publishers')
  await page.getByRole('option', { name: 'API reference › List publishers' }).click()
  await page.waitForURL('**/docs/api#list-publishers')
})

test('copies a page as Markdown', async () => {
  const page = await harness.newcomer()
  await page.goto('/docs/quickstart')
  await page.getByRole('button', { name: 'Copy page' }).click()
  await page.getByRole('button', { name: 'Copied as Markdown' }).waitFor()
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^# Quickstart/)
})
