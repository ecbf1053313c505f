import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startPublisher } from '../../demo/publisher.ts'
import { type NaiveSlot, naiveSelect, naiveSlots } from '../support/naive-feed.ts'
import { RunningService } from '../support/running-service.ts'
import { ROOT } from '../support/source-files.ts'
import { Visitors } from './visitors.ts'

// A page of another origin reads the open feed as any web site can: by fetch(), without a server of its own.

const FINDER = readFileSync(join(ROOT, 'test/browser/finder.html'))

const kept = new AsyncDisposableStack()
let feedUrl: string
let offered: NaiveSlot[]
let visitors: Visitors
let finder: Page
/** Of all requests of the page that needed one: the headers that it asked for. */
const preflights: string[] = []
const encodings = new Set<string | undefined>()

before(async () => {
  const nowMs = Date.now()
  const publisher = await startPublisher({ port: 0, slots: 3000, seed: 7, clock: () => nowMs })
  kept.defer(() => publisher.close())
  offered = await naiveSlots(publisher.url, 'sample')
  const service = kept.use(await RunningService.prepare())
  Object.assign(service.env, { OPEN_FEED: 'true', WORKERS: '1' })
  await service.run('source', 'add', 'sample', publisher.url)
  await service.run('sync', 'sample')
  await service.serve()
  feedUrl = `${service.home}/fhir/$bulk-publish`
  const site = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(FINDER))
  await once(site.listen(0, '127.0.0.1'), 'listening')
  kept.defer(() => {
    site.close()
    site.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  visitors = kept.use(await Visitors.to(origin, service.home))
  finder = await visitors.newcomer()
  await watch(finder)
  await finder.goto(`/?feed=${encodeURIComponent(feedUrl)}`)
})

afterEach(() => visitors.assertNoComplaints())

after(() => kept.disposeAsync())

/** Sees preflights, which Playwright hides. */
async function watch(page: Page): Promise<void> {
  page.on('response', async (response) => encodings.add(response.headers()['content-encoding']))
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ request: { method, headers } }) => {
    if (method === 'OPTIONS') preflights.push(headers['Access-Control-Request-Headers'] ?? '')
  })
}

/** What the page can read of a response, with these headers by name. */
function askInPage(url: string, headers: Record<string, string> = {}, read: readonly string[] = []): Promise<Answer> {
  return finder.evaluate(
    async ({ url, headers, read }) => {
      const response = await fetch(url, { headers })
      return {
        status: response.status,
        text: await response.text(),
        read: Object.fromEntries(read.map((name) => [name, response.headers.get(name)])),
      }
    },
    { url, headers, read },
  )
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly read: Readonly<Record<string, string | null>>
}

async function largestFile(): Promise<{ url: string; fileSize: number }> {
  const { output } = JSON.parse((await askInPage(feedUrl)).text)
  return output.toSorted((a: { fileSize: number }, b: { fileSize: number }) => b.fileSize - a.fileSize)[0]
}

test('a page of another origin lists exactly the free slots that the publisher offers', async () => {
  const expected = naiveSelect(offered, { status: 'free' })
  await finder.getByText(`${expected.length} slots`).waitFor()
  const items = await finder.locator('li').evaluateAll((all) => all.map(({ dataset }) => dataset.id))
  assert.deepEqual(
    items,
    expected.map(({ id }) => id),
  )
  assert.doesNotMatch(await finder.locator('ol').innerText(), /undefined/)
  assert.deepEqual(preflights, [], 'a plain read needs no preflight')
  assert.ok(['zstd', 'br', 'gzip'].some((coding) => encodings.has(coding)))
})

test('it reads the entity tags, and gets 304 while nothing has changed', async () => {
  preflights.length = 0
  const { url } = await largestFile()
  for (const each of [feedUrl, url]) {
    const first = await askInPage(each, {}, ['ETag', 'Slots-Revision', 'X-Request-Id'])
    assert.equal(first.status, 200)
    for (const [name, value] of Object.entries(first.read)) assert.ok(value, `${name} of ${each}`)
    const again = await askInPage(each, { 'If-None-Match': String(first.read.ETag) }, ['ETag'])
    assert.deepEqual([again.status, again.text, again.read.ETag], [304, '', first.read.ETag])
  }
  assert.deepEqual([...new Set(preflights)], ['if-none-match'])
})

