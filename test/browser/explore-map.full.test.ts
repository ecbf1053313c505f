import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import type { RunningService } from '../support/running-service.ts'
import { type ExploreService, openExplore } from './explore-service.ts'
import { assertAccessible, isWide, type Visitors } from './visitors.ts'

let explore: ExploreService
let service: RunningService
let visitors: Visitors
let ada: Page
let key: string

before(async () => {
  explore = await openExplore()
  ;({ service, visitors, ada, key } = explore)
})

after(() => explore?.[Symbol.asyncDispose]())

async function totalOf(search: string): Promise<number> {
  const { status, body } = await service.slots(key, search)
  assert.equal(status, 200, search)
  return body.total
}

const slotsOf = (count: number) => (count === 1 ? '1 slot' : `${count.toLocaleString('en-US')} slots`)

test('maps the states of a search with the totals of /v1, and filters by a state with the keyboard', async () => {
  await ada.goto('/app/explore?view=map&isVirtual=false')
  const map = ada.getByRole('toolbar', { name: 'Slots by state' })
  const inPerson = { HI: await totalOf('isVirtual=false&state=HI'), UT: await totalOf('isVirtual=false&state=UT') }
  await map.getByRole('button', { name: new RegExp(`^HI\\b.*Hawaii:\\s*${inPerson.HI} slots?$`) }).waitFor()
  assert.ok((await map.getByRole('button').count()) >= 51)
  // One stop of the Tab key; arrow keys go from California to Utah.
  assert.equal(await map.locator('[tabindex="0"]').count(), 1)
  await map.getByRole('button', { name: /^CA\b/ }).focus()
  await ada.keyboard.press('ArrowRight')
  await ada.keyboard.press('Enter')
  await map.getByRole('button', { name: /^UT\b/, pressed: true }).waitFor()
  await ada.waitForURL(/state=UT/)
  await ada.getByRole('tab', { name: `Slots (${inPerson.UT.toLocaleString('en-US')})` }).waitFor()
  await ada
    .getByRole('status')
    .filter({ hasText: `Utah: ${slotsOf(inPerson.UT)}` })
    .waitFor()
  await ada.getByRole('switch', { name: 'Show as table' }).press('Space')
  const row = ada.getByRole('table', { name: 'Slots by state' }).getByRole('row').filter({ hasText: 'Hawaii' })
  assert.match(await row.innerText(), new RegExp(`Hawaii\\s+${inPerson.HI.toLocaleString('en-US')}`))
  await ada.getByRole('button', { name: 'Show slots' }).click()
  await ada.getByRole('table', { name: 'Slots', exact: true }).waitFor()
})

test('shows all states by day on request', async () => {
  await ada.goto('/app/explore?view=days')
  const region = ada.getByRole('region', { name: 'Slots by day and state' })
  await ada.getByRole('button', { name: 'Show all states' }).click()
  await region.getByRole('button', { name: 'Wyoming', exact: true }).waitFor()
  await ada.getByRole('button', { name: 'Show the top states' }).waitFor()
})

test("shows the place's time, mine or UTC, and remembers the choice", async () => {
  await ada.goto('/app/explore?state=HI&isVirtual=false')
  const table = ada.getByRole('table', { name: 'Slots', exact: true })
  const hawaii = table.getByRole('row').filter({ hasText: 'Honolulu' }).first()
  await table.getByRole('columnheader', { name: "Starts (place's time)" }).waitFor()
  // The visitor is in New York.
  assert.match(await hawaii.innerText(), /\d:\d\d\s[AP]M HST\s[\s\S]*\d:\d\d\s[AP]M your time/)
  const choice = ada.getByRole('radiogroup', { name: 'Show times in' })
  await choice.getByRole('radio', { name: 'UTC' }).press('Space')
  await table.getByRole('columnheader', { name: 'Starts (UTC)' }).waitFor()
  await ada.waitForURL(/times=utc/)
  assert.match(await hawaii.innerText(), /\d:\d\d\s[AP]M UTC\s[\s\S]*\d:\d\d\s[AP]M HST/)
  await ada.goto('/app/explore?state=HI&isVirtual=false')
  await table.getByRole('columnheader', { name: 'Starts (UTC)' }).waitFor()
  await ada.goto('/app/explore?state=HI&isVirtual=false&times=mine')
  await table.getByRole('columnheader', { name: 'Starts (your time)' }).waitFor()
  assert.match(await hawaii.innerText(), /\d:\d\d\s[AP]M E[SD]T\s[\s\S]*\d:\d\d\s[AP]M HST/)
})

test('axe finds no violations on the map, which fits a phone', async () => {
  for (const width of [390, 1440]) {
    await ada.setViewportSize({ width, height: 900 })
    await ada.goto('/app/explore?view=map&state=CA')
    await ada.getByRole('toolbar', { name: 'Slots by state' }).waitFor()
    await assertAccessible(ada, `map at ${width}`)
    assert.deepEqual(await isWide(ada, `map at ${width}`), [])
  }
  visitors.assertNoComplaints()
})

test('the front page shows the counts of now within its budget', async () => {
  const page = await visitors.newcomer()
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    const sized = response.request().sizes()
    sizes.push(sized.then(({ responseBodySize }) => responseBodySize))
  })
  // The first request for a page begins to compress it.
  await eventually(async () => (await page.request.get('/')).headers()['content-encoding'] !== undefined)
  await page.goto('/')
  const open = (await totalOf('')).toLocaleString('en-US')
  const line = new RegExp(`^${open} open slots in \\d+ states(?: and DC)?, from 1 publisher, updated .* ago$`)
  await page.getByText(line).waitFor()
  await page.getByRole('figure', { name: 'Open slots by state' }).waitFor()
  const hawaii = (await totalOf('state=HI')).toLocaleString('en-US')
  await page.getByRole('img', { name: new RegExp(`^Open slots by state: .*\\bHI ${hawaii}\\b`) }).waitFor()
  const bytes = await Promise.all(sizes)
  assert.ok(bytes.length <= 6, `${bytes.length} requests`)
  const sum = bytes.reduce((a, b) => a + b, 0)
  assert.ok(sum <= 20_000, `${sum} bytes`)
  await assertAccessible(page, 'front page')
  visitors.assertNoComplaints()
})
