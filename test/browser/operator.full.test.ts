import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { startPublisher } from '../../demo/publisher.ts'
import { ROUTES } from '../../src/http/dashboard-api/dashboard-api.ts'
import { HOUR_MS } from '../../src/lib/time.ts'
import { eventually } from '../support/eventually.ts'
import { CarelessPublisher } from './careless-publisher.ts'
import { becomeOperator, serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, enter, personOf, signUp } from './people.ts'
import { beginSource } from './source-dialog.ts'

const OLIVE = personOf('Olive')
const GRACE = personOf('Grace Hopper')

let sample: Awaited<ReturnType<typeof startPublisher>>
let careless: CarelessPublisher
let operator: Page
let key: string

const harness = serveDashboard({
  prepare: async (harness, service) => {
    // An hour ahead: none of its slots ends while the test compares totals.
    const nowMs = Date.now() + HOUR_MS
    sample = harness.adopt(await startPublisher({ port: 0, slots: 3_000, seed: 5, clock: () => nowMs }), (publisher) =>
      publisher.close(),
    )
    careless = harness.use(await CarelessPublisher.open())
    key = await service.createKey()
  },
  begin: async (harness) => {
    operator = await harness.newcomer()
  },
})

test('the first visitor of the setup link becomes the operator, and later visitors do not', async () => {
  const link = await harness.setupLink()
  await becomeOperator(operator, OLIVE, link)
  await operator.getByRole('heading', { name: 'No sources yet' }).waitFor()

  const late = await harness.newcomer()
  await signUp(late, GRACE)
  await createOrganization(late, 'Grace & Co')
  await late.goto(link)
  await late.getByRole('button', { name: 'Become the operator' }).click()
  await late.getByRole('alert').waitFor()
})

test('leads on from an organization and an account that do not exist', async () => {
  for (const kind of ['organization', 'account']) {
    await operator.goto(`/app/operator/${kind}s/none`)
    await operator.getByRole('heading', { name: new RegExp(`^${kind} not found$`, 'i') }).waitFor()
    await operator.getByRole('link', { name: `View all ${kind}s`, exact: true }).click()
    await operator.getByRole('heading', { name: new RegExp(`^${kind}s$`, 'i'), level: 1 }).waitFor()
  }
  await operator.goto('/app/operator/sources')
  await operator.getByRole('heading', { name: 'No sources yet' }).waitFor()
})

