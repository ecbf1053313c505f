import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openStore } from '../../src/store/open-store.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, personOf, signUp } from './people.ts'
import { shown } from './places.ts'
import { cutOff, layoutShift, mixedDirections, tabFindings } from './reach.ts'
import { isWide } from './visitors.ts'

const SOURCES = 2_000
const ORGANIZATIONS = 300

/** Names as people give them: long, without spaces, right to left, with joined emoji. */
const NAMES = [
  'مستشفى النور التخصصي (فرع الرياض)',
  'קופת חולים מאוחדת - סניף 12',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbe',
  'The Consolidated Regional Immunization and Telehealth Partnersh',
  '👩🏽‍💻👨‍👩‍👧‍👦 Family Care 🇺🇸',
  '二番町クリニック',
]

let operator: Page
let firstOrganization: string

const harness = serveDashboard({
  prepare: async (_, service) => {
    const store = await openStore(String(service.env.DATABASE_URL))
    for (let n = 0; n < ORGANIZATIONS; n++) {
      const { id } = await store.organizations.create(`${NAMES[n % NAMES.length]} ${n}`)
      if (n === 0) firstOrganization = id
    }
    for (let n = 0; n < SOURCES; n++) await store.sources.add(sourceOf(n))
    await store.close()
  },
  begin: async (harness) => {
    operator = await harness.operator(personOf('Olive'))
  },
})

test('keeps search, order and page of the organizations in the URL, also after going back', async () => {
  await operator.goto('/app/operator/organizations')
  await operator.getByText('300 organizations').waitFor()
  await operator.getByRole('combobox', { name: 'Sort by' }).selectOption('name')
  await operator.getByRole('searchbox', { name: 'Search by name' }).fill('Family Care')
  await operator.getByText('50 organizations').waitFor()
  await operator.getByRole('button', { name: 'Page 2' }).click()
  await operator.waitForURL(/\?search=Family(?:\+|%20)Care&order=name&page=2$/)
  await operator.getByText('26 to 50 of 50').waitFor()
  const first = operator.getByRole('table', { name: 'Organizations' }).getByRole('rowheader').first()
  const name = await first.innerText()
  await first.getByRole('link').click()
  await operator.getByRole('heading', { level: 1, name }).waitFor()
  await operator.goBack()
  await operator.getByText('26 to 50 of 50').waitFor()
  assert.equal(await first.innerText(), name)
  assert.equal(await operator.getByRole('searchbox').inputValue(), 'Family Care')
})

test('leads back from a page past the last one', async () => {
  for (const list of ['organizations', 'accounts', 'sources']) {
    await operator.goto(`/app/operator/${list}?page=99`)
    await operator.getByText('There are fewer pages now.').waitFor()
    await operator.getByRole('button', { name: 'Go to the first page' }).click()
    await operator.getByRole('table').getByRole('rowheader').first().waitFor()
  }
})

test('shows the range of the rows that are shown until those of the next page are there', async () => {
  await operator.goto('/app/operator/organizations?order=name')
  await operator.getByText('1 to 25 of 300').waitFor()
  const first = operator.getByRole('table', { name: 'Organizations' }).getByRole('rowheader').first()
  const name = await first.innerText()
  const { promise, resolve } = Promise.withResolvers<void>()
  await operator.route(/offset=25/, async (route) => {
    await promise
    await route.continue()
  })
  await operator.getByRole('button', { name: 'Page 2' }).click()
  await operator.waitForURL(/page=2$/)
  await operator.getByText('1 to 25 of 300').waitFor()
  assert.equal(await first.innerText(), name)
  resolve()
  await operator.getByText('26 to 50 of 300').waitFor()
  assert.notEqual(await first.innerText(), name)
})

test('long names and names of any direction fit every width and do not reorder the text around them', async () => {
  const found: string[] = []
  for (const path of [
    '/app/operator/organizations?order=name',
    `/app/operator/organizations/${firstOrganization}`,
    '/app/operator/sources?order=name',
    '/app/operator/sources/clinic-0000',
    '/app/operator/sources/clinic-0002',
    '/app/operator/audit',
    '/app/operator/source-log',
    '/app/operator/accounts',
  ]) {
    await operator.setViewportSize({ width: 1440, height: 900 })
    await operator.goto(path)
    await shown(operator)
    found.push(...(await layoutShift(operator, path)))
    for (const width of [1440, 720, 390, 320]) {
      await operator.setViewportSize({ width, height: 900 })
      await shown(operator)
      const where = `${path} at ${width} px`
      found.push(...(await isWide(operator, where)), ...(await cutOff(operator, where)))
      found.push(...(await mixedDirections(operator, where)))
    }
  }
  assert.equal(found.join('\n'), '')
})

test('a person with such names sees them whole in their own organization', async () => {
  const page = await harness.newcomer()
  await signUp(page, { ...personOf('Layla'), name: 'ليلى أبو زيد' })
  const org = await createOrganization(page, NAMES[0])
  const { body } = await call(page, 'POST', `/api/organizations/${org}/invitations`, { role: 'member' })
  const guest = await harness.newcomer({ width: 390 })
  await guest.goto((body as { link: string }).link)
  await guest.getByRole('link', { name: 'Create an account' }).click()
  await guest.getByText("Next, you'll join").waitFor()
  const found = await mixedDirections(guest, 'sign-up with an invitation')
  for (const part of ['keys', 'usage', 'logs', 'limits', 'members', 'audit', 'settings']) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`/app/o/${org}/${part}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await shown(page)
      const where = `${part} at ${width} px`
      found.push(
        ...(await isWide(page, where)),
        ...(await cutOff(page, where)),
        ...(await mixedDirections(page, where)),
      )
    }
  }
  assert.equal(found.join('\n'), '')
})

test('Tab reaches every control of the lists, visibly', async () => {
  await operator.setViewportSize({ width: 1440, height: 900 })
  const found: string[] = []
  for (const path of ['/app/operator/organizations', '/app/operator/sources']) {
    await operator.goto(path)
    await operator.getByRole('table').waitFor()
    await shown(operator)
    found.push(...(await tabFindings(operator, path)))
  }
  assert.equal(found.join('\n'), '')
})

function sourceOf(n: number) {
  const slug = `clinic-${String(n).padStart(4, '0')}`
  return { slug, name: `${NAMES[n % NAMES.length]} ${n}`, format: 'files' as const, url: '', strict: false }
}
