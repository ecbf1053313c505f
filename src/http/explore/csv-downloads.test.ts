import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { fillIndex } from '../../../test/support/fill-index.ts'
import { parseCsv } from '../../../test/support/http/parse-csv.ts'
import { ask, index, KEY, NOW_MS, queue, SLOTS } from '../../../test/support/http/sample-server.ts'
import { slotId } from '../../slot/ids.ts'
import { InvalidParameter } from '../../slot/query-parameter.ts'
import { SlotIndex } from '../../slot-index/slot-index.ts'
import type { ContentCoding } from '../negotiation.ts'
import { Problem } from '../problem.ts'
import { CsvDownloads } from './csv-downloads.ts'

interface Asked {
  readonly id?: string
  readonly coding?: ContentCoding
  readonly signal?: AbortSignal
  readonly from?: SlotIndex
}

function writer(limits?: ConstructorParameters<typeof CsvDownloads>[0]) {
  const downloads = new CsvDownloads(limits)
  return (search: string, { id = 'ada', coding, signal, from = index }: Asked = {}) =>
    downloads.write(
      { search, coding, by: { id, organizationId: id }, signal },
      { index: from, queue, now: () => NOW_MS },
    )
}

const LIMITS = { rowsMax: 100, bytesMax: 1_000_000, concurrentMax: 2 }

test('writes the same bytes as the CSV export of /v1, in the same order', async () => {
  const write = writer()
  for (const search of [
    '',
    'state=MA&isVirtual=false',
    'near=42.36,-71.06&radiusKm=500&sort=distance',
    'city=Nowhere',
    'status=busy',
  ]) {
    const { text } = await ask(`${SLOTS}?${search}`, { authorization: `Bearer ${KEY}`, accept: 'text/csv' })
    assert.equal(Buffer.from(await write(search)).toString(), text, search)
    assert.equal(gunzipSync(await write(search, { coding: 'gzip' })).toString(), text, search)
  }
})

test('guards cells that a spreadsheet would run as a formula', async () => {
  const publisher = '=HYPERLINK("http://x")'
  const times = { startMs: NOW_MS, endMs: NOW_MS + 60_000, start: '2026-06-01T12:00:00Z', end: '2026-06-01T12:01:00Z' }
  const from = new SlotIndex()
  const offering = { publisher, scheduleId: '@a', isVirtual: false }
  fillIndex(from, [{ id: slotId(publisher, '@a', '1', times), status: 'free', ...times, offering }], { nowMs: NOW_MS })
  const [row] = parseCsv(Buffer.from(await writer()('', { from })).toString())
  assert.deepEqual([row.publisher, row.scheduleId], [`'${publisher}`, "'@a"])
})

test('rejects pages and every parameter that the list rejects', async () => {
  const write = writer()
  for (const [search, parameter] of [
    ['limit=5', 'limit'],
    ['offset=5', 'offset'],
    ['colour=red', 'colour'],
    ['state=Massachusets', 'state'],
  ])
    await assert.rejects(
      write(search),
      (error) => error instanceof InvalidParameter && error.parameter === parameter,
      search,
    )
})

test('rejects more slots or bytes than the limits, and says what to do', async () => {
  const { total } = JSON.parse((await ask(SLOTS)).text)
  assert.ok((await writer({ ...LIMITS, rowsMax: total })('')).length > 0)
  const message = `${total} slots match; a download has at most ${total - 1}. Add filters, or export all with an API key: see /docs/export.`
  await assert.rejects(writer({ ...LIMITS, rowsMax: total - 1 })(''), isProblem('content-too-large', message))
  await assert.rejects(writer({ ...LIMITS, bytesMax: 500 })(''), isProblem('content-too-large'))
})

test('runs one download of a user at once, and a few in all', async () => {
  const write = writer(LIMITS)
  const running = [write('', { id: 'ada' }), write('', { id: 'bob' })]
  await assert.rejects(write('', { id: 'ada' }), isProblem('too-many-exports'))
  await assert.rejects(write('', { id: 'cyd' }), isProblem('too-many-exports'))
  await Promise.all(running)
  assert.ok((await write('', { id: 'cyd' })).length > 0)
})

test('frees its place and its snapshot when it fails or is aborted', async () => {
  const write = writer({ ...LIMITS, bytesMax: 500, concurrentMax: 1 })
  await assert.rejects(write(''), isProblem('content-too-large'))
  await assert.rejects(write('limit=5'), InvalidParameter)
  const stopping = new AbortController()
  const aborted = write('', { signal: stopping.signal })
  stopping.abort()
  await assert.rejects(aborted, { name: 'AbortError' })
  assert.ok((await write('city=Nowhere')).length > 0)
})

function isProblem(kind: Problem['kind'], message?: string) {
  return (error: unknown) =>
    error instanceof Problem && error.kind === kind && (message === undefined || error.message === message)
}
