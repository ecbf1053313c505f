import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest, ndjson, type Published, Publisher } from '../../../test/support/feeds/publisher.ts'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import {
  Follower,
  feed,
  LISTED,
  place,
  placesOf,
  schedule,
  slot,
  sourceAt,
} from '../../../test/support/feeds/smart-links-reader.ts'
import { DAY_MS } from '../../lib/time.ts'
import { smartLinks } from './connector.ts'

/** The requests of a read of all files. */
const WHOLE = ['/$bulk-publish 200', '/l 200', '/s 200', '/x1 200', '/x2 200']

test('first reads all files, directory before slots', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  const publication = await follower.read()
  assert.equal(publication.unchanged, false)
  assert.equal(publication.publishedAtMs, Date.parse('2026-03-01T00:00:00Z'))
  assert.deepEqual(follower.draft.counts, { kept: 0, put: 3, withheld: 0, flushed: 1, partsKept: 0 })
  assert.deepEqual(publisher.asked(), [...WHOLE, '/$bulk-publish 304'])
})

test('shares one Offering between equal slots', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = await Follower.afterRead(publisher)
  const [{ offering }, ...others] = follower.draft.slots
  for (const other of others) assert.equal(other.offering, offering)
})

test('sends conditional requests and reports an unchanged feed', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = await Follower.afterRead(publisher)
  const publication = await follower.read()
  assert.equal(publication.unchanged, true)
  assert.equal(follower.draft.isRecalled, false)
  assert.deepEqual(publisher.asked(), ['/$bulk-publish 304', '/l 304', '/s 304', '/x1 304', '/x2 304'])
  assert.equal((await follower.read()).unchanged, true)
})

test('reads a file that was modified twice in the second of its first read', async () => {
  await using publisher = await Publisher.open(feed())
  const modified = 'Sat, 21 Mar 2026 10:00:00 GMT'
  let [lines, date] = [ndjson(slot('c')), modified]
  publisher.files['/x2'] = (request, response) => {
    const isSame = request.headers['if-modified-since'] === modified
    response.writeHead(isSame ? 304 : 200, { date, 'last-modified': modified }).end(isSame ? '' : lines)
  }
  const follower = new Follower(publisher)
  await follower.read()
  ;[lines, date] = [ndjson(slot('c', { status: 'busy' })), 'Sat, 21 Mar 2026 10:01:00 GMT']
  await follower.read()
  assert.equal(follower.draft.slots.find(({ status }) => status === 'busy')?.status, 'busy')
  assert.equal((await follower.read()).unchanged, true)
})

test('requests an immutable file once a day at most, and each file once in a sync', async () => {
  const files = feed()
  await using publisher = await Publisher.open({ '/$bulk-publish': files['/$bulk-publish'] ?? '' })
  const serve = (path: string, text: Published | undefined, cache: string) => {
    publisher.files[path] = (_, response) => response.writeHead(200, { 'cache-control': cache }).end(text)
  }
  for (const path of Object.keys(LISTED)) serve(path, files[path], 'public, max-age=31536000, immutable')
  const follower = await Follower.afterRead(publisher)
  assert.equal((await follower.read()).unchanged, true)
  assert.deepEqual(publisher.asked(), ['/$bulk-publish 304'])
  for (const path of Object.keys(LISTED)) serve(path, files[path], 'public')
  follower.nowMs += DAY_MS
  await follower.read()
  await follower.read()
  assert.deepEqual(publisher.asked(), [
    '/$bulk-publish 304',
    '/l 200',
    '/s 200',
    '/x1 200',
    '/x2 200',
    '/$bulk-publish 304',
  ])
  assert.equal(follower.draft.slots.length, 3)
})

test('detects a replaced file under an unchanged manifest', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = await Follower.afterRead(publisher)
  publisher.files['/x1'] = ndjson(slot('b'), slot('d'))
  assert.equal((await follower.read()).unchanged, false)
  const { kept, put, partsKept } = follower.draft.counts
  assert.deepEqual([kept, put, partsKept], [1, 1, 1])
  assert.equal(follower.draft.slots.length, 3)
  assert.ok(publisher.asked().includes('/x2 304'))
})

test('reads every slot again when a Location has changed', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = await Follower.afterRead(publisher)
  publisher.files['/l'] = ndjson(place('l1', 'Clinic East'))
  await follower.read()
  assert.deepEqual(follower.draft.counts, { kept: 0, put: 3, withheld: 0, flushed: 1, partsKept: 0 })
  assert.deepEqual(placesOf(follower), ['Clinic East'])
  assert.equal((await follower.read()).unchanged, true)
})

