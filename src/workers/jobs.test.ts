import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlantedFeed } from '../../test/support/validator/planted-feed.ts'
import { checkRunner } from './jobs.ts'

const never = new AbortController().signal

test('checks a feed in a thread, and reports progress', async () => {
  const feed = new PlantedFeed('stu1')
  feed.resource('Slot').status = 'open'
  await using publisher = await feed.publish()
  const url = `${publisher.origin}/$bulk-publish`
  const seen: number[] = []
  const report = await checkRunner({ allowPrivate: true })({ url, strict: false }, never, ({ reading }) =>
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
    checkRunner({ allowPrivate: true, secrets })({ url, strict: false, source }, new AbortController().signal, () => {})
  assert.equal((await check({ SOURCE_KEY: 'swordfish' })).unreadable, undefined)
  await assert.rejects(check({}), /Cannot check .*: Cannot read the feed: SOURCE_KEY must be set/)
})

test('does not access private addresses unless allowed', async () => {
  await using publisher = await new PlantedFeed('stu1').publish()
  const url = `${publisher.origin}/$bulk-publish`
  const report = await checkRunner({ allowPrivate: false })({ url, strict: false }, never, () => {})
  assert.match(report.unreadable ?? '', /public/)
  assert.deepEqual(publisher.asked(), [])
})

test('returns the findings so far when it is stopped, takes too long or reads too much', async () => {
  await using publisher = await new PlantedFeed('stu1').publish()
  const whole = publisher.files['/Slot.ndjson']
  publisher.files['/Slot.ndjson'] = () => {} // Never responds.
  const feed = { url: `${publisher.origin}/$bulk-publish`, strict: false }
  const stopping = new AbortController()
  const stopped = checkRunner({ allowPrivate: true })(feed, stopping.signal, () =>
    stopping.abort(new Error('it was stopped')),
  )
  assert.equal((await stopped).stopped, 'it was stopped')
  const late = await checkRunner({ allowPrivate: true, wholeMs: 2000 })(feed, never, () => {})
  assert.match(late.stopped ?? '', /a check takes at most/)
  assert.ok(late.lines.directory > 0)
  if (whole !== undefined) publisher.files['/Slot.ndjson'] = whole
  const large = await checkRunner({ allowPrivate: true, bytesMax: 500 })(feed, never, () => {})
  assert.match(large.stopped ?? '', /at most 500 bytes/)
})
