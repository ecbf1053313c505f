import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, type TestContext, test } from 'node:test'
import { createGunzip, createGzip } from 'node:zlib'
import { manifest, Publisher } from '../../test/support/feeds/publisher.ts'
import { freePort } from '../../test/support/free-port.ts'
import { openTempStore, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import { PlantedFeed } from '../../test/support/validator/planted-feed.ts'
import { csvTemplate } from '../feeds/files/csv-columns.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import { StoreUnavailable } from '../store/contracts/store.ts'
import { checkRunner, Jobs, manifestChecker, uploadImporter } from './jobs.ts'

const never = new AbortController().signal
const jobs = new Jobs({ heapMb: 40, atOnceMax: 1 })

after(() => jobs.close())

test('checks a feed in a process, and reports progress', async () => {
  const feed = new PlantedFeed('stu1')
  feed.resource('Slot').status = 'open'
  await using publisher = await feed.publish()
  const url = `${publisher.origin}/$bulk-publish`
  const seen: number[] = []
  const report = await checkRunner(jobs, { allowPrivate: true })({ url, strict: false }, never, ({ reading }) =>
    seen.push(reading),
  )
  assert.ok(report.findings.some(({ rule }) => rule === 'slot-status'))
  assert.equal(report.lines.rejected, 1)
  assert.ok(seen.length > 0)
})

test('requests a feed with the options of its source, and reports a missing secret', async () => {
  await using publisher = await new PlantedFeed('stu1').publish()
  const open = publisher.files['/$bulk-publish']
  publisher.files['/$bulk-publish'] = (request, response) => {
    if (request.headers['x-api-key'] !== 'swordfish') response.writeHead(401).end()
    else if (typeof open === 'function') open(request, response)
  }
  const url = `${publisher.origin}/$bulk-publish`
  const options = { headers: { 'x-api-key': '$' + '{SOURCE_KEY}' } }
  const source = { slug: 'guarded', format: 'smart-links', url, options, strict: false } as const
  const check = (secrets: Record<string, string>) =>
    checkRunner(jobs, { allowPrivate: true, secrets })(
      { url, strict: false, source },
      new AbortController().signal,
      () => {},
    )
  assert.equal((await check({ SOURCE_KEY: 'swordfish' })).unreadable, undefined)
  await assert.rejects(check({}), /Cannot check .*: Cannot read the feed: SOURCE_KEY must be set/)
})

test('does not access private addresses unless allowed', async () => {
  await using publisher = await new PlantedFeed('stu1').publish()
  const url = `${publisher.origin}/$bulk-publish`
  const report = await checkRunner(jobs, { allowPrivate: false })({ url, strict: false }, never, () => {})
  assert.match(report.unreadable ?? '', /public/)
  assert.deepEqual(publisher.asked(), [])
})

test('returns the findings so far when it is stopped, takes too long or reads too much', async () => {
  await using publisher = await new PlantedFeed('stu1').publish()
  const whole = publisher.files['/Slot.ndjson']
  const stopping = new AbortController()
  // Never responds. The directory is read before.
  publisher.files['/Slot.ndjson'] = () => stopping.abort(new Error('it was stopped'))
  const feed = { url: `${publisher.origin}/$bulk-publish`, strict: false }
  const stopped = await checkRunner(jobs, { allowPrivate: true })(feed, stopping.signal, () => {})
  assert.equal(stopped.stopped, 'it was stopped')
  assert.ok(stopped.lines.directory > 0)
  const late = await checkRunner(jobs, { allowPrivate: true, wholeMs: 500 })(feed, never, () => {})
  assert.match(late.stopped ?? '', /a check takes at most/)
  if (whole !== undefined) publisher.files['/Slot.ndjson'] = whole
  const large = await checkRunner(jobs, { allowPrivate: true, bytesMax: 500 })(feed, never, () => {})
  assert.match(large.stopped ?? '', /at most 500 bytes/)
})

/** Imports into a store of its own. */
async function importing(t: TestContext, importUrl?: string) {
  const ownUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, ownUrl)
  const databaseUrl = importUrl ?? ownUrl
  const events: LogEvent[] = []
  const onEvent = (event: LogEvent) => events.push(event)
  const importUpload = uploadImporter(jobs, { store, databaseUrl, bytesMax: 2 ** 26, signal: never, onEvent })
  const upload = (
    content: AsyncIterable<Uint8Array>,
    options: { slug?: string; dryRun?: boolean; format?: 'ndjson' } = {},
  ) => importUpload(content, { slug: 'clinic', dryRun: false, fileName: 'file', by: { name: 'Olive' }, ...options })
  return { store, events, upload }
}

