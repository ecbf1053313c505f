import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { manifest, ndjson, type Published, Publisher } from '../../../test/support/feeds/publisher.ts'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import { feed, place, slot } from '../../../test/support/feeds/smart-links-reader.ts'
import { FeedFailure, type Source } from '../connector.ts'
import type { SourceOptions } from '../source-options.ts'
import { smartLinks } from './connector.ts'

const SECRET = 'k3y & more'
const REFERENCE = '$' + '{SOURCE_KEY}'
const QUERY = 'key=k3y+%26+more'

async function read(url: string, options: SourceOptions, draft = new RecordedDraft()) {
  const source: Source = { slug: 'clinic', format: 'smart-links', url, options, strict: false }
  const sourceSecrets = { SOURCE_KEY: SECRET }
  const connector = smartLinks({ allowPrivate: true, sourceSecrets, now: () => 1_000_000 })
  return { draft, publication: await connector.read(source, draft, new AbortController().signal) }
}

/** The feed, each file of which needs this header or parameter. */
function locked(isOpen: (request: IncomingMessage) => boolean): Record<string, Published> {
  const entries = Object.entries(feed()).flatMap(([path, text]) => {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      if (isOpen(request)) response.end(text)
      else response.writeHead(401).end()
    }
    return [path, `${path}?${QUERY}`].map((each) => [each, answer] as const)
  })
  return Object.fromEntries(entries)
}

test('sends headers with the manifest and each of its files', async () => {
  await using publisher = await Publisher.open(locked((request) => request.headers['x-api-key'] === SECRET))
  const url = `${publisher.origin}/$bulk-publish`
  const { draft } = await read(url, { headers: { 'X-Api-Key': REFERENCE } })
  assert.equal(draft.slots.length, 3)
  await assert.rejects(read(url, {}), /got "401"/)
})

test('adds parameters to the manifest and each of its files without showing them', async () => {
  await using publisher = await Publisher.open(locked((request) => request.url?.endsWith(`?${QUERY}`) === true))
  publisher.files[`/x2?${QUERY}`] = '{"id":"c","comment":"k3y & more"}'
  // A publisher may repeat it in what it lists.
  publisher.files[`/$bulk-publish?${QUERY}`] = manifest({
    '/l': 'Location',
    [`/s?${QUERY}`]: 'Schedule',
    '/x1?key=k3y%20%26%20more': 'Slot',
    '/x2': 'Slot',
  })
  const { draft, publication } = await read(`${publisher.origin}/$bulk-publish`, {
    query: { key: REFERENCE },
  })
  assert.equal(draft.slots.length, 2)
  const told = JSON.stringify([publication, draft.rejected, [...draft.held.values()].map(({ origin }) => origin)])
  assert.ok(!told.includes('k3y'), told)
  assert.deepEqual(
    draft.rejected.map(({ file, sample }) => [file, sample]),
    [[`${publisher.origin}/x2`, '{"id":"c","comment":"[secret]"}']],
  )
})

test('sends neither to another origin, through a link or a redirect', async () => {
  const heads: IncomingMessage['headers'][] = []
  const answer = (text: string) => (request: IncomingMessage, response: ServerResponse) => {
    heads.push(request.headers)
    response.end(text)
  }
  await using other = await Publisher.open({
    '/l': answer(ndjson(place('l1'))),
    '/x': answer(ndjson(slot('z'))),
  })
  await using publisher = await Publisher.open(feed())
  const listed = { [`${other.origin}/l`]: 'Location', '/s': 'Schedule', '/x1': 'Slot' }
  publisher.files[`/$bulk-publish?${QUERY}`] = manifest(listed)
  publisher.files[`/s?${QUERY}`] = feed()['/s']
  publisher.files[`/x1?${QUERY}`] = (request, response) =>
    response.writeHead(302, { location: `${other.origin}/x?${request.url?.split('?')[1]}` }).end()
  const options = { headers: { authorization: `Basic ${REFERENCE}` }, query: { key: REFERENCE } }
  const { draft } = await read(`${publisher.origin}/$bulk-publish`, options)
  assert.equal(draft.slots.length, 1)
  assert.deepEqual(other.asked(), ['/l 200', '/x 200'])
  assert.ok(heads.every(({ authorization }) => authorization === undefined))
})

test('keeps secrets out of errors', async () => {
  await using publisher = await Publisher.open({})
  const failing = read(`${publisher.origin}/$bulk-publish`, { query: { key: REFERENCE } })
  await assert.rejects(failing, (error) => {
    assert.ok(error instanceof FeedFailure)
    assert.equal(error.message, `Cannot read ${publisher.origin}/$bulk-publish: status must be 200: got "404"`)
    assert.equal(error.cause, undefined)
    return true
  })
  publisher.files[`/$bulk-publish?${QUERY}`] = `"${SECRET}"`
  await assert.rejects(read(`${publisher.origin}/$bulk-publish`, { query: { key: REFERENCE } }), /got "\[secret\]"/)
})

test('reads everything again when the request options change', async () => {
  await using publisher = await Publisher.open({ ...feed() })
  const url = `${publisher.origin}/$bulk-publish`
  const first = await read(url, { headers: { a: '1' } })
  const again = await read(url, { headers: { a: '1' } }, first.draft.next(first.publication))
  assert.equal(again.publication.unchanged, true)
  const other = await read(url, { headers: { a: '2' } }, first.draft.next(first.publication))
  assert.equal(other.publication.unchanged, false)
})

test('requests up to four Slot files at once', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `/many-${n}`)
  let [open, openMax] = [0, 0]
  const answer = (name: string) => (_: IncomingMessage, response: ServerResponse) => {
    openMax = Math.max(openMax, ++open)
    setTimeout(() => {
      open--
      response.end(ndjson(slot(name)))
    }, 20)
  }
  const files = Object.fromEntries(names.map((name) => [name, answer(name)]))
  const listed = {
    '/l': 'Location',
    '/s': 'Schedule',
    ...Object.fromEntries(names.map((name) => [name, 'Slot'])),
  }
  await using publisher = await Publisher.open({ ...feed(), ...files, '/$bulk-publish': manifest(listed) })
  const { draft } = await read(`${publisher.origin}/$bulk-publish`, {})
  assert.equal(draft.slots.length, 8)
  assert.equal(openMax, 4)
})

test('keeps the first of two equal slots in file order', async () => {
  await using publisher = await Publisher.open(feed())
  publisher.files['/x1'] = (_, response) =>
    void setTimeout(() => response.end(ndjson(slot('twin', { comment: 'first' }))), 30)
  publisher.files['/x2'] = ndjson(slot('twin', { comment: 'second' }))
  const { draft } = await read(`${publisher.origin}/$bulk-publish`, {})
  assert.deepEqual(
    [...draft.held.values()].map(({ origin }) => new URL(origin.file).pathname),
    ['/x1'],
  )
  assert.equal(draft.rejected.length, 1)
})
