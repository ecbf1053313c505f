import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { parseCsv } from '../support/http/parse-csv.ts'
import { type ExploreService, openExplore } from './explore-service.ts'
import { assertAccessible, isWide, type Visitors } from './visitors.ts'

/** The first page of the list near Boston. */
const LIST = '?near=42.36,-71.06&radiusKm=400&sort=distance&limit=100'
const BOSTON = '/app/explore?near=42.36,-71.06&radiusKm=400&place=Boston,+MA'

let explore: ExploreService
let visitors: Visitors
let ada: Page

before(async () => {
  explore = await openExplore()
  ;({ visitors, ada } = explore)
})

after(() => explore?.[Symbol.asyncDispose]())

test('says why a place of another state matches, in the row and in the details', async () => {
  await ada.goto('/app/explore?state=CA')
  const row = ada.getByRole('row').filter({ hasText: 'Also virtual, licensed in CA' }).first()
  assert.equal(await row.locator('b').first().innerText(), 'CA')
  await row.getByRole('button').click()
  await ada
    .getByRole('dialog')
    .getByText(/^Matches California: the service is also virtual and licensed/)
    .waitFor()
})

test('shows the whole status of a slot on a wide screen', async () => {
  await ada.setViewportSize({ width: 1440, height: 900 })
  await ada.goto('/app/explore?state=MA&isVirtual=true')
  const status = ada.getByRole('table', { name: 'Slots' }).getByText('Free', { exact: true }).first()
  assert.ok(await status.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
  const frame = ada.locator(':has(> table)')
  assert.ok(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
})

test('suggests values with their numbers of slots, by keyboard', async () => {
  await ada.goto('/app/explore?isVirtual=false')
  const city = ada.getByRole('combobox', { name: 'City' })
  await city.fill('bost')
  const option = ada.getByRole('listbox', { name: 'City' }).getByRole('option', { name: /^Boston\s*\d+ slots$/ })
  const count = /(\d+)\s+slots/.exec(await option.innerText())?.[1]
  await assertAccessible(ada, 'suggestions')
  await city.press('Escape')
  assert.equal(await city.inputValue(), '')
  await city.fill('bost')
  await option.waitFor()
  await city.press('ArrowDown')
  await city.press('Enter')
  await ada.getByRole('tab', { name: `Slots (${count})` }).waitFor()
  await ada.waitForURL(({ search }) => search === '?isVirtual=false&city=Boston')
  await ada.getByRole('button', { name: 'More filters' }).click()
  await ada.getByRole('combobox', { name: 'Service type code' }).fill('gen')
  await ada.getByRole('option', { name: /General Practice/ }).click()
  await ada.getByRole('button', { name: /^Remove filter: Service type code: \d+$/ }).waitFor()
})

test('removes a filter by its chip', async () => {
  await ada.goto('/app/explore?state=CA&isVirtual=true')
  const chips = ada.getByRole('list', { name: 'Active filters' })
  await chips.getByRole('button', { name: 'Remove filter: Visit type: Virtual' }).waitFor()
  await chips.getByRole('button', { name: 'Remove filter: State: California' }).click()
  await ada.waitForURL(({ search }) => search === '?isVirtual=true')
})

test('sorts by distance from a point, and says so in the table', async () => {
  await ada.goto(BOSTON)
  await ada.getByRole('button', { name: 'Distance' }).click()
  await ada.locator('th[aria-sort=ascending]', { hasText: 'Distance' }).waitFor()
  await ada.waitForURL(/sort=distance/)
  await ada.locator('[aria-busy=false] >> text=km').first().waitFor()
  const texts = await ada.locator('td[data-label=Distance]').allInnerTexts()
  const distances = texts.map((text) => Number.parseFloat(text))
  assert.ok(distances.length > 5 && distances.every((km, n) => n === 0 || km >= distances[n - 1]), texts.join())
})

test('downloads all slots that match as a CSV file, in the order of the list', async () => {
  await ada.goto(`${BOSTON}&sort=distance&limit=10&offset=10`)
  await ada.getByRole('table', { name: 'Slots' }).waitFor()
  const found = /\((.+)\)/.exec(await ada.getByRole('tab', { name: /^Slots \(/ }).innerText())?.[1]
  const coming = ada.waitForEvent('download')
  await ada.getByRole('link', { name: 'Download CSV' }).click()
  const download = await coming
  assert.equal(download.suggestedFilename(), 'slots.csv')
  const rows = parseCsv(await text(await download.createReadStream()))
  assert.equal(rows.length.toLocaleString('en-US'), found)
  const page = await ada.evaluate(async (path) => (await fetch(path)).json(), `/api/explore/slots${LIST}`)
  assert.deepEqual(
    rows.slice(0, 100).map(({ id }) => id),
    page.slots.map(({ id }: { id: string }) => id),
  )
})

test('finds what is near a ZIP code or a city, nearest first', async () => {
  await ada.goto('/app/explore')
  const near = ada.getByRole('combobox', { name: 'Near' })
  await near.fill('20505')
  await ada.getByRole('status').filter({ hasText: 'ZIP code 20505 has no area' }).waitFor()
  await near.fill('02139')
  await ada.getByRole('option', { name: 'ZIP 02139' }).waitFor()
  await near.press('Enter')
  await ada.getByRole('button', { name: 'Remove filter: Near: ZIP 02139 (25 km)' }).waitFor()
  await ada.waitForURL(({ searchParams }) => searchParams.get('near') === '42.36,-71.1')
  await ada.locator('th[aria-sort=ascending]', { hasText: 'Distance' }).waitFor()
  await near.fill('new york, ny')
  await ada.getByRole('option', { name: 'New York, NY' }).click()
  await ada.getByRole('button', { name: 'Remove filter: Near: New York, NY (25 km)' }).click()
  await ada.waitForURL(({ search }) => search === '')
})

test('offers a wider radius where nothing is near', async () => {
  await ada.goto('/app/explore')
  const near = ada.getByRole('combobox', { name: 'Near' })
  // Nantucket, an island without sample slots.
  await near.fill('0255')
  await ada.getByRole('option', { name: 'ZIP 02554' }).click()
  await ada.getByText('No slots match these filters').waitFor()
  await ada.getByRole('button', { name: /^Anywhere, not only near ZIP 02554 \([\d,]+\)$/ }).waitFor()
  await assertAccessible(ada, 'nothing near')
  await ada.getByRole('button', { name: /^Within 200 km \([1-9][\d,]*\)$/ }).click()
  await ada.getByRole('button', { name: 'Remove filter: Near: ZIP 02554 (200 km)' }).waitFor()
  await ada.locator('th[aria-sort=ascending]', { hasText: 'Distance' }).waitFor()
})

test('uses the position of the visitor after consent, on this page only', async () => {
  await ada.context().grantPermissions(['geolocation'])
  await ada.context().setGeolocation({ latitude: 42.35843, longitude: -71.05977 })
  await ada.goto('/app/account')
  await ada.getByRole('link', { name: 'Explore slots' }).click()
  await ada.getByRole('button', { name: 'Use my location' }).click()
  const share = ada.getByRole('dialog', { name: 'Use my location' }).getByRole('button', { name: 'Share my location' })
  await assertAccessible(ada, 'consent')
  const reloaded = ada.waitForEvent('load')
  await share.click()
  await reloaded
  await share.click()
  await ada.getByRole('button', { name: 'Remove filter: Near: My location (25 km)' }).waitFor()
  assert.equal(new URL(ada.url()).searchParams.get('near'), '42.36,-71.06')
})

test('says that it is offline and since when the list is not current', async () => {
  await ada.goto(BOSTON)
  await ada.getByRole('table', { name: 'Slots' }).waitFor()
  await ada.context().setOffline(true)
  const notice = ada
    .getByRole('alert')
    .filter({ hasText: /^You are offline. Showing what was loaded at \d+:\d\d [AP]M\./ })
  await notice.waitFor()
  await ada.getByRole('button', { name: 'Remove filter: Near' }).click()
  await notice.getByText('Your last change is not applied yet.').waitFor()
  await assertAccessible(ada, 'offline')
  await notice.getByRole('button', { name: 'Try again' }).click()
  await notice.waitFor()
  await ada.context().setOffline(false)
  await notice.waitFor({ state: 'hidden' })
  await ada.getByText('Sorted by start, soonest first').waitFor()
})

test('axe finds no violations in a list by distance, which fits a phone', async () => {
  for (const width of [390, 1440]) {
    await ada.setViewportSize({ width, height: 900 })
    await ada.goto(`${BOSTON}&sort=distance&state=MA`)
    await ada.getByRole('table', { name: 'Slots' }).waitFor()
    await assertAccessible(ada, `by distance at ${width}`)
    assert.deepEqual(await isWide(ada, `by distance at ${width}`), [])
  }
  visitors.assertNoComplaints()
})
