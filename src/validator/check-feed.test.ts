import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Publisher } from '../../test/support/feeds/publisher.ts'
import { checkPlanted, checkUrl, rulesOf } from '../../test/support/validator/check-planted.ts'
import { NOW_MS, PlantedFeed } from '../../test/support/validator/planted-feed.ts'
import { verdictOf } from '../shared/check-report-labels.ts'
import { checkFeed } from './check-feed.ts'
import { exitCodeOf } from './report.ts'
import { HTTP_RULES, type HttpSubject } from './rules/http-rules.ts'
import { MANIFEST_RULES } from './rules/manifest-rules.ts'
import { webFeed } from './web-feed.ts'

/** A feed with `count` copies of one invalid slot. */
function wrongSlots(count: number): PlantedFeed {
  const feed = new PlantedFeed('stu1')
  feed.texts.set('Slot', (text) => `${text.split('\n', 1)[0]?.replace('free', 'open')}\n`.repeat(count))
  return feed
}

test('counts all findings and keeps the first ones of each rule', async () => {
  const report = await checkPlanted(wrongSlots(20_000), { examplesMax: 3 })
  const found = report.findings.find(({ rule }) => rule === 'slot-status')
  assert.deepEqual([found?.count, found?.examples.length], [20_000, 3])
  assert.deepEqual(
    found?.examples.map(({ line }) => line),
    [1, 2, 3],
  )
  assert.equal(report.lines.rejected, 20_000)
  assert.ok(JSON.stringify(report).length < 20_000)
})

test('counts the served slots by status, state and service mode', async () => {
  const { served, samples } = await checkPlanted(new PlantedFeed('stu1'))
  assert.deepEqual(served.byStatus, { free: 2, busy: 1, 'busy-unavailable': 0, 'busy-tentative': 0 })
  assert.deepEqual(served.byState, { MA: 3, NH: 1 })
  assert.deepEqual([served.inPerson, served.virtual, served.both, served.ended], [2, 1, 0, 0])
  assert.deepEqual([served.firstStart, served.lastEnd], ['2026-06-10T10:00:00-04:00', '2026-06-10T12:20:00-04:00'])
  assert.equal(samples.length, 3)
  assert.deepEqual(Object.keys(samples[0] as object).slice(0, 4), ['id', 'status', 'start', 'end'])
})

test('counts a slot as not free that is published as both, in any order', async () => {
  const feed = new PlantedFeed('stu1')
  const [free, busy] = [feed.resource('Slot'), feed.resource('Slot', 1)]
  feed.files.Slot?.push({ ...free }, { ...free, status: 'busy' }, { ...free }, { ...busy, status: 'free' })
  const { served, lines, findings } = await checkPlanted(feed)
  assert.deepEqual([served.byStatus.free, served.byStatus.busy, lines.rejected], [1, 2, 4])
  const counts = findings.map(({ rule, count }) => [rule, count])
  assert.deepEqual(Object.fromEntries(counts), {
    'slot-contradictory': 3,
    'slot-published-twice': 1,
    'slot-id-repeated': 4,
  })
})

test('reports what was read when the byte limit is reached or the signal aborts', async () => {
  const cut = await checkPlanted(wrongSlots(20_000), { bytesMax: 100_000 })
  assert.match(cut.stopped ?? '', /at most 100000 bytes/)
  assert.ok(cut.lines.slots > 0 && cut.lines.slots < 20_000)
  const controller = new AbortController()
  const onProgress = () => controller.abort(new Error('it was stopped'))
  const aborted = await checkPlanted(wrongSlots(20_000), { signal: controller.signal, onProgress })
  assert.equal(aborted.stopped, 'it was stopped')
})

test('does not pass a feed that was not read completely', async () => {
  const cut = await checkPlanted(new PlantedFeed('stu1'), { bytesMax: 500 })
  assert.deepEqual([cut.counts.error, exitCodeOf(cut)], [0, 2])
  assert.match(verdictOf(cut), /^The check ended early, with no error so far: a check reads at most 500 bytes/)
})

