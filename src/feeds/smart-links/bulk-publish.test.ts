import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest, ndjson, type Published, Publisher } from '../../../test/support/feeds/publisher.ts'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import {
  BULK,
  Follower,
  feed,
  LISTED,
  placesOf,
  slot,
  sourceAt,
} from '../../../test/support/feeds/smart-links-reader.ts'
import { smartLinks } from './connector.ts'

const hour = (at: number) => ({ start: `2026-03-21T${at}:00:00Z`, end: `2026-03-21T${at}:15:00Z` })
const deletions = (...urls: string[]) =>
  ndjson({
    resourceType: 'Bundle',
    type: 'transaction',
    entry: urls.map((url) => ({ request: { method: 'DELETE', url } })),
  })
const servedBy = (follower: Follower) =>
  follower.draft.slots.map(({ status, start }) => `${status} ${start.slice(11, 13)}`).sort()

async function open(files: Record<string, Published>, more: object = {}, listed: Record<string, string> = LISTED) {
  const publisher = await Publisher.open({
    ...feed(),
    '/$bulk-publish': manifest(listed, { ...BULK, ...more }),
    ...files,
  })
  return { publisher, follower: new Follower(publisher), [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose]() }
}

test('leaves out what a root deletes, after its output', async () => {
  await using opened = await open(
    {
      '/x1': ndjson(slot('a', hour(10)), slot('b', hour(11))),
      '/x2': ndjson(slot('c', hour(12))),
      '/gone': deletions('Slot/a', 'Organization/b', 'Slot/c/_history/2'),
    },
    { deleted: [{ url: '/gone' }] },
  )
  await opened.follower.read()
  assert.deepEqual(servedBy(opened.follower), ['free 11'])
})

test('fails on deletions that are not understood', async () => {
  for (const line of ['{', '{"resourceType":"Slot"}', deletions('Slot?identifier=x'), deletions('a'), '[]']) {
    await using opened = await open({ '/gone': line }, { deleted: [{ url: '/gone' }] })
    await assert.rejects(opened.follower.read(), {
      name: 'FeedFailure',
      message: /^Cannot read deletions of \S+\/gone, line 1: /,
    })
  }
})

test('keeps the latest version of a type and id, by manifest order', async () => {
  await using opened = await open({
    '/x1': ndjson(slot('a', hour(10)), slot('b', hour(11)), slot('b', { ...hour(11), status: 'busy' })),
    '/x2': ndjson(slot('a', hour(12))),
  })
  await opened.follower.read()
  assert.deepEqual(servedBy(opened.follower), ['busy 11', 'free 12'])
  assert.deepEqual(opened.follower.draft.rejected, [])
})

test('keeps slots with the same id in a feed of an older generation', async () => {
  await using publisher = await Publisher.open({
    ...feed(),
    '/x1': ndjson(slot('a', hour(10))),
    '/x2': ndjson(slot('a', hour(12))),
  })
  const follower = await Follower.afterRead(publisher)
  assert.deepEqual(servedBy(follower), ['free 10', 'free 12'])
})

test('requests nothing but the manifest while it is unchanged, and each file once', async () => {
  await using opened = await open({})
  await opened.follower.read()
  const asked = opened.publisher.asked()
  assert.deepEqual(asked, [...new Set(asked)])
  assert.equal((await opened.follower.read()).unchanged, true)
  assert.deepEqual(opened.publisher.asked(), ['/$bulk-publish 304'])
})

test('requests all pages, and reads again if one of them changed', async () => {
  const link = [{ relation: 'next', url: '/2' }]
  await using opened = await open(
    { '/2': manifest({ '/x2': 'Slot' }, BULK) },
    { link },
    { '/l': 'Location', '/s': 'Schedule' },
  )
  await opened.follower.read()
  assert.equal((await opened.follower.read()).unchanged, true)
  assert.deepEqual(opened.publisher.asked(), ['/$bulk-publish 304', '/2 304'])
  opened.publisher.files['/2'] = manifest({ '/x1': 'Slot' }, BULK)
  assert.equal((await opened.follower.read()).unchanged, false)
  assert.equal(opened.follower.draft.slots.length, 2)
})

test('says that the manifest changed while its files were read', async () => {
  await using opened = await open({})
  const { publisher, follower } = opened
  publisher.files['/x1'] = (_, response) => {
    publisher.files['/$bulk-publish'] = manifest({ ...LISTED, '/x3': 'Slot' }, BULK)
    response.end(ndjson(slot('a')))
  }
  assert.equal((await follower.read()).isMixed, true)
})

