import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts'
import { eventually } from '../support/eventually.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, enter, personOf, signUp } from './people.ts'
import { assertAccessible } from './visitors.ts'

const ADA = personOf('Ada Lovelace')

/** A signed-in owner, and an organization with a key that has made one request today. */
let page: Page
let org: string
let slots: Request
/** On which day, and in which hour. */
let asked = { day: '', hourMs: 0 }

const harness = serveDashboard({
  begin: async (harness) => {
    page = await harness.newcomer()
    await signUp(page, ADA)
    org = await createOrganization(page, 'Analytical Health')
    const { body } = await call(page, 'POST', `/api/organizations/${org}/keys`, { name: 'web' })
    const headers = { 'x-api-key': (body as { secret: string }).secret }
    slots = new Request(`${harness.service.origin}/v1/scheduling/slots?state=MA`, { headers })
  },
})

test('two dates in the URL choose the period, also by keyboard', async () => {
  const [yesterday, today] = [dateAgo(1), dateAgo(0)]
  await openUsage()
  await page.getByRole('radio', { name: '7 d' }).focus()
  for (const _ of ['30 d', '90 d', 'Custom']) await page.keyboard.press('ArrowRight')
  await page.getByLabel('First day').fill(yesterday)
  await page.waitForURL((url) => url.searchParams.get('from') === yesterday && url.searchParams.get('to') === today)
  await chartOf('Requests by status from').waitFor()

  await page.getByLabel('Last day').fill(dateAgo(3))
  await page.getByText('The last day must not be before the first.').waitFor()
  await chartOf('Requests').waitFor({ state: 'detached' })
  await assertAccessible(page, 'dates in the wrong order')
  await page.getByLabel('First day').fill(dateAgo(200))
  await page.getByText('Choose at most 92 days.').waitFor()

  await page.goto(`/app/o/${org}/usage?range=custom&from=${today}&to=${today}`)
  await chartOf('Requests by status on').waitFor()
  assert.equal(await page.getByLabel('First day').inputValue(), today)
  await page.getByText('24 h', { exact: true }).click()
  await page.waitForURL((url) => url.search === '?range=24h')
})

test('the comparison with the previous period survives a reload', async () => {
  await openUsage()
  await page.getByRole('switch', { name: 'Compare with the previous period' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('0 in the previous period').waitFor()
  await page.reload()
  await page.getByRole('switch', { name: 'Show as table' }).first().check()
  await page.getByRole('columnheader', { name: 'Previous period' }).waitFor()
  await assertAccessible(page, 'the comparison as a table')
})

test('the charts keep the old period, dimmed, until the data of the new one has arrived', async () => {
  await openUsage()
  const release = Promise.withResolvers<void>()
  await page.route('**/usage?*', async (route) => {
    if (route.request().resourceType() === 'fetch') await release.promise
    await route.continue()
  })
  await page.getByText('24 h', { exact: true }).click()
  await page.waitForURL(/range=24h/)
  const busy = page.locator('[aria-busy="true"]')
  await busy.filter({ has: chartOf('Requests by status in the last 7 days') }).waitFor()
  assert.equal(await chartOf('Latency in the last 24 hours').count(), 0)
  release.resolve()
  await chartOf('Requests by status in the last 24 hours').waitFor()
  await busy.waitFor({ state: 'detached' })
  await page.unrouteAll({ behavior: 'wait' })
})

test('keeps its period until the page of a link has loaded, and requests no other', async (t) => {
  await openUsage()
  const release = Promise.withResolvers<void>()
  t.after(async () => {
    release.resolve()
    await page.unrouteAll({ behavior: 'wait' })
  })
  await page.route('**/assets/LogsPage-*.js', async (route) => {
    await release.promise
    await route.continue()
  })
  await page.getByText('24 h', { exact: true }).click()
  await chartOf('Requests by status in the last 24 hours').waitFor()
  const spans: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch' && request.url().includes('/usage?')) spans.push(request.url())
  })
  const loading = page.waitForRequest('**/assets/LogsPage-*.js')
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await loading
  await page.waitForURL('**/logs*')
  await chartOf('Requests by status in the last 24 hours').waitFor()
  release.resolve()
  await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
  assert.deepEqual(spans, [])
})

