import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { DAY_MS } from '../../src/lib/time.ts'
import type { Store } from '../../src/store/contracts/store.ts'
import { openStore } from '../../src/store/open-store.ts'
import { begin, END, outcomeOf } from '../support/store/conformance/samples.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { personOf } from './people.ts'

const SOURCES = 2_000
/** Every so many sources reject more than 1% of their lines. */
const REJECTING_EVERY = 100
/** Every so many sources fail. */
const FAILING_EVERY = 50

let operator: Page

serveDashboard({
  prepare: async (_, service) => {
    const store = await openStore(String(service.env.DATABASE_URL))
    for (let n = 0; n < SOURCES; n++) await (n % FAILING_EVERY === 7 ? addFailing(store, n) : addRead(store, n))
    await store.close()
  },
  begin: async (harness) => {
    operator = await harness.operator(personOf('Olive'))
  },
})

const rows = () => operator.getByRole('table', { name: 'Sources' }).getByRole('rowheader')
const row = (slug: string) => operator.getByRole('row', { name: new RegExp(slug) })
const button = (name: string) => operator.getByRole('button', { name, exact: true })

test('shows the worst of 2,000 sources first, a line each, with equal reasons together', async () => {
  await operator.goto('/app/operator/sources')
  await operator.getByText('60 sources need attention.').waitFor()
  await operator.getByText('2,000 sources with 0 slots.').waitFor()
  assert.equal(await rows().count(), 50)
  assert.match(await rows().first().innerText(), /Clinic of Town 1107/)
  await operator.getByText('1 to 50 of 2,000').waitFor()
  const reasons = operator.getByRole('list', { name: 'Reasons' }).getByRole('listitem')
  assert.deepEqual(await reasons.allInnerTexts(), [
    'Failing: connect ECONNREFUSED\n40 sources',
    'Rejecting lines\n20 sources',
  ])
  const heights = await rows().evaluateAll((cells) =>
    cells.map((cell) => Math.round(cell.getBoundingClientRect().height)),
  )
  assert.ok(Math.max(...heights) <= 40, `rows are up to ${Math.max(...heights)} px high`)
  await operator.getByRole('link', { name: /^Sources 60 need attention$/ }).waitFor()
})

test('asks for the visitor, the list and its summary at once', async (t) => {
  const release = Promise.withResolvers<void>()
  await operator.route('**/api/me', async (route) => {
    await release.promise
    await route.continue()
  })
  t.after(() => operator.unrouteAll({ behavior: 'wait' }))
  const asked = Promise.all([
    operator.waitForRequest('**/api/operator/sources?*'),
    operator.waitForRequest('**/api/operator/source-summary'),
  ])
  await operator.goto('/app/operator/sources', { waitUntil: 'commit' })
  await asked
  release.resolve()
  await rows().first().waitFor()
})

test('lists the sources of a reason, and keeps it in the URL', async () => {
  await operator.getByRole('link', { name: 'Failing: connect ECONNREFUSED' }).click()
  await operator.getByText('40 sources', { exact: true }).first().waitFor()
  await operator.getByText('Reason: connect ECONNREFUSED').waitFor()
  await operator.reload()
  await operator.getByText('Reason: connect ECONNREFUSED').waitFor()
  assert.equal(await rows().count(), 40)
  await button('Show all reasons').click()
  await operator.getByText('1 to 50 of 2,000').waitFor()
})

test('keeps the page of the list in the URL', async () => {
  await button('Page 40').click()
  await operator.waitForURL(/\?page=40$/)
  await operator.getByText('1,951 to 2,000 of 2,000').waitFor()
  const last = await rows().last().innerText()
  await operator.reload()
  await operator.getByText('1,951 to 2,000 of 2,000').waitFor()
  assert.equal(await rows().last().innerText(), last)
  await button('Page 39').click()
  await operator.waitForURL(/\?page=39$/)
  await operator.goBack()
  await operator.waitForURL(/\?page=40$/)
})

test('the range above the pages is that of the rows, also while another page is loading', async () => {
  await operator.goto('/app/operator/sources')
  await operator.getByText('1 to 50 of 2,000').waitFor()
  const first = await rows().first().innerText()
  const { promise, resolve } = Promise.withResolvers<void>()
  await operator.route(/offset=50$/, async (route) => {
    await promise
    await route.continue()
  })
  await button('Page 2').click()
  await operator.waitForURL(/\?page=2$/)
  await operator.getByText('1 to 50 of 2,000').waitFor()
  assert.equal(await rows().first().innerText(), first)
  resolve()
  await operator.getByText('51 to 100 of 2,000').waitFor()
  assert.notEqual(await rows().first().innerText(), first)
})

