import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { SampleService } from '../support/sample-service.ts'
import { visitDashboard } from './dashboard-harness.ts'
import { findingsOf, isWide, oneHeading } from './visitors.ts'

const WIDTHS = [390, 1440]

let sample: SampleService

const harness = visitDashboard(async (harness) => {
  sample = harness.use(await SampleService.serve({ slots: 300 }))
  return sample.service
})

test('a visitor tries an operation with a key that no browser storage keeps', async () => {
  const page = await harness.newcomer({ width: 1440 })
  await openReference(page)
  await page.getByLabel('Bearer Token').first().fill(sample.key)
  await page.getByRole('button', { name: 'Test Request' }).first().click()
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/v1/'))
  await page.getByRole('button', { name: /^Send/ }).first().click()
  const response = await answered
  assert.deepEqual([response.status(), response.url()], [200, `${sample.service.home}/v1/scheduling/slots`])
  const { slots, total } = await response.json()
  assert.ok(slots.length === 25 && total > 25)
  await page.locator('a[href$="/HTTP/Status/200"]').waitFor()
  await page.getByText(slots[0].id).first().waitFor()
  const kept = await page.evaluate(async () => [
    { ...localStorage, ...sessionStorage },
    document.cookie,
    await indexedDB.databases(),
    location.href,
  ])
  assert.doesNotMatch(JSON.stringify(kept), /svc_sk_/)
  assert.deepEqual(await breachesOf(page), [])
})

test('axe finds no violations in the content of the project, with sufficient contrast in light and dark mode', async () => {
  const found: string[] = []
  for (const width of WIDTHS) {
    const page = await harness.newcomer({ width })
    await openReference(page)
    found.push(...(await oneHeading(page, `at ${width}`)), ...(await isWide(page, `at ${width}`)))
    // The content is the same on a phone and has a thousand elements: check it once.
    if (width === WIDTHS[0]) continue
    const findings = await findingsOf(page, `at ${width}`)
    found.push(...findings.filter((finding) => !SCALARS_OWN.some((rule) => finding.includes(`: ${rule}: `))))
  }
  assert.equal(found.join('\n'), '')
})

test('follows the color scheme button', async () => {
  const page = await harness.newcomer({ width: 1440 })
  await openReference(page)
  const ground = () =>
    page.locator('.references-rendered').evaluate((element) => getComputedStyle(element).backgroundColor)
  const schemeOf = () => page.evaluate(() => document.body.className)
  const light = await ground()
  assert.match(await schemeOf(), /\blight-mode\b/)
  // From the system scheme to light, then to dark.
  await page.getByRole('button', { name: /^Color scheme/ }).click()
  await page.getByRole('button', { name: /^Color scheme/ }).click()
  await page.waitForFunction(() => document.body.classList.contains('dark-mode'))
  assert.doesNotMatch(await schemeOf(), /\blight-mode\b/)
  assert.notEqual(await ground(), light)
})

test('without scripts, shows the content and a link to the document', async () => {
  const without = await harness.newcomer({ script: false })
  const blocked = await harness.newcomer()
  await blocked.route('**/assets/scalar-*.js', (route) => route.abort())
  for (const page of [without, blocked]) {
    await page.goto('/docs/api')
    await page.getByRole('heading', { level: 1, name: 'Interactive API reference' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'OpenAPI document' }).click()
    assert.equal(new URL(page.url()).pathname, '/openapi.json')
  }
})

/**
 * Axe findings in Scalar's own markup (1.46.4): headers of operations are buttons that contain buttons, copy buttons have no
 * name, and items of its navigation have states that links do not support.
 */
const SCALARS_OWN = [
  'aria-allowed-attr',
  'aria-allowed-role',
  'aria-required-children',
  'button-name',
  'landmark-unique',
  'nested-interactive',
]

async function openReference(page: Page): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const breaches = document.documentElement.dataset.breaches ?? ''
      document.documentElement.dataset.breaches = `${breaches}${violatedDirective} ${blockedURI}\n`
    })
  })
  await page.goto('/docs/api')
  await page.getByRole('heading', { level: 1, name: 'Scheduling Slots' }).waitFor()
  await page.getByRole('button', { name: 'Test Request' }).first().waitFor()
}

/** Violations of the page's Content-Security-Policy, including those that scripts ignore. */
async function breachesOf(page: Page): Promise<string[]> {
  const breaches = await page.locator('html').getAttribute('data-breaches')
  return breaches?.trim().split('\n') ?? []
}
