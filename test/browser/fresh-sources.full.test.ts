import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { CarelessPublisher } from './careless-publisher.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { personOf } from './people.ts'

const OLIVE = personOf('Olive')
const SLOTS = 40

let publisher: CarelessPublisher
let operator: Page
let key: string

const harness = serveDashboard({
  prepare: async (harness, service) => {
    publisher = harness.use(await CarelessPublisher.open({ goodSlots: SLOTS }))
    key = await service.createKey()
  },
  begin: async (harness) => {
    operator = await harness.operator(OLIVE)
  },
})

test('adds a source with a name, a header from the environment and review rules, without showing the value', async () => {
  await operator.getByRole('button', { name: 'Add a source' }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByLabel('Manifest URL').fill(publisher.url)
  await dialog.getByLabel('Slug').fill('lakeside')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Lakeside Clinic')
  await dialog.getByLabel('Hold for review').selectOption('suspicious')
  await dialog.getByRole('button', { name: 'Headers and query parameters' }).click()
  await dialog.getByLabel('Headers').fill('X-Tenant: a value of theirs')
  await dialog.getByLabel('Query parameters').fill('api_key=plain')
  await dialog.getByRole('button', { name: 'Add source' }).click()
  await dialog.getByText('secrets are never stored').waitFor()
  await dialog.getByLabel('Query parameters').fill('tenant = harbour')
  await dialog.getByRole('button', { name: 'Add source' }).click()

  await operator.getByRole('heading', { name: 'Lakeside Clinic', level: 1 }).waitFor()
  const settings = operator.getByRole('region', { name: 'Settings' })
  await settings.getByText('X-Tenant', { exact: true }).waitFor()
  await settings.getByText('tenant', { exact: true }).waitFor()
  assert.equal(await operator.getByText('a value of theirs').count(), 0)
  assert.equal(await settings.getByLabel('Hold for review').inputValue(), 'suspicious')
})

test('holds an emptied feed with the reason and keeps serving its slots until it is approved by keyboard', async () => {
  const total = async () => (await harness.service.slots(key, 'publisher=lakeside')).body.total
  await eventually(async () => (await total()) === SLOTS)
  publisher.isEmptied = true
  await operator.getByRole('button', { name: 'Sync now' }).click()
  await operator.getByText('Snapshot held for review').waitFor()
  await operator.getByText(`It had ${SLOTS} slots and now has none.`).first().waitFor()
  assert.equal(await total(), SLOTS)
  const compared = operator.getByRole('table', { name: 'Served and held snapshot' })
  await compared.getByRole('row', { name: `Slots ${SLOTS} 0` }).waitFor()
  await compared.getByRole('row', { name: 'States 1 state None' }).waitFor()
  await operator.getByText('Next slots that would be removed').waitFor()
  await operator.getByText('No slots would be left in MA.').waitFor()

  const accept = operator.getByRole('button', { name: 'Approve snapshot' })
  const dialog = operator.getByRole('dialog')
  const ask = async () => {
    await accept.press('Enter')
    // The dialog takes the focus when it has opened: an earlier key press would reach another element.
    await dialog.locator(':focus').waitFor()
  }
  await ask()
  await dialog.getByRole('button', { name: 'Keep holding' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await total(), SLOTS)
  await accept.and(operator.locator(':focus')).waitFor()

  await ask()
  await dialog.getByRole('button', { name: 'Approve snapshot' }).press('Enter')
  await eventually(async () => (await total()) === 0)
  await operator.getByText('Snapshot held for review').waitFor({ state: 'hidden' })
})

test('filters the list by health and keeps the filter in the URL', async () => {
  await operator.getByRole('link', { name: 'All sources' }).click()
  const rows = operator.getByRole('table', { name: 'Sources' }).getByRole('rowheader')
  await rows.getByText('Lakeside Clinic').waitFor()
  const filter = operator.getByRole('combobox', { name: 'Health' })
  await filter.selectOption('attention')
  await operator.waitForURL(/\?health=attention$/)
  await rows.getByText('Lakeside Clinic').waitFor()
  await operator.goto('/app/operator/sources?health=failing')
  await operator.getByText('No sources match this filter.').waitFor()
  await filter.selectOption('')
  await rows.getByText('Lakeside Clinic').waitFor()
})
