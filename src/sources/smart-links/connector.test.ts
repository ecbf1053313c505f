import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedFailure, type Publication } from '../connector.ts'
import { manifest, ndjson, type Published, Publisher } from '../publisher.test-double.ts'
import { RecordedDraft } from '../recorded-draft.test-double.ts'
import { smartLinks } from './connector.ts'

const DAY_MS = 86_400_000
const place = (id: string, name = 'Clinic') => ({
  resourceType: 'Location',
  id,
  name,
  address: { state: 'MA' },
})
const schedule = (id: string, at: string) => ({
  resourceType: 'Schedule',
  id,
  actor: [{ reference: `Location/${at}` }],
})
const slot = (id: string, more: object = {}) => ({
  resourceType: 'Slot',
  id,
  schedule: { reference: 'Schedule/s1' },
  status: 'free',
  start: '2026-03-21T10:00:00-04:00',
  end: '2026-03-21T10:15:00-04:00',
  ...more,
})

const LISTED = { '/l': 'Location', '/s': 'Schedule', '/x1': 'Slot', '/x2': 'Slot' }
const feed = (): Record<string, Published> => ({
  '/$bulk-publish': manifest(LISTED),
  '/l': ndjson(place('l1')),
  '/s': ndjson(schedule('s1', 'l1')),
  '/x1': ndjson(slot('a'), slot('b')),
  '/x2': ndjson(slot('c')),
})

/** Reads a publisher again and again, each time with what the last time left. */
class Follower {
  draft = new RecordedDraft()
  nowMs = 1_000_000
  strict = false
  readonly #publisher: Publisher
  #last: Publication | undefined

  constructor(publisher: Publisher) {
    this.#publisher = publisher
  }

  async read(signal = new AbortController().signal): Promise<Publication> {
    this.#publisher.asked()
    if (this.#last !== undefined) this.draft = this.draft.next(this.#last)
    const source = { slug: 'clinic', url: `${this.#publisher.origin}/$bulk-publish`, strict: this.strict }
    const connector = smartLinks({ allowPrivate: true, now: () => this.nowMs })
    this.#last = await connector.read(source, this.draft, signal)
    return this.#last
  }
}

const names = ({ draft }: Follower) => [
  ...new Set(draft.slots.map(({ offering }) => offering.location?.name)),
]

test('reads a feed whole at first, directory before slots', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  const publication = await follower.read()
  assert.equal(publication.unchanged, false)
  assert.equal(publication.publishedAtMs, Date.parse('2026-03-01T00:00:00Z'))
  assert.deepEqual(follower.draft.counts, { kept: 0, put: 3, withheld: 0, flushed: 1, partsKept: 0 })
  assert.deepEqual(publisher.asked(), ['/$bulk-publish 200', '/l 200', '/s 200', '/x1 200', '/x2 200'])
})

test('hands out one Offering to all slots that share it', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  await follower.read()
  const [{ offering }, ...others] = follower.draft.slots
  for (const other of others) assert.equal(other.offering, offering)
})

test('asks only whether anything has changed, and says that nothing has', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  await follower.read()
  const publication = await follower.read()
  assert.equal(publication.unchanged, true)
  assert.deepEqual(publisher.asked(), ['/$bulk-publish 304', '/l 304', '/s 304', '/x1 304', '/x2 304'])
  assert.equal((await follower.read()).unchanged, true)
})

test('notices a file that is replaced in place under the same manifest', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  await follower.read()
  publisher.files['/x1'] = ndjson(slot('b'), slot('d'))
  assert.equal((await follower.read()).unchanged, false)
  const { kept, put, partsKept } = follower.draft.counts
  assert.deepEqual([kept, put, partsKept], [1, 1, 1])
  assert.equal(follower.draft.slots.length, 3)
  assert.ok(publisher.asked().includes('/x2 304'))
})

test('reads every slot anew when a Location has changed', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  await follower.read()
  publisher.files['/l'] = ndjson(place('l1', 'Clinic East'))
  await follower.read()
  assert.deepEqual(follower.draft.counts, { kept: 0, put: 3, withheld: 0, flushed: 1, partsKept: 0 })
  assert.deepEqual(names(follower), ['Clinic East'])
  assert.equal((await follower.read()).unchanged, true)
})

