import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { HOUR_MS } from '../../src/lib/time.ts'
import { eventually } from '../support/eventually.ts'
import { START_MS } from '../support/feeds/searcher.ts'
import type { VendorServer } from '../support/feeds/servers/vendor-server.ts'
import { VENDORS } from '../support/feeds/servers/vendors.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { personOf } from './people.ts'
import { assertAccessible } from './visitors.ts'

let server: VendorServer
let operator: Page
let key: string

const harness = serveDashboard({
  prepare: async (harness, service) => {
    const epic = VENDORS.find(({ name }) => name === 'epic') ?? assert.fail()
    const first = Math.ceil((Date.now() - START_MS) / HOUR_MS)
    const from = Array.from({ length: 25 }, (_, n) => first + n)
    server = harness.use(
      await epic.open(from.map((hour) => ({ id: `v${hour}`, doctor: 'a', from: hour, until: hour + 1 }))),
    )
    key = await service.createKey()
  },
  begin: async (harness) => {
    operator = await harness.operator(personOf('Olive'))
  },
})

test('adds a FHIR server with its kind, and shows what it reports', async () => {
  await operator.goto('/app/operator/sources')
  await operator.getByRole('button', { name: 'Add a source' }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByLabel('Format').selectOption('fhir-search')
  await dialog.getByLabel('Server URL').fill(server.base)
  await dialog.getByLabel('Slug').fill('hospital')
  await dialog.getByLabel('Server', { exact: true }).selectOption('Epic')
  await assertAccessible(operator, 'add a FHIR server')
  await dialog.getByRole('button', { name: 'Add source' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await eventually(async () => (await harness.service.slots(key, 'publisher=hospital')).body.total === 25)

  await operator.goto('/app/operator/sources/hospital')
  const messages = operator.getByRole('region', { name: 'Messages' })
  await messages.getByText('Some results are hidden.').waitFor()
  await messages.getByText('Warning', { exact: true }).first().waitFor()
  const settings = operator.getByRole('region', { name: 'Settings' })
  await settings.getByText('Epic', { exact: true }).waitFor()
  await assertAccessible(operator, 'a source with messages')
})
