import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bulkFeed, deletionOf, next } from '../../test/support/validator/bulk-feed.ts'
import { checkPlanted, rulesOf } from '../../test/support/validator/check-planted.ts'
import { exitCodeOf } from './report.ts'

test('finds no problems in a valid feed of several pages and counts the latest versions', async () => {
  const report = await checkPlanted(bulkFeed())
  assert.deepEqual(report.findings, [])
  const { slots, served, rejected, withheld, superseded } = report.lines
  assert.deepEqual(
    { slots, served, rejected, withheld, superseded },
    { slots: 5, served: 3, rejected: 0, withheld: 0, superseded: 2 },
  )
  assert.deepEqual(report.served.byStatus, { free: 1, busy: 2, 'busy-unavailable': 0, 'busy-tentative': 0 })
  assert.equal(report.fileCount, 9)
})

test('fails for a page that comes twice, and with `strict` for a warning on a later page', async () => {
  const feed = bulkFeed()
  const { pages } = feed
  pages.set('update', { ...pages.get('update'), link: next('#closed') })
  const closed = await checkPlanted(feed)
  assert.deepEqual([rulesOf(closed), exitCodeOf(closed)], [['manifest-closed'], 0])
  assert.equal(exitCodeOf({ ...closed, strict: true }), 1)
  pages.set('update', { ...pages.get('update'), link: next('ORIGIN/page2') })
  const cyclic = await checkPlanted(feed)
  assert.match(cyclic.unreadable ?? '', /its pages must not lead back to/)
  assert.equal(exitCodeOf(cyclic), 2)
})

test('expects neither `request` nor `error` of a manifest of Bulk Publish 4', async () => {
  const feed = bulkFeed()
  const { output } = feed.pages.get('page2') ?? {}
  feed.manifest.output.push(...output)
  delete feed.manifest.link
  assert.deepEqual(rulesOf(await checkPlanted(feed)), [])
})

test('counts a resource that a page lists again after its deletion', async () => {
  const feed = bulkFeed()
  const { output, ...common } = feed.pages.get('update') ?? {}
  feed.pages.set('update', { ...common, output, link: next('ORIGIN/update2') })
  feed.pages.set('update2', { ...common, output: [{ ...output[0], url: 'ORIGIN/again.ndjson' }], deleted: [] })
  feed.more.set('again', [feed.resource('Slot', 3)])
  const report = await checkPlanted(feed)
  assert.deepEqual(rulesOf(report), [])
  assert.deepEqual([report.lines.served, report.lines.superseded], [4, 2])
})

test('rejects slots whose Schedule a page deletes', async () => {
  const feed = bulkFeed()
  feed.more.get('deleted')?.push(deletionOf('Schedule/s2'))
  const report = await checkPlanted(feed)
  assert.ok(rulesOf(report).includes('slot-schedule-dangling'))
  assert.deepEqual([report.lines.served, report.lines.rejected], [2, 1])
})

test('takes the latest version of a Location', async () => {
  const feed = bulkFeed()
  const { address } = feed.resource('Location')
  const moved = {
    ...feed.resource('Location'),
    address: { ...address, city: 'Concord', state: 'NH', postalCode: '03301' },
  }
  feed.more.set('moved', [moved])
  feed.pages.get('update')?.output.push({ type: 'Location', url: 'ORIGIN/moved.ndjson', count: 1 })
  const report = await checkPlanted(feed)
  assert.deepEqual(report.served.byState, { NH: 3, MA: 1 })
  assert.deepEqual(rulesOf(report), [])
})
