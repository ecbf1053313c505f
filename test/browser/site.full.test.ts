import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/source-files.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { layoutShift } from './reach.ts'
import { findingsOf, isWide, oneHeading, schemesOf } from './visitors.ts'

/** The pages outside the dashboard. */
const SITE = ['/', '/docs', ...docsPages(), '/status', '/nowhere']

const harness = serveDashboard({
  async prepare(_, { env }) {
    // As long as a name may be.
    env.SERVICE_NAME = 'Acme Slots for all of the clinics in the three river valleys'
    env.OPERATOR_CONTACT = 'mailto:help@acme.example'
    env.TERMS_URL = 'https://acme.example/terms'
    env.PRIVACY_URL = 'https://acme.example/privacy'
  },
})

test('axe finds no violations on the home page and the documentation, which fit a phone', async () => {
  const page = await harness.newcomer()
  const found: string[] = []
  // reference.full.test.ts checks the API reference, which is not only the project's own markup.
  const paths = SITE.filter((each) => each !== '/docs/api')
  for (const [n, path] of paths.entries()) {
    const schemes = schemesOf(n)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: schemes[0] })
    await page.goto(path)
    found.push(
      ...(await layoutShift(page, path)),
      ...(await oneHeading(page, path)),
      ...(await findingsOf(page, path, { schemes })),
    )
    await page.setViewportSize({ width: 390, height: 844 })
    found.push(...(await isWide(page, path)))
  }
  assert.equal(found.join('\n'), '')
})

test('a picture of the guide is shown in the scheme of the page only, and nothing moves', async () => {
  const page = await harness.newcomer()
  const loaded: string[] = []
  page.on('response', (response) => loaded.push(/assets\/(keys-\w+)-.+\.webp$/.exec(response.url())?.[1] ?? ''))
  await page.goto('/docs/quickstart')
  const picture = page.getByRole('main').getByRole('img', { name: /^The API keys of an organization/ })
  await picture.scrollIntoViewIfNeeded()
  await page.waitForFunction(() => [...document.images].some(({ naturalWidth }) => naturalWidth === 1200))
  assert.deepEqual(
    loaded.filter((name) => name !== ''),
    ['keys-light'],
  )
  assert.deepEqual(await layoutShift(page, 'quickstart'), [])
  await page.getByRole('button', { name: 'Color scheme: system' }).click()
  await page.getByRole('button', { name: 'Color scheme: light' }).click()
  await page.getByRole('button', { name: 'Color scheme: dark' }).waitFor()
  assert.match((await picture.getAttribute('src')) ?? '', /keys-dark/)
  const plain = await harness.newcomer({ dark: true, script: false })
  await plain.goto('/docs/quickstart')
  const shown = plain.getByRole('main').getByRole('img', { name: /^The API keys of an organization/ })
  assert.match((await shown.getAttribute('src')) ?? '', /keys-dark/)
})

test('the home page and the documentation work without scripts', async () => {
  const page = await harness.newcomer({ script: false })
  for (const path of SITE) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.ok((await page.getByRole('main').innerText()).length > 100, path)
  }
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Docs' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Quickstart' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor()
})

test('every page names the operator: footers, sign-up, forgotten passwords and errors', async () => {
  const page = await harness.newcomer()
  for (const path of ['/', '/app/sign-up', '/app/forgot-password']) {
    await page.goto(path)
    const footer = page.getByRole('contentinfo')
    for (const [name, href] of [
      ['Status', '/status'],
      ['Terms', 'https://acme.example/terms'],
      ['Privacy', 'https://acme.example/privacy'],
      ['Contact', 'mailto:help@acme.example'],
    ]) {
      const link = footer.getByRole('link', { name, exact: true })
      assert.ok((await link.getAttribute('href'))?.endsWith(href), `${path}: ${name}`)
    }
    assert.match(await page.title(), /Acme Slots/)
  }
  await page.getByRole('main').getByRole('link', { name: 'help@acme.example' }).waitFor()
  await page.goto('/app/sign-up')
  await page.getByText('you agree to the terms').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'privacy notice' }).waitFor()
})

test('the status page has the history of the store', async () => {
  const page = await harness.newcomer({ script: false })
  await page.goto('/status')
  await page.getByText('The service is running.').waitFor()
  await page.getByText('There were none.').waitFor()
  await page.getByRole('link', { name: 'status.json' }).click()
  await page.getByText('"incidents":[]').waitFor()
})

test('a wrong address leads on: by a guess, by the search and by a redirect', async () => {
  const page = await harness.newcomer()
  await page.goto('/docs/pagnation')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Pagination' }).waitFor()
  await main.getByRole('combobox', { name: 'Search the documentation' }).fill('webhook')
  await main.getByRole('option').first().click()
  await page.waitForURL(/\/docs\/\w+/)
  await page.goto('/pricing')
  await page.getByRole('heading', { level: 1, name: 'Limits and pricing' }).waitFor()
})

test('the list of pages shows the current one, and the copy button covers no code on a phone', async () => {
  const page = await harness.newcomer()
  await page.setViewportSize({ width: 1280, height: 700 })
  await page.goto('/docs/changelog')
  const current = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Changelog' })
  await current.waitFor()
  const { y = 0, height = 0 } = (await current.boundingBox()) ?? {}
  assert.ok(y > 60 && y + height < 700, `at ${y}`)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/docs/pagination')
  const block = page.locator('.code').first()
  const button = await block.getByRole('button', { name: 'Copy' }).boundingBox()
  const text = await block.locator('code').boundingBox()
  assert.ok(button !== null && text !== null && button.y + button.height <= text.y)
})

test('the front page calls its map an illustration without slots and without scripts', async () => {
  for (const options of [{}, { script: false }] as const) {
    const page = await harness.newcomer(options)
    await page.goto('/')
    await page.getByRole('figure', { name: 'Illustration' }).waitFor()
  }
})

function docsPages(): string[] {
  return readdirSync(join(ROOT, 'dashboard/dist/site/docs'))
    .filter((file) => file.endsWith('.html'))
    .map((file) => `/docs/${file.replace('.html', '')}`)
}
