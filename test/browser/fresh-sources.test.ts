import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { RunningService } from '../running-service.ts'
import { CarelessPublisher } from './careless-publisher.ts'
import { fillSignUp, type Person } from './people.ts'
import { Visitors } from './visitors.ts'

const OLIVE: Person = { name: 'Olive', email: 'olive@example.org', password: 'a passphrase of olive' }
const SLOTS = 40

let publisher: CarelessPublisher
let service: RunningService
let visitors: Visitors
let operator: Page
let key: string

before(async () => {
  publisher = await CarelessPublisher.open(SLOTS)
  service = await RunningService.prepare()
  service.env.LOG_LEVEL = 'info'
  await service.run('org', 'create', 'Good Health')
  key = String((await service.run('key', 'create', '--org', 'Good Health')).key)
  await service.serve()
  visitors = await Visitors.to(service.home)
  operator = await visitors.newcomer()
  await operator.goto(String((await service.logged('setup link made')).link))
  await operator.getByRole('link', { name: 'Create your account' }).click()
  await fillSignUp(operator, OLIVE)
  await operator.getByRole('button', { name: 'Become the operator' }).click()
  await operator.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()
})

after(async () => {
  await visitors?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
  await publisher?.[Symbol.asyncDispose]()
})

test('a source is added with a name, a header of the environment, and what is held; its value is shown nowhere', async () => {
  await operator.getByRole('button', { name: 'Add a source' }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByLabel('Address of the manifest').fill(publisher.url)
  await dialog.getByLabel('Slug').fill('lakeside')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Lakeside Clinic')
  await dialog.getByLabel('Held back').selectOption('suspicious')
  await dialog.getByRole('button', { name: 'Headers and query parameters' }).click()
  await dialog.getByLabel('Headers').fill('X-Tenant: a value of theirs')
  await dialog.getByLabel('Query parameters').fill('api_key=plain')
  await dialog.getByRole('button', { name: 'Add the source' }).click()
  await dialog.getByText('secrets are never stored').waitFor()
  await dialog.getByLabel('Query parameters').fill('tenant = harbour')
  await dialog.getByRole('button', { name: 'Add the source' }).click()

  await operator.getByRole('heading', { name: 'Lakeside Clinic', level: 1 }).waitFor()
  const settings = operator.getByRole('region', { name: 'Settings' })
  await settings.getByText('X-Tenant', { exact: true }).waitFor()
  await settings.getByText('tenant', { exact: true }).waitFor()
  assert.equal(await operator.getByText('a value of theirs').count(), 0)
  assert.equal(await settings.getByLabel('What is held back').inputValue(), 'suspicious')
  visitors.assertNoComplaints()
})

test('an emptied feed is held, says why and stays served, until it is accepted by keyboard', async () => {
  const total = async () => (await service.slots(key, 'publisher=lakeside')).body.total
  await eventually(async () => (await total()) === SLOTS)
  publisher.isEmptied = true
  await operator.getByRole('button', { name: 'Sync now' }).click()
  await operator.getByText('A snapshot is held back').waitFor()
  await operator.getByText(`It had ${SLOTS} slots and publishes none.`).first().waitFor()
  assert.equal(await total(), SLOTS)

  const accept = operator.getByRole('button', { name: 'Accept this snapshot' })
  const dialog = operator.getByRole('dialog')
  await accept.press('Enter')
  await dialog.getByRole('button', { name: 'Keep holding' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await total(), SLOTS)
  assert.equal(await accept.evaluate((button) => button === document.activeElement), true)

  await accept.press('Enter')
  await dialog.getByRole('button', { name: 'Accept this snapshot' }).press('Enter')
  await eventually(async () => (await total()) === 0)
  await operator.getByText('A snapshot is held back').waitFor({ state: 'hidden' })
  visitors.assertNoComplaints()
})

test('the list is narrowed to a health, which stands in the address', async () => {
  await operator.getByRole('link', { name: 'All sources' }).click()
  const rows = operator.getByRole('table', { name: 'Sources' }).getByRole('rowheader')
  await rows.getByText('Lakeside Clinic').waitFor()
  const filter = operator.getByRole('combobox', { name: 'Health' })
  await filter.selectOption('attention')
  await operator.waitForURL(/\?health=attention$/)
  await rows.getByText('Lakeside Clinic').waitFor()
  await operator.goto('/app/operator/sources?health=failing')
  await operator.getByText('No source is so just now.').waitFor()
  await filter.selectOption('')
  await rows.getByText('Lakeside Clinic').waitFor()
  visitors.assertNoComplaints()
})