test('latencies are lines of three percentiles, or a table', async () => {
  await openUsage()
  const latency = page.getByRole('region', { name: 'Latency', exact: true })
  await chartOf('Latency in the last 7 days').focus()
  await page.keyboard.press('End')
  await latency.getByRole('status').getByText('99th percentile (p99)').waitFor()
  await latency.getByRole('switch', { name: 'Show as table' }).check()
  const row = latency.getByRole('row').nth(1)
  assert.match(await row.innerText(), /so far\s+1(\s+[\d.]+ ms){3}$/)
  await assertAccessible(page, 'latencies as a table')
})

test('finds a key beyond the first page of keys', async () => {
  const keys = `/api/organizations/${org}/keys`
  const create = async (name: string) => (await call(page, 'POST', keys, { name })).body as { key: { id: string } }
  const retired = (await create('retired')).key.id
  await call(page, 'POST', `${keys}/${retired}/revoke`, {})
  for (let n = 1; n < 100; n++) await create(`batch ${n}`)
  await openUsage()
  const field = page.getByRole('combobox', { name: 'Key', exact: true })
  await field.fill('retired')
  await page.getByRole('option', { name: /retired/ }).click()
  await page.getByText('No requests in the last 7 days').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('key'), retired)
  await page.reload()
  await page.getByText('No requests in the last 7 days').waitFor()
  await eventually(async () => /retired/.test(await field.inputValue()))
  await assertAccessible(page, 'one key')
})

test('the period moves on with the hour while the page stays open', async () => {
  const tab = await page.context().newPage()
  await tab.clock.install()
  await tab.goto(`/app/o/${org}/usage?range=24h`)
  await tab.getByRole('application', { name: /^Requests/ }).waitFor()
  const asked = tab.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url())
    return pathname.endsWith('/usage') && Number(searchParams.get('toMs')) > Date.now() + HOUR_MS
  })
  await tab.clock.fastForward(HOUR_MS)
  await asked
  await tab.close()
})

test('shows the current periods and relative times in a browser whose clock is days off', async () => {
  await openUsage()
  for (const days of [-3, 3]) {
    const other = await harness.newcomer()
    await other.clock.setFixedTime(Date.now() + days * DAY_MS)
    await enter(other, ADA)
    await other.goto(`/app/o/${org}/usage?range=24h`)
    await other.getByRole('application', { name: /^Requests by status in the last 24 hours/ }).waitFor()
    await other.goto(`/app/o/${org}/logs?time=24h`)
    await other.getByRole('table', { name: 'Requests' }).getByText('/v1/scheduling/slots').first().waitFor()
    await other.goto(`/app/o/${org}/keys?q=web`)
    await other
      .getByRole('row', { name: /web/ })
      .getByText(/^(?:just now|\d minutes? ago)$/)
      .first()
      .waitFor()
    await other.context().close()
  }
})

for (const locale of ['ar-EG', 'fa-IR', 'mr-IN'])
  test(`shows all numbers with the digits 0 to 9 in a browser of ${locale}`, async () => {
    await openUsage()
    const other = await harness.newcomer({ locale })
    await enter(other, ADA)
    for (const path of ['keys', 'usage', 'logs', 'audit']) {
      await other.goto(`/app/o/${org}/${path}`)
      await other.getByRole('main').getByText(/\d/).first().waitFor()
      await other.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      assert.doesNotMatch(await other.locator('body').innerText(), /(?![0-9])\p{Nd}/u, path)
    }
    await other.context().close()
  })

/** The chart whose name begins so. */
function chartOf(name: string) {
  return page.getByRole('application', { name: new RegExp(`^${name}`) })
}

/** Opens the page once a request of today is stored, which takes up to a second: only then the charts end with figures. */
async function openUsage(): Promise<void> {
  if (asked.day !== dateAgo(0)) {
    asked = { day: dateAgo(0), hourMs: Math.floor(Date.now() / HOUR_MS) * HOUR_MS }
    await (await fetch(slots)).text()
  }
  const isStored = async () => {
    const span = `fromMs=${asked.hourMs}&toMs=${asked.hourMs + DAY_MS}`
    const { body } = await call(page, 'GET', `/api/organizations/${org}/usage?${span}`)
    return (body as { hours: readonly unknown[] }).hours.length > 0
  }
  await eventually(isStored)
  await page.goto(`/app/o/${org}/usage`)
  await chartOf('Requests').waitFor()
}

/** The date some days ago, in the zone of the browser. */
function dateAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toLocaleDateString('sv', { timeZone: 'America/New_York' })
}