test('keeps known lines when the directory was only written anew', async () => {
  await using publisher = await Publisher.open({ ...feed(), '/l': ndjson(place('l1'), place('l2')) })
  const follower = new Follower(publisher)
  await follower.read()
  publisher.files['/l'] = ndjson({ ...place('l2'), meta: { lastUpdated: 'today' } }, place('l1'))
  publisher.files['/x2'] = ndjson(slot('c'), slot('d'))
  await follower.read()
  const { kept, put, partsKept } = follower.draft.counts
  assert.deepEqual([kept, put, partsKept], [1, 1, 1])
})

test('reads a silent part after all when the directory changes while it is asked', async () => {
  let version = 0
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  // Says 304 to the conditional question, and something else to the next one.
  publisher.files['/l'] = (request, response) => {
    if (request.headers['if-none-match'] === '"fixed"') response.writeHead(304).end()
    else response.writeHead(200, { etag: '"fixed"' }).end(ndjson(place('l1', `Clinic ${version++}`)))
  }
  await follower.read()
  publisher.files['/x2'] = ndjson(slot('c'), slot('d'))
  await follower.read()
  assert.deepEqual(names(follower), ['Clinic 1'])
  assert.equal(follower.draft.counts.put, 4)
})

test('forgets the slots of a file that is no longer listed, and reads a new one', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  await follower.read()
  publisher.files['/$bulk-publish'] = manifest({ '/l': 'Location', '/s': 'Schedule', '/x2': 'Slot' })
  await follower.read()
  assert.equal(follower.draft.slots.length, 1)
  publisher.files['/$bulk-publish'] = manifest({ ...LISTED, '/x3': 'Slot' })
  publisher.files['/x3'] = ndjson(slot('z'))
  await follower.read()
  assert.equal(follower.draft.slots.length, 4)
})

test('keeps known lines when a publisher gives all files new names', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  await follower.read()
  for (const path of Object.keys(LISTED)) publisher.files[`${path}?v=2`] = publisher.files[path]
  publisher.files['/$bulk-publish'] = manifest(
    Object.fromEntries(Object.entries(LISTED).map(([path, type]) => [`${path}?v=2`, type])),
  )
  await follower.read()
  assert.deepEqual([follower.draft.counts.kept, follower.draft.counts.put], [3, 0])
})

test('takes a manifest that suddenly lists nothing for an empty publication', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  await follower.read()
  publisher.files['/$bulk-publish'] = manifest({})
  assert.equal((await follower.read()).unchanged, false)
  assert.deepEqual(follower.draft.slots, [])
  assert.equal((await follower.read()).unchanged, true)
})

test('reads everything once a day, whatever validators say', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  await follower.read()
  follower.nowMs += DAY_MS - 1
  assert.equal((await follower.read()).unchanged, true)
  follower.nowMs += 1
  assert.equal((await follower.read()).unchanged, false)
  assert.deepEqual(publisher.asked(), ['/$bulk-publish 200', '/l 200', '/s 200', '/x1 200', '/x2 200'])
  assert.equal(follower.draft.counts.kept, 3)
})

test('keeps the rejections of a silent file listed while others change', async () => {
  await using publisher = await Publisher.open({
    ...feed(),
    '/x2': ndjson(slot('c'), { bad: true }),
    '/s': `${ndjson(schedule('s1', 'l1'))}{}\n`,
  })
  const follower = new Follower(publisher)
  await follower.read()
  assert.equal(follower.draft.rejected.length, 2)
  assert.equal((await follower.read()).unchanged, true)
  publisher.files['/x1'] = ndjson(slot('a'))
  await follower.read()
  assert.deepEqual(
    follower.draft.rejected.map(({ line }) => line),
    [2, 2],
  )
  assert.equal(follower.draft.counts.kept, 2)
})

test('trusts no memory of another strictness', async () => {
  await using publisher = await Publisher.open(feed())
  publisher.files['/$bulk-publish'] = manifest(
    Object.fromEntries(Object.entries(LISTED).map(([path, type]) => [publisher.origin + path, type])),
  )
  const follower = new Follower(publisher)
  await follower.read()
  follower.strict = true
  assert.equal((await follower.read()).unchanged, false)
  assert.equal(follower.draft.counts.put, 3)
})

test('survives a memory that it did not write', async () => {
  await using publisher = await Publisher.open(feed())
  for (const memory of [null, 'x', 7, {}, { reader: 'another' }]) {
    const draft = new RecordedDraft(memory)
    const source = { slug: 'clinic', url: `${publisher.origin}/$bulk-publish`, strict: false }
    await smartLinks({ allowPrivate: true }).read(source, draft, new AbortController().signal)
    assert.equal(draft.counts.put, 3)
  }
})