test('reports when there are too many slots to detect duplicates', async () => {
  assert.deepEqual(rulesOf(await checkPlanted(new PlantedFeed('stu1'), { idsMax: 3 })), [])
  const feed = new PlantedFeed('stu1')
  feed.files.Slot?.push(feed.resource('Slot'), feed.resource('Slot', 2))
  const beyond = await checkPlanted(feed, { idsMax: 2 })
  const twice = ['slot-published-twice', 'slot-id-repeated', 'feed-ids-beyond']
  assert.deepEqual([rulesOf(beyond), beyond.lines.served], [twice, 4])
})

test('explains a response that is not a manifest', async () => {
  for (const [text, expected] of [
    ['{"resourceType":"CapabilityStatement"}', /; the response is a CapabilityStatement: add FHIR servers/],
    ['<!doctype html><title>Sign in</title>', /must be JSON: .*: this is an HTML page$/],
  ] as const) {
    const feed = new PlantedFeed('stu1')
    feed.texts.set('manifest', () => text)
    assert.match((await checkPlanted(feed)).unreadable ?? '', expected)
  }
})

test('reports its progress', async () => {
  const seen: { reading: number; readings: number; lines: number }[] = []
  await checkPlanted(new PlantedFeed('stu1'), {
    onProgress: (progress: (typeof seen)[number]) => seen.push(progress),
  })
  assert.deepEqual([seen.at(-1)?.reading, seen.at(-1)?.readings], [6, 6])
  assert.equal(seen.at(-1)?.lines, 10)
})

test('reports a feed that cannot be fetched as unreadable', async () => {
  await using publisher = await Publisher.open({})
  const report = await checkUrl(`${publisher.origin}/$bulk-publish`)
  assert.match(report.unreadable ?? '', /status must be 200: got "404"/)
  assert.deepEqual(rulesOf(report), ['manifest-unreadable'])
})

test('rejects private addresses unless allowed, and shows no password', async () => {
  await using publisher = await new PlantedFeed('stu1').publish()
  const url = `${publisher.origin.replace('http://', 'http://user:hunter2@')}/$bulk-publish`
  const refused = await checkFeed(webFeed(url, { allowPrivate: false }, AbortSignal.timeout(120_000)))
  assert.match(refused.unreadable ?? '', /public/)
  const read = await checkUrl(url)
  assert.equal(read.lines.served, 3)
  assert.ok(!JSON.stringify([refused, read]).includes('hunter2'))
})

test('reports a manifest whose request differs from its URL', () => {
  const rule = MANIFEST_RULES.find(({ id }) => id === 'manifest-request-elsewhere')
  const at = (url: string, request: unknown) =>
    rule?.find({ manifest: { request }, root: { request }, url: new URL(url), isBulkPublish: false, nowMs: NOW_MS })
  const own = 'https://publisher.example/feed/$bulk-publish'
  assert.equal(at(own, own), undefined)
  assert.equal(at(own, 'https://PUBLISHER.example/feed/%24bulk-publish/?x=1'), undefined)
  assert.equal(at('http://127.0.0.1:80/feed', own), undefined)
  assert.equal(
    at(own, 'https://other.example/feed/$bulk-publish'),
    'request: got "https://other.example/feed/$bulk-publish"',
  )
})

test('requires https and compression except on the same machine', () => {
  const over = (url: string, bytes = 100_000, headers = {}): HttpSubject => ({
    role: 'file',
    requested: new URL(url),
    url: new URL(url),
    headers: { 'content-type': 'application/fhir+ndjson', etag: '"1"', ...headers },
    bytes,
  })
  const violatedBy = (subject: HttpSubject) =>
    HTTP_RULES.filter((rule) => rule.find(subject) !== undefined).map(({ id }) => id)
  assert.deepEqual(violatedBy(over('http://publisher.example/a')), ['http-gzip', 'http-secure'])
  assert.deepEqual(violatedBy(over('https://publisher.example/a')), ['http-gzip'])
  assert.deepEqual(violatedBy(over('https://publisher.example/a', 100_000, { 'content-encoding': 'gzip' })), [])
  assert.deepEqual(violatedBy(over('https://publisher.example/a', 1000)), [])
  for (const url of ['http://127.0.0.1:80/a', 'http://localhost/a', 'http://[::1]/a'])
    assert.deepEqual(violatedBy(over(url)), [], url)
})
