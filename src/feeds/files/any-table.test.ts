import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { casesOf } from '../../../test/support/cases.ts'
import { readText } from '../../../test/support/feeds/read-text.ts'

const START = '2030-01-07T10:00:00-05:00'
const END = '2030-01-07T10:30:00-05:00'

/** A cell as a spreadsheet may write it: in quotes where it must be, and now and then where it need not. */
function written(cell: string, delimiter: string, always: boolean): string {
  const needs = always || /["\r\n]|^\s|\s$/.test(cell) || cell.includes(delimiter) || cell === ''
  return needs ? `"${cell.replaceAll('"', '""')}"` : cell
}

test('reads back every slot from any CSV dialect', async () => {
  const word = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
    .map((text) =>
      text
        .toWellFormed()
        .replace(/\p{Cc}/gu, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((text) => text !== '' && !text.includes('\ufeff'))
  const rows = fc.array(fc.record({ id: word, city: word, name: word, capacity: fc.nat(50) }), {
    minLength: 1,
    maxLength: 20,
  })
  const forms = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    mark: fc.constantFrom('', '\ufeff'),
    quoted: fc.boolean(),
    pieceBytes: fc.integer({ min: 1, max: 200 }),
  })
  const property = fc.asyncProperty(rows, forms, async (slots, form) => {
    const { delimiter, lineEnd, mark, quoted, pieceBytes } = form
    const lines = slots.map(({ id, city, name, capacity }, n) => {
      const start = new Date(Date.UTC(2030, 0, 7) + n * 900_000).toISOString()
      const cells = [id, start, start, city, name, String(capacity)]
      return cells.map((cell) => written(cell, delimiter, quoted)).join(delimiter)
    })
    const head = ['id', 'start', 'end', 'location.city', 'provider.name', 'capacity'].join(delimiter)
    const text = mark + [head, ...lines].join(lineEnd) + lineEnd
    const { draft, reasons } = await readText(text, { pieceBytes })
    assert.deepEqual(reasons, [])
    assert.deepEqual(
      draft.slots.map(({ offering, capacity }) => [offering.location?.city, offering.provider?.name, capacity]),
      slots.map(({ city, name, capacity }) => [city.normalize(), name, capacity]),
    )
  })
  await fc.assert(property, { numRuns: casesOf(300) })
})

test('accounts for every row with arbitrary content', async () => {
  const cell = fc.oneof(
    fc.constantFrom(START, END, '', 'yes', 'MA', '-1', 'null', '12', 'America/New_York', '1/2/2030 9:00', 'nopt'),
    fc.string({ unit: fc.constantFrom(...'aZ0"\';,|\t .-/:é'), maxLength: 12 }),
  )
  const columns = 'start,end,timeZone,status,acceptingPatients,capacity,state,isVirtual,latitude,bookingDeepLink'
  const width = columns.split(',').length
  const rows = fc.array(fc.array(cell, { minLength: width, maxLength: width + 1 }), { maxLength: 30 })
  const property = fc.asyncProperty(rows, async (cells) => {
    const lines = cells.map((row) => row.map((each) => written(each, ',', true)).join(','))
    const { draft, reasons } = await readText([columns, ...lines].join('\n'))
    const blank = cells.filter((row) => row.every((each) => each.trim() === '')).length
    assert.equal(draft.slots.length + reasons.length + draft.counts.withheld, cells.length - blank)
    for (const [, reason] of reasons) assert.ok(reason.length <= 300)
  })
  await fc.assert(property, { numRuns: casesOf(300) })
})