test('it reads a range of a file, and goes on from there if the file is the same', async () => {
  preflights.length = 0
  const { url, fileSize } = await largestFile()
  const { text: whole } = await askInPage(url)
  const bytes = Buffer.from(whole)
  assert.equal(bytes.length, fileSize)
  // The browser has the compressed copy, whose bytes are others. It would count a suffix range from the end of that.
  const from = `bytes=${fileSize - 300}-`
  const last = await askInPage(url, { Range: from }, ['Content-Range', 'Accept-Ranges', 'ETag'])
  assert.deepEqual([last.status, last.text], [206, bytes.subarray(-300).toString()])
  assert.equal(last.read['Content-Range'], `bytes ${fileSize - 300}-${fileSize - 1}/${fileSize}`)
  assert.equal(last.read['Accept-Ranges'], 'bytes')
  const resumed = { Range: 'bytes=10-19', 'If-Range': String(last.read.ETag) }
  const next = await askInPage(url, resumed, ['Content-Range'])
  assert.deepEqual([next.status, next.text], [206, bytes.subarray(10, 20).toString()])
  const other = await askInPage(url, { ...resumed, 'If-Range': '"other"' })
  assert.deepEqual([other.status, other.text], [200, whole])
  const beyond = await askInPage(url, { Range: `bytes=${fileSize}-` }, ['Content-Range'])
  assert.deepEqual([beyond.status, beyond.read['Content-Range']], [416, `bytes */${fileSize}`])
  assert.ok(preflights.includes('if-range'), preflights.join(' '))
})

test('it follows the chain of updates, and reads the CapabilityStatement and the catalog', async () => {
  const { link } = JSON.parse((await askInPage(feedUrl)).text)
  const page = await askInPage(link[0].url, { Accept: 'application/fhir+json' }, ['ETag'])
  assert.deepEqual([page.status, JSON.parse(page.text).link[0].url], [200, '#pending'])
  assert.equal((await askInPage(link[0].url, { 'If-None-Match': String(page.read.ETag) })).status, 304)
  for (const path of ['/fhir/metadata', '/.well-known/api-catalog']) {
    const found = await askInPage(new URL(path, feedUrl).href, {}, ['ETag'])
    assert.deepEqual([found.status, typeof JSON.parse(found.text)], [200, 'object'])
    const again = await askInPage(new URL(path, feedUrl).href, { 'If-None-Match': String(found.read.ETag) })
    assert.equal(again.status, 304, path)
  }
})

const LIMIT_HEADERS = ['Retry-After', 'RateLimit', 'RateLimit-Policy']

test('it reads why a request fails, and when it may try again', async () => {
  const gone = await askInPage(new URL('/fhir/Slot-ZZ~1.1~0000.ndjson', feedUrl).href)
  assert.deepEqual([gone.status, JSON.parse(gone.text).resourceType], [410, 'OperationOutcome'])
  let isLimited = false
  const others = Array.from({ length: 10 }, async () => {
    while (!isLimited) await fetch(feedUrl, { method: 'HEAD' })
  })
  // Another address, of which the browser has no copy. A token may come back before it asks.
  const instantOf = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()
  const ask = (n: number) => askInPage(`${feedUrl}?_since=${instantOf(n)}`, {}, LIMIT_HEADERS)
  let limited: Answer
  try {
    limited = await ask(0)
    for (let n = 1; limited.status !== 429; n++) limited = await ask(n)
  } finally {
    isLimited = true
    await Promise.all(others)
  }
  assert.deepEqual([limited.status, JSON.parse(limited.text).issue[0].code], [429, 'throttled'])
  assert.match(String(limited.read['Retry-After']), /^[1-9]\d*$/)
  assert.match(String(limited.read.RateLimit), /address-requests/)
  assert.match(String(limited.read['RateLimit-Policy']), /address-requests/)
})
