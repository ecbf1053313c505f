import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bundle, entryOf, FhirServer, outcome, sendJson } from '../../../test/support/feeds/fhir-server.ts'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import { clinic, place, Searcher, schedule, slot } from '../../../test/support/feeds/searcher.ts'
import { FeedFailure } from '../connector.ts'
import { fhirSearch } from './connector.ts'

/** Answers searches of Slots, by the number of the question from 1. */
function onSlots(
  server: FhirServer,
  answer: (response: ServerResponse, nth: number, request: IncomingMessage) => void,
) {
  let nth = 0
  server.intercept = (request, response) => {
    if (request.url?.startsWith('/fhir/Slot') !== true) return false
    answer(response, ++nth, request)
    return true
  }
}

const fails = (searcher: Searcher, reason: RegExp) =>
  assert.rejects(searcher.read(), (error) => {
    assert.ok(error instanceof FeedFailure, String(error))
    assert.match(error.message, reason)
    return true
  })

test('fails as a whole if a page in the middle does', async () => {
  for (const breakOff of [
    (response: ServerResponse) => sendJson(response, 500, outcome('fatal', 'database is gone')),
    (response: ServerResponse) => sendJson(response, 410, {}),
    (response: ServerResponse) => sendJson(response, 200, outcome('error', 'the page has expired')),
    (response: ServerResponse) =>
      response.writeHead(200, { 'content-length': 5000 }).end('{"resourceType"', () => response.destroy()),
    (response: ServerResponse) => response.writeHead(200).end('{"resourceType":"Bundle","entry":[{"resource":{'),
    (response: ServerResponse) => response.writeHead(200).end(''),
    (response: ServerResponse) => sendJson(response, 200, []),
    (response: ServerResponse) => sendJson(response, 200, { resourceType: 'Slot' }),
    (response: ServerResponse) =>
      sendJson(response, 200, { resourceType: 'Bundle', link: [{ relation: 'next', url: 'ftp://x/' }] }),
    (response: ServerResponse) => sendJson(response, 200, { resourceType: 'Bundle', link: [{ relation: 'next' }] }),
  ]) {
    await using server = await FhirServer.open(clinic(30))
    server.abilities.pageMax = 10
    server.intercept = (request, response) => {
      if (request.url?.includes('offset=10') !== true) return false
      breakOff(response)
      return true
    }
    await fails(new Searcher(server.base), /^Cannot read http.*\/fhir\/Slot\?.*: /)
  }
})

test('quotes the error message of a server', async () => {
  await using server = await FhirServer.open(clinic(1))
  onSlots(server, (response) => sendJson(response, 500, outcome('fatal', 'database is gone')))
  await fails(new Searcher(server.base), /: status must be 200: got "500" \(database is gone\)$/)
})

test('rejects an HTML page of any status and type', async () => {
  await using server = await FhirServer.open(clinic(1))
  onSlots(server, (response) =>
    response.writeHead(200, { 'content-type': 'application/fhir+json' }).end('\ufeff <!DOCTYPE html><p>Sign in'),
  )
  await fails(new Searcher(server.base), /it must be a JSON object: got "<!DOCTYPE html><p>Sign in"/)
  server.intercept = (_, response) => void response.end('<html>') === undefined
  await fails(new Searcher(server.base), /\/fhir\/metadata: it must be a JSON object: got "<html>"/)
})

test('reads a bundle of any content type, also compressed', async () => {
  await using server = await FhirServer.open([])
  const page = JSON.stringify(bundle([entryOf(schedule('s1')), entryOf(slot(1))]))
  onSlots(server, (response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync(page)),
  )
  const searcher = await Searcher.afterRead(server.base)
  assert.equal(searcher.draft.slots.length, 1)
})

test('fails on endless paging', async () => {
  const never: readonly (readonly [RegExp, (server: FhirServer, nth: number) => object])[] = [
    [
      /link "next" leads back to a page/,
      (server, nth) => bundle([entryOf(slot(nth))], `${server.base}/Slot?page=${nth % 3}`),
    ],
    [
      /the server returned the same page twice/,
      (server, nth) => bundle([entryOf(slot(1))], `${server.base}/Slot?page=${nth}`),
    ],
    [/at most 100 pages must be empty in a row/, (server, nth) => bundle([], `${server.base}/Slot?page=${nth}`)],
    [
      /at most 100 pages must be empty in a row/,
      (server, nth) => bundle([entryOf(schedule(`s${nth}`), 'include')], `${server.base}/Slot?page=${nth}`),
    ],
  ]
  for (const [reason, page] of never) {
    await using server = await FhirServer.open([schedule('s1')])
    onSlots(server, (response, nth) => sendJson(response, 200, page(server, nth)))
    await fails(new Searcher(server.base), reason)
    assert.ok(server.log.length < 110)
  }
})

test('stops an endless search when aborted', async () => {
  await using server = await FhirServer.open([schedule('s1')])
  const abort = new AbortController()
  onSlots(server, (response, nth) => {
    if (nth === 20) abort.abort(new Error('enough'))
    sendJson(response, 200, bundle([entryOf(slot(nth))], `${server.base}/Slot?page=${nth}`))
  })
  await assert.rejects(new Searcher(server.base).read(abort.signal), { message: 'enough' })
})

