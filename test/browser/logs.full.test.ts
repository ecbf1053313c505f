import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, personOf, signUp } from './people.ts'
import { assertAccessible } from './visitors.ts'

const ADA = personOf('Ada Lovelace')

/** A signed-in owner, the organization and an API key of it. */
let page: Page
let org: string
let secret: string

const harness = serveDashboard({
  begin: async (harness) => {
    page = await harness.newcomer()
    await signUp(page, ADA)
    org = await createOrganization(page, 'Analytical Health')
    secret = (await newKey('web')).secret
  },
})

test('finds a request by its error and its ID, and repeats it', async () => {
  await ask('/v1/scheduling/slots?state=MA&limit=1')
  const failed = await ask('/v1/scheduling/slots?city=San%20Jos%C3%A9&state=Nowhere')
  await openWith(/state=Nowhere/)
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: '4xx' }).click()
  await page.waitForURL(/status=4xx/)
  await requests().getByText('200 OK').waitFor({ state: 'detached' })

  await page.getByRole('link', { name: /state=Nowhere/ }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText(/got "Nowhere"/).waitFor()
  for (const text of ['San José', '127.0.0.1', 'agent of the test', failed]) await drawer.getByText(text).waitFor()
  assert.match(page.url(), new RegExp(`/logs/${failed}\\?status=4xx$`))
  await drawer.getByRole('button', { name: 'Copy as curl' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^curl '.*\/v1\/scheduling\/slots\?city=San%20Jos%C3%A9&state=Nowhere'/)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  assert.match(page.url(), /\/logs\?status=4xx$/)

  await page.goto(`/app/o/${org}/logs/${failed}`)
  await drawer.getByRole('link', { name: 'Open in Explore' }).click()
  await page.waitForURL(/\/app\/explore\?.*city=San/)
})

test('the keyboard opens a request, closes it and clears the filters', async () => {
  const id = await ask('/v1/scheduling/facets')
  await openWith(/facets/)
  await page.getByRole('textbox', { name: 'Request ID' }).fill(id)
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`request=${id}`))
  const link = page.getByRole('link', { name: 'GET /v1/scheduling/facets' })
  await link.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('User agent').waitFor()
  await assertAccessible(page, 'a request')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.waitForFunction(() => document.activeElement?.textContent === 'GET /v1/scheduling/facets')
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await page.waitForURL((url) => url.search === '')
})

test('Back does not open requests again that were closed', async () => {
  await ask('/v1/scheduling/slots?limit=3')
  await page.goto(`/app/o/${org}/usage`)
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  for (const _ of [1, 2]) {
    await requests().getByRole('link').first().click()
    await page.getByRole('dialog').getByText('User agent').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/logs$/)
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await page.goBack()
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
})

test('requests can be told apart beside long network addresses', async (t) => {
  t.after(() => page.unrouteAll({ behavior: 'wait' }))
  await page.route(/api.*\/logs/, async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    json.entries[0].address = '2001:db8:85a3:8d3:1319:8a2e:370:7348'
    await route.fulfill({ response, json })
  })
  await page.goto(`/app/o/${org}/logs`)
  await requests().getByText('2001:db8:').waitFor()
  const request = await requests().getByRole('rowheader').first().boundingBox()
  assert.ok(Number(request?.width) >= 300, `got ${request?.width}`)
})

test('a live log shows a request that arrives, and the download has it', async () => {
  await page.goto(`/app/o/${org}/logs`)
  await page.getByRole('switch', { name: 'Live' }).check()
  await ask('/v1/scheduling/publishers?live=yes')
  await page.getByRole('link', { name: /live=yes/ }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const stream = await (await downloading).createReadStream()
  assert.match((await stream.toArray()).join(''), /live=yes,400,.*Invalid parameter/)
})

test('a live log says that it could not be updated', async () => {
  await ask('/v1/scheduling/slots?limit=2')
  await page.goto(`/app/o/${org}/logs?live=1`)
  await requests().waitFor()
  await page.route(/api.*\/logs/, (route) => route.abort())
  await page.getByRole('alert').getByText('The logs could not be updated').waitFor()
  assert.ok(await requests().isVisible())
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

test('a list says why it cannot show more', async () => {
  for (let n = 0; n < 50; n++) await newKey(`key ${n}`)
  await page.goto(`/app/o/${org}/audit`)
  const older = page.getByRole('button', { name: 'Show older entries' })
  await older.waitFor()
  await page.route('**/audit?*', (route) => route.abort())
  await older.click()
  await page.getByRole('alert').getByText("Can't reach the service.").waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await older.click()
  await page.getByText(/^That's all \d+ entries/).waitFor()
})

test('says so when no request matches', async () => {
  await page.goto(`/app/o/${org}/logs?address=192.0.2.99`)
  await page.getByRole('heading', { name: 'No matching requests' }).waitFor()
  await page.goto(`/app/o/${org}/logs/unknown`)
  await page.getByText('This request is not in the log').waitFor()
})

test('a filter that applies while typing pauses keeps the space at its end', async () => {
  await page.goto(`/app/o/${org}/logs`)
  const path = page.getByRole('textbox', { name: 'Path or query' })
  await path.fill('San ')
  await page.waitForURL(/path=San$/)
  await path.pressSequentially('Jos')
  await page.waitForURL(/path=San(?:\+|%20)Jos$/)
})

/** Opens the logs once a request is stored, which takes up to a second: until then, only a live log shows it. */
async function openWith(request: RegExp): Promise<void> {
  await page.goto(`/app/o/${org}/logs?live=1`)
  await page.getByRole('link', { name: request }).waitFor()
  await page.goto(`/app/o/${org}/logs`)
  await page.getByRole('link', { name: request }).waitFor()
}

function requests() {
  return page.getByRole('table', { name: 'Requests' })
}

async function newKey(name: string): Promise<{ secret: string }> {
  const { body } = await call(page, 'POST', `/api/organizations/${org}/keys`, { name })
  return body as { secret: string }
}

/** Sends a request with the key. Returns its ID. */
async function ask(target: string): Promise<string> {
  const headers = { 'x-api-key': secret, 'user-agent': 'agent of the test' }
  const response = await fetch(harness.service.origin + target, { headers })
  await response.text()
  return response.headers.get('x-request-id') ?? ''
}