test('passes on how long the publisher asks to be left alone', async () => {
  await using publisher = await Publisher.open({
    ...feed(),
    '/$bulk-publish': (_, response) =>
      response.writeHead(200, { 'cache-control': 'public, max-age=300' }).end(manifest(LISTED)),
  })
  assert.equal((await new Follower(publisher).read()).maxAgeMs, 300_000)
})

test('fails as a whole if any file does', async () => {
  for (const path of ['/$bulk-publish', ...Object.keys(LISTED)]) {
    await using publisher = await Publisher.open(feed())
    publisher.files[path] = (_, response) => response.writeHead(503, { 'retry-after': '7' }).end()
    await assert.rejects(new Follower(publisher).read(), { name: 'FeedFailure', retryAfterMs: 7000 })
  }
})

test('fails as a whole if a Slot file is cut', async () => {
  await using publisher = await Publisher.open(feed())
  publisher.files['/x2'] = (_, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write(ndjson(slot('c')))
    setTimeout(() => response.destroy(), 20)
  }
  await assert.rejects(new Follower(publisher).read(), FeedFailure)
})

test('fails if the manifest is none', async () => {
  for (const text of [
    '',
    '<html>',
    '[]',
    'null',
    '{}',
    '{"output":null}',
    '{"output":[{"type":"Slot","url":"ftp://x/"}]}',
  ]) {
    await using publisher = await Publisher.open({ '/$bulk-publish': text })
    await assert.rejects(new Follower(publisher).read(), /FeedFailure: Cannot read manifest: .* must be/)
  }
})

test('refuses private addresses unless they are allowed, also in what the manifest lists', async () => {
  await using publisher = await Publisher.open(feed())
  const source = { slug: 'clinic', url: `${publisher.origin}/$bulk-publish`, strict: false }
  const reading = smartLinks({ allowPrivate: false }).read(
    source,
    new RecordedDraft(),
    new AbortController().signal,
  )
  await assert.rejects(reading, /address must be public/)
  assert.deepEqual(publisher.asked(), [])
})

test('stops where it is when it is aborted', async () => {
  await using publisher = await Publisher.open(feed())
  const abort = new AbortController()
  publisher.files['/x2'] = (_, response) => {
    response.write(ndjson(slot('c')))
    abort.abort(new Error('enough'))
  }
  await assert.rejects(new Follower(publisher).read(abort.signal), { message: 'enough' })
})

test('rejects bad lines alone, with file, line and reason', async () => {
  const lines = [
    JSON.stringify(slot('a')),
    '',
    '{"resourceType":"Slot",',
    '[]',
    JSON.stringify({ resourceType: 'Location', id: 'l9' }),
    `{"a":"${'x'.repeat(2 ** 20)}"}`,
    `${'['.repeat(500_000)}`,
    `{"resourceType":"Slot","id":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    JSON.stringify(slot('b')),
  ]
  await using publisher = await Publisher.open({ ...feed(), '/x1': lines.join('\n') })
  const follower = new Follower(publisher)
  await follower.read()
  const { rejected, slots } = follower.draft
  assert.equal(slots.length, 3)
  assert.deepEqual(
    rejected.map(({ line }) => line),
    [3, 4, 5, 6, 7, 8],
  )
  for (const { file, reason, sample } of rejected) {
    assert.equal(file, `${publisher.origin}/x1`)
    assert.match(reason, /^Cannot read the line: .* must be/)
    assert.ok(reason.length <= 300 && sample.length > 0 && sample.length <= 500)
  }
})

test('rejects the second of two directory resources with one id, unless they are equal', async () => {
  await using publisher = await Publisher.open({
    ...feed(),
    '/l': ndjson(place('l1'), place('l1'), place('l1', 'Other')),
  })
  const follower = new Follower(publisher)
  await follower.read()
  assert.deepEqual(
    follower.draft.rejected.map(({ line }) => line),
    [3],
  )
  assert.deepEqual(names(follower), ['Clinic'])
})

test('writes out about every 2,000 lines', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => slot(`many-${at}`))
  await using publisher = await Publisher.open({ ...feed(), '/x1': ndjson(...many) })
  const follower = new Follower(publisher)
  await follower.read()
  const { put, flushed } = follower.draft.counts
  assert.equal(put, 10_001)
  assert.ok(flushed >= 4 && flushed <= 7, String(flushed))
})
