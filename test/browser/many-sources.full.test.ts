import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openStore } from '../../src/store/open-store.ts'
import { begin, END, outcomeOf } from '../support/store/conformance/samples.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { personOf } from './people.ts'

const SOURCES = 2_000
/** Every so many sources reject more than 1% of their lines. */
const REJECTING_EVERY = 100

let operator: Page

serveDashboard({
  prepare: async (_, service) => {
    const store = await openStore(String(service.env.DATABASE_URL))
    for (let n = 0; n < SOURCES; n++) {
      const source = await store.sources.add({
        slug: `clinic-${String(n).padStart(4, '0')}`,
        ...(n % 3 === 0 && { name: `Clinic of Town ${n}` }),
        format: 'files',
        url: '',
        strict: false,
      })
      const isRejecting = n % REJECTING_EVERY === REJECTING_EVERY - 1
      const writer = await begin(store, source)
      const outcome = outcomeOf({ read: 50, rejected: isRejecting ? 5 : 0 })
      await writer.commit({ ...END, connectorState: {}, outcome })
      await store.health.record(source.id, { from: 'never-synced', to: 'healthy', why: '', atMs: Date.now() })
    }
    await store.close()
  },
  begin: async (harness) => {
    operator = await harness.operator(personOf('Olive'))
  },
})

const rows = () => operator.getByRole('table', { name: 'Sources' }).getByRole('rowheader')

test('shows the worst of 2,000 sources first', async () => {
  await operator.goto('/app/operator/sources')
  await operator.getByText('20 sources need attention.').waitFor()
  await operator.getByText('2,000 sources with 0 slots.').waitFor()
  assert.equal(await rows().count(), 50)
  assert.match(await rows().first().innerText(), /Clinic of Town 1299/)
  await operator.getByText('1 to 50 of 2,000').waitFor()
})

test('keeps the page of the list in the URL', async () => {
  await operator.getByRole('button', { name: 'Page 40' }).click()
  await operator.waitForURL(/\?page=40$/)
  await operator.getByText('1,951 to 2,000 of 2,000').waitFor()
  const last = await rows().last().innerText()
  await operator.reload()
  await operator.getByText('1,951 to 2,000 of 2,000').waitFor()
  assert.equal(await rows().last().innerText(), last)
  await operator.getByRole('button', { name: 'Page 39' }).click()
  await operator.waitForURL(/\?page=39$/)
  await operator.goBack()
  await operator.waitForURL(/\?page=40$/)
})

test('searches, filters and sorts all sources, and keeps that in the URL', async () => {
  await operator.getByRole('combobox', { name: 'Sort by' }).selectOption('name')
  await operator.waitForURL(/\?order=name$/)
  await operator.getByRole('searchbox', { name: 'Search by name or URL' }).fill('TOWN 189')
  await operator.waitForURL(/search=TOWN/)
  await operator.getByText('5 sources', { exact: true }).waitFor()
  await operator.getByRole('combobox', { name: 'Health' }).selectOption('attention')
  await operator.getByText('1 source', { exact: true }).waitFor()
  await operator.reload()
  await operator.getByText('1 source', { exact: true }).waitFor()
  assert.equal(await operator.getByRole('searchbox').inputValue(), 'TOWN 189')
  assert.match(await rows().first().innerText(), /Town 1899/)
})
