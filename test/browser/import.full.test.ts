import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { RunningService } from '../support/running-service.ts'
import { fillSignUp, type Person } from './people.ts'
import { Visitors } from './visitors.ts'

const OLIVE: Person = { name: 'Olive', email: 'olive@example.org', password: 'a passphrase of olive' }
const HEAD = 'start,end,city\n'
const GOOD = '2032-01-01T10:00:00Z,2032-01-01T10:30:00Z,Lynn\n'

let service: RunningService
let visitors: Visitors
let operator: Page

before(async () => {
  service = await RunningService.prepare()
  await service.serve()
  visitors = await Visitors.to(service.home)
  operator = await visitors.newcomer()
  await operator.goto(await service.setupLink())
  await operator.getByRole('link', { name: 'Create your account' }).click()
  await fillSignUp(operator, OLIVE)
  await operator.getByRole('button', { name: 'Become the operator' }).click()
  await operator.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()
})

after(async () => {
  await visitors?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** Drops a file with this content onto an element, as a browser does. */
async function drop(onto: Locator, name: string, text: string): Promise<void> {
  const dataTransfer = await onto.page().evaluateHandle(
    ([text, name]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], name, { type: 'text/csv' }))
      return transfer
    },
    [text, name] as const,
  )
  for (const event of ['dragenter', 'dragover', 'drop']) await onto.dispatchEvent(event, { dataTransfer })
}

test('accepts a file dropped onto the form and ignores one dropped beside it', async () => {
  await operator.goto('/app/operator/import')
  await operator.getByLabel('Slug').fill('walk-in')
  await drop(operator.getByRole('heading', { name: 'Import a file', level: 1 }), 'beside.csv', HEAD + GOOD)
  await drop(operator.getByRole('combobox', { name: 'Time zone' }), 'slots.csv', HEAD + GOOD)
  await operator.getByText('slots.csv', { exact: true }).waitFor()
  assert.equal(await operator.getByText('beside.csv').count(), 0)
  await operator.getByRole('button', { name: 'Check file' }).press('Enter')
  await operator.getByText('This file can be imported', { exact: true }).waitFor()
  await operator.getByRole('button', { name: 'Import file' }).press('Enter')
  await operator.getByText('File imported', { exact: true }).waitFor()
  visitors.assertNoComplaints()
})

test('does not offer to import a file without any valid line, and shows all rejections', async () => {
  await operator.goto('/app/operator/import')
  await operator.getByLabel('Slug').fill('walk-in')
  await drop(operator.getByLabel('Slug'), 'slots.csv', HEAD + '03/04/2032 9:00,03/04/2032 9:30,Lynn\n'.repeat(3))
  await operator.getByRole('button', { name: 'Check file' }).click()
  await operator.getByText("This file can't be read", { exact: true }).waitFor()
  await operator.getByText(/none of its 3 .*mdy or dmy\)\. Nothing was changed\./).waitFor()
  assert.equal(await operator.getByRole('table', { name: 'Rejected rows' }).getByRole('row').count(), 4)
  assert.equal(await operator.getByRole('button', { name: 'Import file' }).count(), 0)
  const coming = operator.waitForEvent('download')
  await operator.getByRole('button', { name: 'Download rejected rows' }).click()
  const download = await coming
  assert.equal(download.suggestedFilename(), 'rejected-walk-in.csv')
  const [head, ...rows] = (await text(await download.createReadStream())).trim().split('\r\n')
  assert.equal(head, 'row,reason,start,end,city')
  assert.equal(rows.length, 3)
  assert.match(rows[2], /^4,"Cannot read the row: .*",03\/04\/2032 9:00,03\/04\/2032 9:30,Lynn$/)
  visitors.assertNoComplaints()
})

test('says that an upload failed on the page that is open then', async () => {
  await operator.goto('/app/operator/import')
  await operator.getByLabel('Slug').fill('walk-in')
  await drop(operator.getByLabel('Slug'), 'slots.csv', HEAD + GOOD)
  const { promise, resolve } = Promise.withResolvers<void>()
  await operator.route('**/upload?**', async (route) => {
    await promise
    await route.fulfill({ status: 503, json: { code: 'not-ready', message: 'This part of the service is starting.' } })
  })
  await operator.getByRole('button', { name: 'Check file' }).click()
  await operator.getByRole('group', { name: 'Upload' }).waitFor()
  await operator.getByRole('link', { name: 'Operators' }).click()
  await operator.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
  resolve()
  await operator.getByRole('alert').getByText('This part of the service is starting.').waitFor()
  await operator.unrouteAll()
})

test('asks before a reload during an upload', async () => {
  await operator.goto('/app/operator/import')
  await operator.getByLabel('Slug').fill('walk-in')
  await drop(operator.getByLabel('Slug'), 'slots.csv', HEAD + GOOD)
  await operator.route('**/upload?**', () => undefined)
  await operator.getByRole('button', { name: 'Check file' }).click()
  await operator.getByRole('group', { name: 'Upload' }).waitFor()
  const [question] = await Promise.all([operator.waitForEvent('dialog'), operator.close({ runBeforeUnload: true })])
  assert.equal(question.type(), 'beforeunload')
  await question.accept()
})