test('refuses private addresses, by IP or name, for pages and tokens', async () => {
  await using server = await FhirServer.open(clinic(1))
  const connector = fhirSearch({
    allowPrivate: false,
    resolve: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  })
  for (const url of [server.base, server.base.replace('127.0.0.1', 'clinic.example')]) {
    const source = { slug: 'clinic', format: 'fhir-search', url, options: {}, strict: false } as const
    const reading = connector.read(source, new RecordedDraft(), new AbortController().signal)
    await assert.rejects(reading, /address must be public: got "127\.0\.0\.1"/)
  }
  const authorization = {
    kind: 'client-credentials',
    tokenUrl: server.origin.replace('http', 'https'),
    clientId: 'us',
    clientSecret: 'x',
  } as const
  const source = {
    slug: 'clinic',
    format: 'fhir-search',
    url: 'https://clinic.example/',
    strict: false,
  } as const
  const reading = connector.read(
    { ...source, options: { authorization } },
    new RecordedDraft(),
    new AbortController().signal,
  )
  await assert.rejects(reading, /Cannot read https:\/\/127\.0\.0\.1:\d+\/: .*address must be public/)
  assert.deepEqual(server.asked(), [])
})

test('fails on a page that is too large without buffering it', { timeout: 60_000 }, async () => {
  await using server = await FhirServer.open([])
  onSlots(server, (response) => {
    response.writeHead(200).write('{"resourceType":"Bundle","entry":[')
    const filler = Buffer.from(`{"resource":{"resourceType":"Device","note":"${'x'.repeat(1000)}"}},`.repeat(1000))
    const more = () => {
      while (response.write(filler));
      response.once('drain', more)
    }
    more()
  })
  await fails(new Searcher(server.base), /body must be at most 67108864 bytes/)
})

test('fails on input designed to exhaust memory', async () => {
  for (const [page, reason] of [
    [
      `{"resourceType":"Bundle","x":[${'1,'.repeat(2 ** 20)}1]}`,
      /the document must have at most 1048576 bytes outside "entry"/,
    ],
    [
      `{"resourceType":"Bundle","entry":[${'{"resource":{"resourceType":"Slot"}},'.repeat(200_001)}{}]}`,
      /a page must have at most 200000 entries/,
    ],
  ] as const) {
    await using server = await FhirServer.open([])
    onSlots(server, (response) => response.writeHead(200).end(page))
    await fails(new Searcher(server.base), reason)
  }
})

test('rejects deeply nested entries and handles names such as __proto__', async () => {
  await using server = await FhirServer.open([])
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  const proto = '{"resource":{"resourceType":"Slot","__proto__":{"status":"free"},"id":"x"}}'
  const page = `{"__proto__":{"a":1},"resourceType":"Bundle","entry":[${deep},${'['.repeat(200_000)}${']'.repeat(200_000)},${proto}]}`
  onSlots(server, (response) => response.writeHead(200).end(page))
  const searcher = await Searcher.afterRead(server.base)
  assert.deepEqual([searcher.draft.slots, searcher.draft.rejected.map(({ line }) => line)], [[], [1, 2, 3]])
})

test('waits for a short Retry-After and fails on a long one', async () => {
  await using server = await FhirServer.open(clinic(1))
  let patience = '7'
  let refusals = 3
  server.intercept = (_, response) => {
    if (refusals-- <= 0) return false
    response.writeHead(refusals % 2 === 0 ? 429 : 503, { 'retry-after': patience }).end()
    return true
  }
  const searcher = await Searcher.afterRead(server.base)
  assert.deepEqual([searcher.waitedMs, searcher.draft.slots.length], [[7000, 7000, 7000], 1])
  for (const [seconds, times, waits] of [
    ['61', 1, 0],
    ['0', 6, 5],
    ['60', 9, 5],
  ] as const) {
    ;[patience, refusals] = [seconds, times]
    const other = new Searcher(server.base)
    await assert.rejects(other.read(), { name: 'FeedFailure', retryAfterMs: Number(seconds) * 1000 })
    assert.equal(other.waitedMs.length, waits, seconds)
    assert.ok(other.waitedMs.every((ms) => ms >= 1000))
  }
})

test('waits at most five minutes per sync', async () => {
  await using server = await FhirServer.open(clinic(20))
  server.abilities.pageMax = 1
  let isThrottled = false
  server.intercept = (_, response) => {
    isThrottled = !isThrottled
    if (isThrottled) response.writeHead(429, { 'retry-after': '60' }).end()
    return isThrottled
  }
  const searcher = new Searcher(server.base)
  await assert.rejects(searcher.read(), { name: 'FeedFailure', retryAfterMs: 60_000 })
  assert.equal(searcher.waitedMs.length, 5)
})

test('fails at once on 503 without Retry-After', async () => {
  await using server = await FhirServer.open(clinic(1))
  onSlots(server, (response) => response.writeHead(503).end())
  const searcher = new Searcher(server.base)
  await fails(searcher, /got "503"/)
  assert.deepEqual(searcher.waitedMs, [])
})

test('ignores included resources that slots do not use', async () => {
  await using server = await FhirServer.open([])
  const page = bundle([
    entryOf(slot(1)),
    entryOf(schedule('s1', 'Device/d', 'Location/l1', 'Location/gone')),
    entryOf(place('l1'), 'include'),
  ])
  onSlots(server, (response) => sendJson(response, 200, page))
  const searcher = await Searcher.afterRead(server.base)
  assert.equal(searcher.draft.slots[0].offering.location?.name, 'Harbor Clinic')
  assert.deepEqual(searcher.draft.rejected, [])
})