test('keeps known lines when the directory was only reordered', async () => {
  await using publisher = await Publisher.open({ ...feed(), '/l': ndjson(place('l1'), place('l2')) })
  const follower = await Follower.afterRead(publisher)
  publisher.files['/l'] = ndjson({ ...place('l2'), meta: { lastUpdated: 'today' } }, place('l1'))
  publisher.files['/x2'] = ndjson(slot('c'), slot('d'))
  await follower.read()
  const { kept, put, partsKept } = follower.draft.counts
  assert.deepEqual([kept, put, partsKept], [1, 1, 1])
})

test('reads an unchanged file again when the directory changes during the sync', async () => {
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
  assert.deepEqual(placesOf(follower), ['Clinic 1'])
  assert.equal(follower.draft.counts.put, 4)
})

test('drops the slots of an unlisted file and reads a new one', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = await Follower.afterRead(publisher)
  publisher.files['/$bulk-publish'] = manifest({ '/l': 'Location', '/s': 'Schedule', '/x2': 'Slot' })
  await follower.read()
  assert.equal(follower.draft.slots.length, 1)
  publisher.files['/$bulk-publish'] = manifest({ ...LISTED, '/x3': 'Slot' })
  publisher.files['/x3'] = ndjson(slot('z'))
  await follower.read()
  assert.equal(follower.draft.slots.length, 4)
})

test('keeps known lines when all files are renamed', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = await Follower.afterRead(publisher)
  for (const path of Object.keys(LISTED)) publisher.files[`${path}?v=2`] = publisher.files[path]
  publisher.files['/$bulk-publish'] = manifest(
    Object.fromEntries(Object.entries(LISTED).map(([path, type]) => [`${path}?v=2`, type])),
  )
  await follower.read()
  assert.deepEqual([follower.draft.counts.kept, follower.draft.counts.put], [3, 0])
})

test('reads an empty manifest as an empty publication', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = await Follower.afterRead(publisher)
  publisher.files['/$bulk-publish'] = manifest({})
  assert.equal((await follower.read()).unchanged, false)
  assert.deepEqual(follower.draft.slots, [])
  assert.equal((await follower.read()).unchanged, true)
})

test('reads everything once a day regardless of validators', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = await Follower.afterRead(publisher)
  follower.nowMs += DAY_MS - 1
  assert.equal((await follower.read()).unchanged, true)
  follower.nowMs += 1
  assert.equal((await follower.read()).unchanged, false)
  assert.deepEqual(publisher.asked(), [...WHOLE, '/$bulk-publish 304'])
  assert.equal(follower.draft.counts.kept, 3)
})

test('keeps the rejections of an unchanged file while others change', async () => {
  await using publisher = await Publisher.open({
    ...feed(),
    '/x2': ndjson(slot('c'), { bad: true }),
    '/s': `${ndjson(schedule('s1', 'l1'))}{}\n`,
  })
  const follower = await Follower.afterRead(publisher)
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

test('reads an unchanged file once more if the state of an older version does not count its lines', async () => {
  await using publisher = await Publisher.open(feed())
  const follower = new Follower(publisher)
  const { files } = (await follower.read()).state as { files: { slots?: number; withheld?: number }[] }
  for (const file of files) {
    delete file.slots
    delete file.withheld
  }
  const countKept = async (id: string) => {
    publisher.files['/x2'] = ndjson(slot(id))
    await follower.read()
    const { kept, put, partsKept } = follower.draft.counts
    return { kept, put, partsKept }
  }
  assert.deepEqual(await countKept('d'), { kept: 2, put: 1, partsKept: 0 })
  assert.deepEqual(await countKept('e'), { kept: 0, put: 1, partsKept: 1 })
})

test('ignores the connector state of another strictness', async () => {
  await using publisher = await Publisher.open(feed())
  publisher.files['/$bulk-publish'] = manifest(
    Object.fromEntries(Object.entries(LISTED).map(([path, type]) => [publisher.origin + path, type])),
  )
  const follower = await Follower.afterRead(publisher)
  follower.strict = true
  assert.equal((await follower.read()).unchanged, false)
  assert.equal(follower.draft.counts.put, 3)
})

test('ignores unknown connector state', async () => {
  await using publisher = await Publisher.open(feed())
  for (const memory of [null, 'x', 7, {}, { reader: 'another' }]) {
    const draft = new RecordedDraft(memory)
    await smartLinks({ allowPrivate: true }).read(sourceAt(publisher), draft, new AbortController().signal)
    assert.equal(draft.counts.put, 3)
  }
})