test('searches, filters and sorts all sources, and keeps that in the URL', async () => {
  await operator.goto('/app/operator/sources')
  await operator.getByRole('columnheader', { name: 'Source' }).getByRole('button').click()
  await operator.waitForURL(/\?order=name$/)
  await operator.getByRole('columnheader', { name: 'Source' }).getByRole('button').click()
  await operator.waitForURL(/\?order=-name$/)
  await operator
    .getByRole('columnheader', { name: 'Source' })
    .and(operator.locator('[aria-sort="descending"]'))
    .waitFor()
  await operator.getByRole('combobox', { name: 'Sort by' }).selectOption('name')
  await operator.waitForURL(/\?order=name$/)
  const search = operator.getByRole('searchbox', { name: 'Search by name or URL' })
  await operator.getByRole('heading', { name: 'Sources', level: 1 }).click()
  await operator.keyboard.press('/')
  await search.and(operator.locator(':focus')).waitFor()
  await search.fill('TOWN 189')
  await operator.waitForURL(/search=TOWN/)
  await operator.getByText('5 sources', { exact: true }).waitFor()
  await operator.getByRole('combobox', { name: 'Health' }).selectOption('attention')
  await operator.getByText('1 source', { exact: true }).waitFor()
  await operator.reload()
  await operator.getByText('1 source', { exact: true }).waitFor()
  assert.equal(await operator.getByRole('searchbox').inputValue(), 'TOWN 189')
  assert.match(await rows().first().innerText(), /Town 1899/)
})

test('selects all sources that match, pauses and resumes them', async () => {
  await operator.goto('/app/operator/sources?search=clinic-19')
  await operator.getByText('1 to 50 of 100').waitFor()
  await operator.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await operator.getByText('50 sources selected').waitFor()
  await button('Select all 100').click()
  await operator.getByText('100 sources selected').waitFor()
  await button('Pause').click()
  await operator.getByText('Paused 100 sources. Their slots stay available.').waitFor()
  await rows().first().waitFor()
  await operator.getByRole('combobox', { name: 'Health' }).getByText('Paused (100)').waitFor({ state: 'attached' })
  await button('Resume').click()
  await operator.getByText('Resumed 100 sources.').waitFor()
  await button('Clear selection').click()
  await operator.getByText('100 sources selected').waitFor({ state: 'hidden' })
})

test('the change log says why it cannot show more', async () => {
  await operator.goto('/app/operator/source-log')
  await button('Show older changes').waitFor()
  await operator.route('**/source-log?*', (route) => route.abort())
  await button('Show older changes').click()
  await operator.getByRole('alert').getByText("Can't reach the service.").waitFor()
  await operator.unrouteAll({ behavior: 'wait' })
  await button('Show older changes').click()
  await operator.getByRole('row').nth(100).waitFor()
})

/** Begins to pause ten sources and leaves the page. The request waits for a call of the returned function; then `respond` handles it. */
async function leaveDuringPause(respond: (route: Route) => Promise<void>): Promise<() => void> {
  await operator.goto('/app/operator/sources?search=clinic-017')
  await operator.getByText('10 sources', { exact: true }).waitFor()
  await operator.getByRole('checkbox', { name: 'Select all on this page' }).click()
  const { promise, resolve } = Promise.withResolvers<void>()
  await operator.route('**/source-batches', (route) => promise.then(() => respond(route)))
  await button('Pause').click()
  await button('Stop').waitFor()
  await operator.getByRole('link', { name: 'Operators' }).click()
  await operator.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
  return resolve
}

test('a batch can be stopped after its page was left and opened again', async () => {
  const release = await leaveDuringPause((route) => route.continue())
  await operator.goBack()
  await operator.getByText('Pause: 0 of 10').waitFor()
  await button('Stop').click()
  release()
  await operator.getByText('Paused 10 sources. Their slots stay available.').waitFor()
  await button('Stop').waitFor({ state: 'detached' })
  await operator.unrouteAll()
})

