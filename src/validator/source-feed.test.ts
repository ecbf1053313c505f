import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Publisher } from '../../test/support/feeds/publisher.ts'
import { NOW_MS, PlantedFeed } from '../../test/support/validator/planted-feed.ts'
import type { Source } from '../feeds/connector.ts'
import type { CheckProgress } from '../shared/contract/feed-checks.ts'
import { checkSourceFeed } from './source-feed.ts'

const signal = () => AbortSignal.timeout(120_000)
const SECRET = 'swordfish-and/or "trout"'
const reach = { allowPrivate: true, sourceSecrets: { SOURCE_KEY: SECRET } }
const KEY = '$' + '{SOURCE_KEY}'
const options = { headers: { 'X-Api-Key': `Key ${KEY}` }, query: { token: KEY } }

function sourceOf(url: string, more: Partial<Source> = {}): Source {
  return { slug: 'guarded', format: 'smart-links', url, options, strict: false, ...more }
}

/** Requires the header and the parameter, and repeats both wherever possible. */
async function guardedPublisher(): Promise<Publisher> {
  const feed = new PlantedFeed('stu1')
  feed.resource('Slot').comment = [SECRET]
  feed.resource('Location').status = SECRET
  feed.resource('Location').name = `Elm ${SECRET}`
  feed.manifest.transactionTime = SECRET
  feed.manifest.output.at(-1).url = `ORIGIN/Slot.ndjson?echo=${encodeURIComponent(SECRET)}`
  const publisher = await Publisher.open({})
  for (const [name, content] of feed.toFiles(publisher.origin)) {
    const query = new URLSearchParams([['token', SECRET]]).toString()
    const path = name === 'Slot.ndjson' ? `${name}?echo=${encodeURIComponent(SECRET)}&` : `${name}?`
    publisher.files[`/${path}${query}`] = (request, response) => {
      const isKnown = request.headers['x-api-key'] === `Key ${SECRET}`
      response.writeHead(isKnown ? 200 : 401, { etag: `"${SECRET}"`, 'content-type': SECRET })
      response.end(isKnown ? content : '')
    }
  }
  return publisher
}

test('sends the headers and parameters of the source, and keeps its secrets out of the report', async () => {
  await using publisher = await guardedPublisher()
  const progressReports: CheckProgress[] = []
  const report = await checkSourceFeed(sourceOf(`${publisher.origin}/$bulk-publish`), reach, {
    signal: signal(),
    clock: () => NOW_MS,
    onProgress: (progress) => progressReports.push(progress),
  })
  assert.equal(report.unreadable, undefined)
  assert.equal(report.lines.served, 3)
  const text = JSON.stringify([report, progressReports])
  assert.match(text, /\[secret\]/)
  assert.doesNotMatch(text, /swordfish|trout/)
})

test('uses the strictness of the source', async () => {
  await using publisher = await guardedPublisher()
  const source = sourceOf(`${publisher.origin}/$bulk-publish`, { strict: true })
  const { strict } = await checkSourceFeed(source, reach, { signal: signal() })
  assert.equal(strict, true)
})

test('reports a missing secret and rejects sources without files', async () => {
  const source = sourceOf('https://publisher.example/$bulk-publish')
  const without = { allowPrivate: true, sourceSecrets: {} }
  await assert.rejects(
    checkSourceFeed(source, without, { signal: signal() }),
    /^FeedFailure: Cannot read the feed: SOURCE_KEY must be set/,
  )
  for (const format of ['fhir-search', 'files'] as const)
    await assert.rejects(
      checkSourceFeed({ ...source, format }, reach, { signal: signal() }),
      /^FeedFailure: Cannot check guarded: /,
    )
})

test('counts test data as served if the source serves it', async () => {
  const feed = new PlantedFeed('stu1')
  feed.resource('Slot').meta = { tag: [{ code: 'HTEST' }] }
  await using publisher = await Publisher.open({})
  for (const [name, content] of feed.toFiles(publisher.origin)) publisher.files[`/${name}`] = String(content)
  const linesOf = async (options: Source['options']) => {
    const source = sourceOf(`${publisher.origin}/$bulk-publish`, { options })
    const { lines } = await checkSourceFeed(source, reach, { signal: signal() })
    return [lines.served, lines.withheld]
  }
  assert.deepEqual(await linesOf({}), [2, 1])
  assert.deepEqual(await linesOf({ serveTestData: true }), [3, 0])
})