test('notices that files of an older generation were replaced while they were read', async () => {
  await using publisher = await Publisher.open(feed())
  publisher.files['/x1'] = (_, response) => {
    publisher.files['/$bulk-publish'] = manifest(LISTED, { transactionTime: '2026-03-02T00:00:00Z' })
    response.end(ndjson(slot('a')))
  }
  assert.equal((await new Follower(publisher).read()).isMixed, true)
})

test('accepts a manifest whose publisher limits how often it is requested', async () => {
  for (const [more, allowed] of [
    [{}, 1],
    [BULK, 1],
    [BULK, 2],
  ] as const) {
    await using publisher = await Publisher.open(feed())
    let requests = 0
    publisher.files['/$bulk-publish'] = (_, response) => {
      if (requests++ >= allowed) response.writeHead(429, { 'retry-after': '60' }).end()
      else response.end(manifest(LISTED, { ...more, transactionTime: `2026-03-01T00:00:0${requests}Z` }))
    }
    const follower = new Follower(publisher)
    assert.equal((await follower.read()).isMixed, false)
    assert.equal(follower.draft.slots.length, 3)
    assert.equal(requests, allowed + 1)
  }
})

test('accepts a manifest that differs in every response', async () => {
  let now = 0
  await using publisher = await Publisher.open({
    ...feed(),
    '/$bulk-publish': (_, response) => {
      const transactionTime = new Date(Date.UTC(2026, 2, 1) + 1000 * now++).toISOString()
      const signed = Object.fromEntries(
        Object.entries(LISTED).map(([path, type]) => [`${path}?signature=${now}`, type]),
      )
      response.end(manifest(signed, { transactionTime }))
    },
  })
  for (const at of [1, 2, 3])
    for (const path of Object.keys(LISTED)) publisher.files[`${path}?signature=${at}`] = publisher.files[path] ?? ''
  const follower = await Follower.afterRead(publisher)
  assert.deepEqual(placesOf(follower), ['Clinic'])
})

test('sends no access token to files that need none', async () => {
  for (const [more, token] of [
    [{ requiresAccessToken: false }, undefined],
    [{}, 'Bearer x'],
  ] as const) {
    const tokens: (string | undefined)[] = []
    const files = Object.fromEntries(
      Object.entries(feed()).map(([path, body]): [string, Published] => [
        path,
        (request, response) => {
          if (path !== '/$bulk-publish')
            tokens.push(request.headers.authorization, request.headers['x-client'] as string)
          else assert.equal(request.headers.authorization, 'Bearer x')
          response.end(path === '/$bulk-publish' ? manifest(LISTED, more) : body)
        },
      ]),
    )
    await using publisher = await Publisher.open(files)
    const source = { ...sourceAt(publisher), options: { headers: { Authorization: 'Bearer x', 'X-Client': 'us' } } }
    await smartLinks({ allowPrivate: true }).read(source, new RecordedDraft(), AbortSignal.timeout(60_000))
    assert.deepEqual([...new Set(tokens)], [token, 'us'])
  }
})

test('reports a file with fewer resources than the manifest says', async () => {
  const output = Object.entries(LISTED).map(([url, type]) => ({ type, url, count: type === 'Slot' ? 2 : 1 }))
  await using opened = await open({}, { output })
  const { messages = [] } = await opened.follower.read()
  assert.deepEqual(
    messages.map(({ severity, text }) => [severity, text.replace(/^\S+(\/x2)/, '$1')]),
    [['warning', '/x2 has 1 resources; the manifest says 2']],
  )
})

test('passes on the cadence and what outcome files report', async () => {
  const issue = [{ severity: 'warning', code: 'incomplete', diagnostics: 'Two clinics are missing' }]
  await using opened = await open(
    { '/o': ndjson({ resourceType: 'OperationOutcome', issue }, 'no JSON object') },
    {
      updateCadence: 'PT30M',
      outcome: [
        { type: 'OperationOutcome', url: '/o' },
        { type: 'OperationOutcome', url: '/missing' },
      ],
    },
  )
  const { updateCadenceMs, messages = [] } = await opened.follower.read()
  assert.equal(updateCadenceMs, 30 * 60_000)
  assert.deepEqual(
    messages.map(({ severity }) => severity),
    ['warning', 'warning'],
  )
  assert.match(messages[0]?.text ?? '', /Two clinics are missing/)
  assert.match(messages[1]?.text ?? '', /Cannot read \S+\/missing: status must be 200/)
})