test('says that a part of a batch failed on the page that is open then', async () => {
  const failed = [{ slug: 'clinic-0170', message: 'It is being synced.' }]
  const release = await leaveDuringPause((route) => route.fulfill({ json: { done: [], failed } }))
  release()
  await operator.getByText('1 source failed: see Sources.').waitFor()
  await operator.goBack()
  await operator.getByRole('dialog').getByText('It is being synced.').waitFor()
  await operator.unrouteAll()
})

test('selects by keyboard, and removes after the numbers are shown and typed', async () => {
  await operator.goto('/app/operator/sources?search=clinic-100&order=added')
  await operator.getByText('10 sources', { exact: true }).waitFor()
  await rows().first().getByRole('link').focus()
  for (const key of ['x', 'j', 'ArrowDown', 'x']) await operator.keyboard.press(key)
  await operator.getByText('2 sources selected').waitFor()
  await row('clinic-1000').getByRole('checkbox', { checked: true }).waitFor()
  await row('clinic-1002').getByRole('checkbox', { checked: true }).waitFor()
  await button('Remove…').press('Enter')
  const dialog = operator.getByRole('dialog', { name: 'Remove 2 sources?' })
  await dialog.getByText('This immediately removes 2 sources, 0 slots and 2 entries of the sync history.').waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Remove sources' }).isDisabled())
  await dialog.getByRole('button', { name: 'Copy the text to type' }).click()
  await dialog.getByRole('textbox').click()
  await operator.keyboard.press('ControlOrMeta+V')
  await dialog.getByRole('button', { name: 'Remove sources' }).press('Enter')
  await operator.getByText('8 sources', { exact: true }).waitFor()
  await operator.getByText('2 sources selected').waitFor({ state: 'hidden' })
})

test('names the sources of a batch that could not be changed', async () => {
  await operator.goto('/app/operator/sources?search=clinic-015')
  await operator.getByText('10 sources', { exact: true }).waitFor()
  await operator.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await button('Sync now').click()
  const dialog = operator.getByRole('dialog', { name: 'Sync now: 9 sources failed' })
  await dialog.getByText('This source has no feed. Import a file to change its slots.').waitFor()
  await dialog.getByText('and 4 more').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await operator.getByText('Syncing 1 source…').waitFor()
})

test('no statistic of a source stands alone in its row', async (t) => {
  t.after(() => operator.setViewportSize({ width: 1280, height: 900 }))
  await operator.goto('/app/operator/sources/clinic-0000')
  await operator.getByText('Feed timestamp').waitFor()
  for (const width of [1440, 1280]) {
    await operator.setViewportSize({ width, height: 900 })
    const tops = await operator
      .locator('dl')
      .filter({ hasText: 'Feed timestamp' })
      .locator('> div')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top))
    assert.equal(tops.length, 7)
    const rows = [...Map.groupBy(tops, (top) => top).values()]
    assert.ok(
      rows.every(({ length }) => length > 1),
      `the rows have ${rows.map(({ length }) => length)} statistics at ${width} px`,
    )
  }
})

async function addRead(store: Store, n: number): Promise<void> {
  const source = await store.sources.add({ ...nameOf(n), format: 'files', url: '', strict: false })
  const isRejecting = n % REJECTING_EVERY === REJECTING_EVERY - 1
  const writer = await begin(store, source)
  const outcome = outcomeOf({ read: 50, rejected: isRejecting ? 5 : 0 })
  await writer.commit({ ...END, connectorState: {}, outcome })
  await store.health.record(source.id, { from: 'never-synced', to: 'healthy', why: '', atMs: Date.now() })
}

/** Fails for the same reason as all others, with another port. */
async function addFailing(store: Store, n: number): Promise<void> {
  const url = `http://127.0.0.1:${1000 + n}/$bulk-publish`
  const source = await store.sources.add({ ...nameOf(n), url, strict: false })
  const writer = await begin(store, source)
  const error = `Cannot read ${url}: connect ECONNREFUSED 127.0.0.1:${1000 + n}`
  const outcome = outcomeOf({ outcome: 'failed', startedAtMs: Date.now(), error })
  await writer.abandon({ ...END, nextSyncAtMs: Date.now() + DAY_MS, outcome })
  await store.health.record(source.id, { from: 'never-synced', to: 'failing', why: error, atMs: Date.now() })
}

function nameOf(n: number) {
  return { slug: `clinic-${String(n).padStart(4, '0')}`, ...(n % 3 === 0 && { name: `Clinic of Town ${n}` }) }
}
