import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPublisher } from '../../demo/publisher.ts'
import { checkFeed } from './check-feed.ts'
import { webFeed } from './web-feed.ts'

test('finds no problems in the feed of the demo', async (t) => {
  const nowMs = Date.parse('2026-06-01T12:00:00Z')
  const publisher = await startPublisher({ port: 0, slots: 3000, seed: 7, clock: () => nowMs })
  t.after(() => publisher.close())
  const feed = webFeed(publisher.url, { allowPrivate: true }, AbortSignal.timeout(60_000))
  const report = await checkFeed(feed, { clock: () => nowMs })
  assert.deepEqual(report.findings, [])
  assert.equal(report.generation, 'stu1')
  assert.ok(report.lines.served >= 3000)
})
