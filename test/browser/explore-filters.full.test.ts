import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
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

/** Waits until the page shows the total of the same query to `/v1`. */
async function showsAsMany(search: string): Promise<number> {
  const { status, body } = await service.slots(key, search)
  assert.equal(status, 200, search)
  await ada.getByRole('tab', { name: `Slots (${body.total.toLocaleString('en-US')})` }).waitFor()
  return body.total
}

async function set(label: string, text: string): Promise<void> {
  await ada.getByRole('textbox', { name: label, exact: true }).fill(text)
  await ada.keyboard.press('Enter')
}

async function setNear(text: string): Promise<void> {
  await ada.getByRole('combobox', { name: 'Near' }).fill(text)
  await ada.keyboard.press('Enter')
}

test('sets every filter of the API and finds the same slots as /v1', async () => {
  await ada.goto('/app/explore')
  const all = await showsAsMany('')
  const near = '42.36,-71.06'
  const distance = ada.getByRole('textbox', { name: 'Radius (km)' })
  await ada.getByRole('button', { name: 'More filters' }).click()
  assert.ok(await distance.isDisabled(), 'a distance says nothing without a point')
  await setNear(near)
  const around = await showsAsMany(`near=${near}`)
  await set('Radius (km)', '400')
  const farther = await showsAsMany(`near=${near}&radiusKm=400`)
  assert.ok(around <= farther && farther < all && farther > 0)
  await set('Minimum minutes', '15')
  await ada.getByRole('combobox', { name: 'Accepting patients' }).click()
  await ada.getByRole('option', { name: 'New patients' }).click()
  await showsAsMany(`near=${near}&radiusKm=400&minDurationMinutes=15&acceptingPatients=newpt`)
  await setNear('')
  await showsAsMany('minDurationMinutes=15&acceptingPatients=newpt')
  await ada.waitForURL(({ search }) => !/radiusKm|near/.test(search))
  await ada.getByRole('button', { name: 'Clear all' }).click()
  await showsAsMany('')
})

test('shows an error of a collapsed filter at its field, expanded and removable', async () => {
  await ada.goto('/app/explore?providerNpi=12')
  const field = ada.getByRole('combobox', { name: 'Provider NPI' })
  await ada.getByText('providerNpi must be ten digits').first().waitFor()
  assert.equal(await field.inputValue(), '12')
  await field.fill('1234567890')
  await field.press('Enter')
  await ada.getByRole('button', { name: 'Any provider, not only 1234567890' }).click()
  await showsAsMany('')
})

test('counts active filters that are collapsed', async () => {
  await ada.goto('/app/explore?postalCode=0&specialty=Dermatology')
  await showsAsMany('postalCode=0&specialty=Dermatology')
  await ada.getByRole('button', { name: 'Fewer filters' }).click()
  await ada.getByRole('button', { name: 'More filters (2 set)' }).waitFor()
})

test('shows the whole names of the visit types with wide letters (WCAG 1.4.12)', async () => {
  await ada.goto('/app/explore')
  const types = ada.getByRole('radiogroup', { name: 'Visit type' })
  await types.waitFor()
  const cut = await types.evaluate((group: HTMLElement) => {
    group.style.letterSpacing = '0.12em'
    const { right } = group.getBoundingClientRect()
    return [...group.querySelectorAll('label')]
      .filter((label) => label.getBoundingClientRect().right > right)
      .map(({ textContent }) => textContent)
  })
  assert.deepEqual(cut, [])
})

test('axe finds no violations on the expanded form, which fits a phone', async () => {
  const rare = '/app/explore?near=42.36,-71.06&radiusKm=400&acceptingPatients=newpt'
  for (const width of [390, 1440]) {
    await ada.setViewportSize({ width, height: 900 })
    await ada.goto(rare)
    await ada.getByRole('group', { name: 'Provider and publisher' }).waitFor()
    await assertAccessible(ada, `filters at ${width}`)
    assert.deepEqual(await isWide(ada, `filters at ${width}`), [])
  }
  visitors.assertNoComplaints()
})
