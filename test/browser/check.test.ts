import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { RunningService } from '../running-service.ts'
import { CarelessPublisher } from './careless-publisher.ts'
import { fillSignUp, type Person } from './people.ts'
import { isWide, Visitors } from './visitors.ts'

const OLIVE: Person = { name: 'Olive', email: 'olive@example.org', password: 'a passphrase of olive' }

let careless: CarelessPublisher
let silent: Server
let service: RunningService
let visitors: Visitors
let operator: Page

before(async () => {
  careless = await CarelessPublisher.open()
  silent = createServer(() => {}).listen(0, '127.0.0.1')
  service = await RunningService.prepare()
  service.env.LOG_LEVEL = 'info'
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
  await careless?.[Symbol.asyncDispose]()
  silent?.close()
  silent?.closeAllConnections()
})

const address = () => operator.getByLabel('Address of the manifest')
const begin = () => operator.getByRole('button', { name: 'Check the feed' }).click()

test('an operator checks a whole feed before it is added, and reads what is wrong with it', async () => {
  await operator.getByRole('button', { name: 'Add a source' }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByLabel('Address of the manifest').fill(careless.url)
  await dialog.getByLabel('Slug').fill('harbour')
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByRole('link', { name: 'check the whole feed' }).click()
  await operator.getByRole('heading', { name: 'Check a feed', level: 1 }).waitFor()
  assert.equal(await address().inputValue(), careless.url)
  await begin()
  await operator.getByText('The feed needs a look').waitFor()
  const found = operator.locator('details', { hasText: 'slot-schedule-dangling' })
  await found.getByText(/Slot\.ndjson:\d+/).waitFor()
  await found.getByRole('link', { name: /^About this rule/ }).waitFor()
  await operator.getByRole('heading', { name: 'What callers would see' }).waitFor()
  await operator.reload()
  await operator.getByText('The feed needs a look').waitFor()
  await operator.setViewportSize({ width: 390, height: 844 })
  assert.deepEqual(await isWide(operator, 'the report'), [])
  await operator.setViewportSize({ width: 1440, height: 900 })
  visitors.assertNoComplaints()
})

test('the report is handed over as a page that stands for itself', async () => {
  const coming = operator.waitForEvent('download')
  await operator.getByRole('button', { name: 'Report as a page' }).click()
  const download = await coming
  assert.equal(download.suggestedFilename(), 'check-127.0.0.1.html')
  const html = await readFile(await download.path(), 'utf8')
  assert.match(html, /slot-schedule-dangling/)
  assert.doesNotMatch(html, /<script/)
  visitors.assertNoComplaints()
})

test('a check is one at a time, shows how far it is, and is stopped with what it has', async () => {
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/$bulk-publish`
  await operator.goto(`/app/operator/check?url=${encodeURIComponent(url)}`)
  await begin()
  await operator.getByText('Asking for the manifest').waitFor()
  const other = await operator.context().newPage()
  await other.goto('/app/operator/check')
  await other.getByLabel('Address of the manifest').fill(careless.url)
  await other.getByRole('button', { name: 'Check the feed' }).click()
  await other.getByText(/You are checking http:\/\/127/).waitFor()
  await other.close()
  await operator.getByRole('button', { name: 'Stop' }).click()
  await operator.getByText(/The check ended early: it was stopped/).waitFor()
  visitors.assertNoComplaints()
})