const csv = () => Readable.from([Buffer.from(csvTemplate())])

/** Schedules of many actors, which are kept until the slots are read, and take more memory than their bytes. */
function manySchedules(): AsyncIterable<Uint8Array> {
  const actor = Array.from({ length: 32_000 }, (_, n) => ({ reference: `Location/${n}` }))
  const lines = Array.from(
    { length: 60 },
    (_, n) => `${JSON.stringify({ resourceType: 'Schedule', id: String(n), actor })}\n`,
  )
  return Readable.from(lines).pipe(createGzip({ level: 1 }))
}

test('imports a file in a process', async (t) => {
  const { store, events, upload } = await importing(t)
  assert.equal((await upload(csv(), { dryRun: true })).slots, 2)
  const report = await upload(csv())
  assert.deepEqual([report.outcome, report.changes?.added], ['ok', 2])
  assert.equal((await store.sources.find('clinic'))?.slotCount, 2)
  assert.deepEqual(
    events.map(({ message }) => message),
    ['file was imported'],
  )
})

test('rejects with StoreUnavailable if the process cannot reach the database', async (t) => {
  const { upload } = await importing(t, `postgres://tester@127.0.0.1:${await freePort()}/slots`)
  await assert.rejects(upload(csv()), (error) => error instanceof StoreUnavailable)
})

test('a file that takes all memory of its import changes nothing, and the next import works', async (t) => {
  const { store, events, upload } = await importing(t)
  await upload(csv())
  await assert.rejects(upload(manySchedules(), { format: 'ndjson' }), (error) => {
    assert.ok(error instanceof DashboardProblem)
    assert.match(error.message, /^Cannot import file: the import ran out of memory: it may use 40 MiB .*\. Split/)
    return true
  })
  const source = (await store.sources.find('clinic')) ?? assert.fail()
  assert.deepEqual([source.slotCount, source.lastSync?.outcome], [2, 'failed'])
  assert.deepEqual(
    events.map(({ message }) => message),
    ['file was imported', 'import process died'],
  )
  assert.equal((await upload(csv())).outcome, 'ok')
})

test('a feed that takes all memory of its check is reported', async () => {
  await using publisher = await Publisher.open({
    '/$bulk-publish': manifest({ '/schedules': 'Schedule' }),
    '/schedules': (_request, response) =>
      void pipeline(manySchedules(), createGunzip(), response).catch(() => undefined),
  })
  const feed = { url: `${publisher.origin}/$bulk-publish`, strict: false }
  const check = checkRunner(jobs, { allowPrivate: true })(feed, never, () => {})
  await assert.rejects(check, /^Error: Cannot check .*: the check ran out of memory: it may use 40 MiB/)
})

/** So many small objects that they take far more memory than their text. */
function hugeManifest(bytes: number): string {
  const file = `{"type":"Slot","url":"/s","extension":[${'{},'.repeat(Math.floor(bytes / 3))}{}]}`
  return `{"transactionTime":"2026-03-01T00:00:00Z","output":[${file}]}`
}

test('reads a manifest in a process, and reports one that takes all its memory', async () => {
  await using publisher = await Publisher.open({
    '/$bulk-publish': manifest({ '/slots': 'Slot' }),
    '/huge': hugeManifest(2 ** 24 - 1000),
  })
  const check = manifestChecker(jobs, { allowPrivate: true })
  const { ok, files } = await check(`${publisher.origin}/$bulk-publish`)
  assert.deepEqual([ok, files.length], [true, 1])
  const huge = await check(`${publisher.origin}/huge`)
  assert.equal(huge.ok, false)
  assert.match(huge.message, /^Cannot read http.*\/huge: the check ran out of memory: it may use 40 MiB/)
})

test('refuses a further job while as many run as there is memory for', async (t) => {
  const { upload } = await importing(t)
  const rest = Promise.withResolvers<void>()
  async function* slowly() {
    yield Buffer.from(csvTemplate())
    await rest.promise
  }
  const first = upload(slowly())
  assert.equal(jobs.hasRoom, false)
  await assert.rejects(upload(csv()), /imports and checks one file or feed at a time/)
  rest.resolve()
  assert.equal((await first).outcome, 'ok')
  assert.equal(jobs.hasRoom, true)
})