test('checks, adds and syncs a feed without the command line', async () => {
  await operator.getByRole('button', { name: 'Add a source' }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByLabel('Manifest URL').fill(`${new URL(sample.url).origin}/nothing`)
  await dialog.getByLabel('Slug').fill('sample')
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByText("This manifest can't be read").waitFor()
  await dialog.getByLabel('Manifest URL').fill(new URL(sample.url).origin)
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByRole('button', { name: `Try ${sample.url.replace('http://', '')}` }).click()
  await dialog.getByText('This manifest is readable').waitFor()
  await dialog.getByRole('button', { name: 'Add source' }).click()
  await operator.getByRole('heading', { name: 'sample', level: 1 }).waitFor()
  await operator.getByRole('table', { name: 'Syncs' }).getByText('OK', { exact: true }).waitFor()
})

test('explore shows the slots of /v1 by filters, day and state, each with its booking link', async () => {
  const asked = 'state=MA&isVirtual=true'
  await eventually(async () => (await harness.service.slots(key, asked)).body.total > 0)
  const { body } = await harness.service.slots(key, asked)
  await operator.getByRole('link', { name: 'Explore slots' }).click()
  await operator.getByRole('combobox', { name: 'State' }).fill('Massa')
  await operator.getByRole('option', { name: 'Massachusetts (MA)' }).click()
  await operator.getByText('Virtual', { exact: true }).first().click()
  await operator.getByRole('tab', { name: `Slots (${body.total.toLocaleString('en-US')})` }).waitFor()

  await operator.getByRole('table', { name: 'Slots' }).getByRole('rowheader').first().getByRole('button').click()
  const drawer = operator.getByRole('dialog')
  const booking = await drawer.getByRole('link', { name: 'Book with the publisher' }).getAttribute('href')
  const [first] = body.slots as readonly { id: string; bookingDeepLink?: string }[]
  assert.equal(booking, first.bookingDeepLink)
  assert.match(await (await fetch(booking ?? '')).text(), /This is a sample/)
  await drawer.getByText(first.id, { exact: true }).waitFor()
  await operator.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
})

test('the request shown beside the slots works with a key', async () => {
  const { body } = await harness.service.slots(key, 'state=MA&isVirtual=true')
  const card = operator.getByRole('region', { name: 'Use this in your code' })
  const shown = async (language: string) => {
    await card.getByRole('tab', { name: language }).click()
    const code = await card.getByRole('tabpanel').locator('code').textContent()
    return String(code).replace('YOUR_API_KEY', key)
  }
  const [, url, authorization] = /^curl '([^']+)' \\\n {2}-H 'Authorization: ([^']+)'$/.exec(await shown('curl')) ?? []
  const answer = await fetch(url, { headers: { authorization } })
  assert.equal(JSON.parse(await answer.text()).total, body.total)
  const script = `${await shown('TypeScript')}\nconsole.log(total)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  assert.equal(Number(stdout), body.total)
})

test('a number in the day grid leads to exactly that many slots', async () => {
  await operator.getByRole('tab', { name: 'By day and state' }).click()
  const cell = operator.getByRole('button', { name: /^[\d,]+: .+day, / }).nth(20)
  const count = /^[\d,]+/.exec((await cell.getAttribute('aria-label')) ?? '')?.[0]
  await cell.click()
  await operator.getByRole('tab', { name: `Slots (${count})`, selected: true }).waitFor()
})

test('the page of a source shows the referrals to its booking pages', async () => {
  const { body } = await harness.service.slots(key, 'publisher=sample&limit=1')
  const [{ id }] = body.slots as readonly { id: string }[]
  const url = `${harness.service.origin}/v1/scheduling/slots/${id}/book?source=finder`
  for (let n = 0; n < 2; n++) {
    const response = await fetch(url, { headers: { 'x-api-key': key }, redirect: 'manual' })
    assert.equal(response.status, 302)
  }
  await operator.getByRole('link', { name: 'Sources' }).click()
  await operator.getByRole('link', { name: 'sample', exact: true }).click()
  const shown = operator.locator('dt', { hasText: 'Referrals' }).locator('xpath=following-sibling::dd[1]')
  // Counts are stored once a second.
  await eventually(async () => {
    await shown.waitFor()
    if ((await shown.textContent()) === '2') return true
    await operator.reload()
    return false
  })
  await operator.getByRole('link', { name: 'Explore slots' }).click()
})

test('serves the valid lines of a faulty feed and lists each rejected line with its reason', async () => {
  await operator.getByRole('link', { name: 'Sources' }).click()
  const dialog = await beginSource(operator, { url: careless.url, slug: 'harbour' })
  await dialog.getByRole('button', { name: 'Add source' }).click()
  const rejected = operator.getByRole('table', { name: 'Rejected lines' })
  await rejected.getByText('Schedule/nowhere').first().waitFor()
  assert.equal(await rejected.getByRole('rowheader').count(), 3)
  await operator.getByRole('table', { name: 'Syncs' }).getByText('Partial').waitFor()
  await eventually(async () => (await harness.service.slots(key, 'publisher=harbour')).body.total === 8)
})

test('an unreachable source keeps its slots and is highlighted, and a paused one is not synced', async () => {
  careless.isAway = true
  const failed = operator.getByRole('table', { name: 'Syncs' }).getByText('Failed')
  // A source is failing after three failures in a row.
  for (const times of [1, 2, 3]) {
    await operator.getByRole('button', { name: 'Sync now' }).click()
    await failed.nth(times - 1).waitFor()
  }
  await operator.getByRole('link', { name: 'All sources' }).click()
  await operator.getByText('1 source needs attention').waitFor()
  const row = operator.getByRole('row', { name: /harbour/ })
  await row.getByText('Failing').waitFor()
  await row.getByText('Rejecting lines').waitFor()
  assert.equal((await harness.service.slots(key, 'publisher=harbour')).body.total, 8)
  await row.getByRole('button', { name: 'Actions for harbour' }).click()
  await operator.getByRole('menuitem', { name: 'Pause' }).click()
  await row.getByText('Paused').first().waitFor()
  assert.equal(await operator.getByText('needs attention').count(), 0)
  await row.getByRole('button', { name: 'Actions for harbour' }).click()
  assert.ok(await operator.getByRole('menuitem', { name: 'Sync now' }).isDisabled())
  await operator.keyboard.press('Escape')
})

test('removes a source with its slots after its slug is typed', async () => {
  await operator.getByRole('link', { name: 'harbour' }).click()
  await operator.getByRole('button', { name: 'Remove' }).click()
  const dialog = operator.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Remove source' })
  await dialog.getByRole('textbox').fill('harbou')
  assert.ok(await confirm.isDisabled())
  await dialog.getByRole('textbox').fill('harbour')
  await confirm.click()
  await operator.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()
  await operator.getByRole('link', { name: 'harbour' }).waitFor({ state: 'hidden' })
  await eventually(async () => (await harness.service.slots(key, 'publisher=harbour')).body.total === 0)
})

test('checks, corrects, imports and serves a table within a second', async () => {
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  const head = 'id;start;end;city;state'
  const rows = ['1;2032-11-21 09:30;2032-11-21 10:00;Boston;MA', '2;03/04/2032 9:30 AM;03/04/2032 10:00 AM;Lynn;MA']
  await operator.getByRole('link', { name: 'Sources' }).first().click()
  await operator.getByRole('link', { name: 'Import a file' }).click()
  await operator.getByRole('heading', { name: 'Import a file', level: 1 }).waitFor()
  await operator.getByRole('button', { name: 'Check file' }).click()
  await operator.getByText('Choose a file', { exact: true }).last().waitFor()
  await operator.getByLabel('Slug').fill('walk-in')
  await operator.locator('input[type=file]').setInputFiles(file('slots.csv', [head, ...rows].join('\r\n')))
  await operator.getByRole('button', { name: 'Check file' }).click()
  const rejected = operator.getByRole('table', { name: 'Rejected rows' })
  await rejected.getByText('start must have an offset or a time zone').first().waitFor()

  await operator.getByRole('combobox', { name: 'Time zone' }).fill('America/New_York')
  await operator.getByLabel('Date format').selectOption('mdy')
  await operator.getByRole('button', { name: 'Check file' }).click()
  await operator.getByText('This file can be imported', { exact: true }).waitFor()
  await operator.getByRole('table', { name: 'Sample slots' }).getByText('2032-03-04T09:30:00-05:00').first().waitFor()
  assert.equal((await harness.service.slots(key, 'publisher=walk-in')).body.total, 0)
  await operator.getByRole('button', { name: 'Import file' }).click()
  await operator.getByText('File imported', { exact: true }).waitFor()
  await eventually(async () => (await harness.service.slots(key, 'publisher=walk-in')).body.total === 2)
  await operator.getByRole('link', { name: 'View source' }).click()
  await operator.getByRole('heading', { name: 'walk-in', level: 1 }).waitFor()
  await operator.getByText('From the most recently imported file').waitFor()
  assert.equal(await operator.getByRole('button', { name: 'Sync now' }).count(), 0)
})

test('the health page shows the state of the service, and other pages show its users', async () => {
  await operator.getByRole('link', { name: 'Health' }).click()
  await operator.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
  const parts = operator.getByRole('region', { name: 'Parts' })
  await parts.getByText('Database').waitFor()
  await parts.getByRole('link', { name: /^\d+ healthy$/ }).waitFor()
  await operator.getByRole('link', { name: 'Organizations' }).click()
  const organizations = operator.getByRole('table', { name: 'Organizations' })
  await organizations.getByRole('rowheader', { name: 'Grace & Co' }).waitFor()
})

test('a reset link from the accounts page admits its owner once', async () => {
  await operator.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Accounts' }).click()
  await operator.getByLabel('Search by name or email').fill('grace')
  await operator.getByText('1 account').waitFor()
  await operator.getByRole('button', { name: `Reset link for ${GRACE.email}` }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.getByRole('textbox', { name: 'Reset link' }).textContent()
  await operator.keyboard.press('Escape')
  await dialog.getByRole('checkbox', { name: "I've copied it" }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const grace = await harness.newcomer()
  const choose = async () => {
    await grace.goto(link ?? '')
    await grace.getByRole('textbox', { name: 'New password' }).fill('another passphrase')
    await grace.getByRole('button', { name: 'Change password' }).click()
  }
  await choose()
  await grace.getByRole('heading', { name: 'Password changed' }).waitFor()
  await enter(grace, { ...GRACE, password: 'another passphrase' })
  await choose()
  await grace.getByRole('alert').waitFor()
})

test('an operator adds a viewer, who sees the pages and changes nothing', async () => {
  await harness.service.run('account', 'verify', GRACE.email)
  await operator.goto('/app/operator/operators')
  await operator.getByRole('button', { name: 'Add' }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByLabel('Email').fill(GRACE.email)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await operator.getByRole('row', { name: /Grace/ }).getByText('Viewer').waitFor()
  const viewer = await harness.newcomer()
  await enter(viewer, { ...GRACE, password: 'another passphrase' })
  await viewer.goto('/app/operator/sources')
  await viewer.getByRole('row', { name: /sample/ }).waitFor()
  assert.equal(await viewer.getByRole('button', { name: /Add a source|Actions for/ }).count(), 0)
  await viewer.goto('/app/operator/import')
  await viewer.getByRole('heading', { name: 'Operator access required' }).waitFor()
  for (const { method, path, access } of ROUTES.filter(({ path }) => path.startsWith('/api/operator/'))) {
    const target = path.replace(':slug', 'sample').replace(':user', 'anybody').replace(':check', 'none')
    const { status } = await call(viewer, method, target, method === 'GET' ? undefined : {})
    assert.equal(status === 403, access === 'operator', `${method} ${target}`)
  }
  await operator.getByRole('button', { name: /Actions for Grace/ }).click()
  await operator.getByRole('menuitem', { name: 'Remove' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await operator.getByText('is no longer an operator or a viewer').waitFor()
  await operator.locator('h1:focus').waitFor()
})

test('hides operator pages from other users, and the API rejects them', async () => {
  const grace = await harness.newcomer()
  await enter(grace, { ...GRACE, password: 'another passphrase' })
  assert.equal(await grace.getByRole('navigation', { name: 'Main' }).getByText('Operator').count(), 0)
  for (const page of ['sources', 'sources/sample', 'organizations', 'accounts', 'health']) {
    await grace.goto(`/app/operator/${page}`)
    await grace.getByRole('heading', { name: 'Operator access required' }).waitFor()
  }
  const ofOperator = ROUTES.filter(({ path }) => path.startsWith('/api/operator/'))
  assert.ok(ofOperator.length > 8)
  for (const { method, path } of ofOperator) {
    const target = path.replace(':slug', 'sample').replace(':user', 'anybody')
    const { status } = await call(grace, method, target, method === 'GET' ? undefined : {})
    assert.equal(status, 403, `${method} ${target}`)
  }
})
