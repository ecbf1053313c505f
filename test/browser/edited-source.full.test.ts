import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { CarelessPublisher } from './careless-publisher.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { call, personOf } from './people.ts'
import { assertAccessible } from './visitors.ts'

const OLIVE = personOf('Olive')
const SLOTS = 40

let publisher: CarelessPublisher
let other: CarelessPublisher
let operator: Page
let key: string

const harness = serveDashboard({
  prepare: async (harness, service) => {
    publisher = harness.use(await CarelessPublisher.open({ goodSlots: SLOTS }))
    other = harness.use(await CarelessPublisher.open({ goodSlots: SLOTS + 2 }))
    other.isAway = true
    key = await service.createKey()
  },
  begin: async (harness) => {
    operator = await harness.operator(OLIVE)
    const options = { headers: { 'X-Tenant': 'a value of theirs', 'X-Old': 'of before' } }
    const body = { slug: 'lakeside', url: publisher.url, options }
    const { status } = await call(operator, 'POST', '/api/operator/sources', body)
    assert.equal(status, 200)
  },
})

const total = async (slug: string) => (await harness.service.slots(key, `publisher=${slug}`)).body.total

test('edits a source by keyboard, shows errors at their fields and keeps masked values masked', async () => {
  await eventually(async () => (await total('lakeside')) === SLOTS)
  await operator.goto('/app/operator/sources/lakeside')
  const edit = operator.getByRole('button', { name: 'Edit', exact: true })
  await edit.press('Enter')
  const dialog = operator.getByRole('dialog', { name: 'Edit source' })
  assert.equal(await dialog.getByLabel('Slug').isEditable(), false)
  assert.equal(await dialog.getByLabel('Format').isEditable(), false)
  const address = dialog.getByLabel('Manifest URL')
  await address.fill('nowhere')
  await address.press('Enter')
  await dialog.getByText('Enter a URL that starts with https:// or http://').waitFor()
  await operator.keyboard.press('Escape')
  const question = operator.getByRole('dialog', { name: 'Discard changes?' })
  await question.locator(':focus').waitFor()
  await operator.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  assert.equal(await address.inputValue(), 'nowhere')
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
  await question.getByRole('button', { name: 'Discard' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await edit.and(operator.locator(':focus')).waitFor()

  await edit.press('Enter')
  assert.equal(await address.inputValue(), publisher.url)
  const headers = dialog.getByLabel('Headers')
  assert.equal(await headers.inputValue(), 'X-Tenant: …\nX-Old: …')
  await assertAccessible(operator, 'edit source')
  await headers.fill('X-Tenant: …\nX-Api-Key: plain')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Lakeside Clinic')
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
  await dialog.getByText('secrets are never stored').waitFor()
  await headers.fill('X-Tenant: …\nX-New: another of theirs')
  await address.fill(other.url)
  await address.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await operator.getByRole('heading', { name: 'Lakeside Clinic', level: 1 }).waitFor()
  const settings = operator.getByRole('region', { name: 'Settings' })
  await settings.getByText('X-New', { exact: true }).waitFor()
  await settings.getByText('X-Tenant', { exact: true }).waitFor()
  assert.equal(await settings.getByText('X-Old', { exact: true }).count(), 0)
  const { body } = await call(operator, 'GET', '/api/operator/sources/lakeside')
  assert.ok(!JSON.stringify(body).includes('of theirs'))
})

test('keeps serving the slots until the new address is readable', async () => {
  const syncs = operator.getByRole('table', { name: 'Syncs' })
  await syncs.getByText('Failed').first().waitFor()
  assert.equal(await total('lakeside'), SLOTS)
  other.isAway = false
  await operator.getByRole('button', { name: 'Sync now' }).click()
  await eventually(async () => (await total('lakeside')) === SLOTS + 2)
})

test('sends nothing for an unchanged form and lists operator actions on the page', async () => {
  await operator.getByRole('button', { name: 'Edit', exact: true }).click()
  await operator.getByRole('button', { name: 'Save changes' }).click()
  await operator.getByRole('dialog').waitFor({ state: 'hidden' })
  await operator.getByRole('button', { name: 'Pause' }).click()
  const changes = operator.getByRole('table', { name: 'Change log' })
  await changes.getByText('Paused').waitFor()
  const rows = await changes.getByRole('row').allInnerTexts()
  assert.equal(rows.length, 4)
  for (const [at, what] of ['Paused', 'Edited: name, URL, headers', 'Added'].entries())
    assert.match(rows[at + 1], new RegExp(`${what}\\s+${OLIVE.email}`))
})

test('edits the name and settings of a source of files', async (t) => {
  const folder = tempFolder(t)
  const file = join(folder, 'slots.csv')
  await writeFile(file, 'id,start,end\n1,2090-01-01T09:00:00Z,2090-01-01T10:00:00Z\n')
  await harness.service.run('import', file, '--publisher', 'walk-in')
  await operator.goto('/app/operator/sources/walk-in')
  await operator.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = operator.getByRole('dialog', { name: 'Edit source' })
  assert.equal(await dialog.getByLabel('Slug').count(), 0)
  await assertAccessible(operator, 'edit a source of files')
  await dialog.getByRole('switch', { name: 'Strict' }).press('Space')
  await dialog.getByRole('switch', { name: 'Serve test data' }).press('Space')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Walk-in')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await operator.getByRole('heading', { name: 'Walk-in', level: 1 }).waitFor()
  await operator.getByText('Edited: name, test data, strictness').waitFor()
})

test('shows who removed a source after its removal', async () => {
  await operator.goto('/app/operator/sources/lakeside')
  const resume = operator.getByRole('button', { name: 'Resume' })
  await resume.waitFor()
  await call(operator, 'DELETE', '/api/operator/sources/lakeside', { slug: 'lakeside' })
  await resume.click()
  await operator.getByRole('heading', { name: 'Source not found' }).waitFor()
  await resume.waitFor({ state: 'detached' })
  await operator.goto('/app/operator/sources')
  await operator.getByRole('link', { name: 'Change log' }).click()
  await operator.getByRole('heading', { name: 'Change log', level: 1 }).waitFor()
  const changes = operator.getByRole('table', { name: 'Change log' })
  const removal = changes.getByRole('row').filter({ hasText: 'Removed with its slots' })
  await removal.getByText(OLIVE.email).waitFor()
  await changes.getByText('command line').first().waitFor()
  assert.equal(await removal.getByRole('link').count(), 0)
  await changes.getByRole('link', { name: 'walk-in' }).first().click()
  await operator.getByRole('heading', { name: 'Walk-in', level: 1 }).waitFor()
})
