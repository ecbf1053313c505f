import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pausesOf } from '../../../test/support/pauses.ts'
import { TextTable } from './text-table.ts'

const TEXTS = Array.from({ length: 10_000 }, (_, n) => `text ${n}`)

function tableOf(texts: readonly string[]): TextTable {
  const table = new TextTable()
  for (const text of texts) table.append(text)
  return table
}

test('pauses among ten thousand texts', () => {
  const { pauses } = pausesOf(tableOf(TEXTS).prepareFind())
  assert.ok(pauses >= 9, `${pauses} pauses`)
})

test('finds every text when it is prepared, and when a search or more texts come in between', () => {
  const table = tableOf(TEXTS.slice(0, 9000))
  const steps = table.prepareFind()
  steps.next()
  assert.equal(table.find('text 8999'), 9000)
  for (const text of TEXTS.slice(9000)) table.append(text)
  while (steps.next().done !== true);
  assert.deepEqual(
    TEXTS.map((text) => table.find(text)),
    TEXTS.map((_, n) => n + 1),
  )
  assert.equal(table.find('another'), undefined)
})
