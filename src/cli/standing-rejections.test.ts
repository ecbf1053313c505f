import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openClinicFeed, slotLines } from '../../test/support/cli/clinic-feed.ts'
import { commandLine } from '../../test/support/cli/command-line.ts'

/** A source with 10 lines of slots, of which the first `invalid` have no valid status. */
async function openClinic(t: TestContext, invalid: number) {
  const { feed, publish, url } = await openClinicFeed(t, slotLines(10, invalid))
  const slots = await commandLine(t, { ALLOW_PRIVATE_SOURCES: 'true' })
  await slots.run('source', 'add', 'clinic', url)
  return { feed, publish: (invalid: number) => publish(slotLines(10, invalid)), slots }
}

test('rejections stay listed while they stand: after an unchanged feed and after a failed sync', async (t) => {
  const { feed, publish, slots } = await openClinic(t, 2)
  const listed = async () => {
    const [{ health, slots: count, rejected, lastSync }] = await slots.json('source', 'list')
    return [health, count, rejected, lastSync.outcome]
  }
  await slots.run('sync', 'clinic')
  assert.deepEqual(await listed(), ['suspicious', 8, 2, 'partial'])
  const { outcome, unchanged, read, rejected } = await slots.json('sync', 'clinic')
  assert.deepEqual([outcome, unchanged, read, rejected], ['partial', true, 10, 2])
  assert.deepEqual(await listed(), ['suspicious', 8, 2, 'partial'])
  assert.match((await slots.run('source', 'list')).out, /^clinic +suspicious +8 +2 +0 +0 +partial /m)
  const shown = (await slots.run('source', 'show', 'clinic')).out
  assert.match(
    shown,
    /^clinic is suspicious: 2 of 10 lines were rejected, one because: Cannot read the line: .*"open".*\.$/m,
  )
  assert.match(shown, /^ {2}Rejected +2$/m)
  const { '/l.ndjson': locations } = feed.files
  delete feed.files['/l.ndjson']
  assert.equal((await slots.run('sync', 'clinic')).code, 1)
  assert.deepEqual(await listed(), ['suspicious', 8, 2, 'failed'])
  assert.match((await slots.run('rejected', 'clinic')).out, /\nclinic: 2 rejected\n$/)
  feed.files['/l.ndjson'] = locations
  publish(1)
  await slots.run('sync', 'clinic')
  assert.deepEqual(await listed(), ['healthy', 9, 1, 'partial'])
})

test('a source whose lines are all rejected is suspicious from its first sync', async (t) => {
  const { slots } = await openClinic(t, 10)
  assert.equal((await slots.json('sync', 'clinic')).outcome, 'partial')
  await slots.run('sync', 'clinic')
  const { health, why, slots: count } = await slots.json('source', 'show', 'clinic')
  assert.deepEqual([health, count], ['suspicious', 0])
  assert.match(why, /^10 of 10 lines were rejected, /)
})

test('a snapshot that rejects more than half of the lines is held until it is approved', async (t) => {
  const { publish, slots } = await openClinic(t, 0)
  await slots.run('sync', 'clinic')
  publish(6)
  assert.equal((await slots.json('sync', 'clinic')).outcome, 'held')
  const held = await slots.json('source', 'show', 'clinic')
  assert.deepEqual([held.slots, held.rejected, held.held.anomalies], [10, 0, ['unreadable', 'rejected']])
  assert.match(
    held.why,
    /^More than 50 % of the lines were rejected\. 6 of 10 lines were rejected, one because: .*held until/,
  )
  await slots.run('source', 'approve', 'clinic')
  assert.equal((await slots.json('sync', 'clinic')).outcome, 'partial')
  const taken = await slots.json('source', 'show', 'clinic')
  assert.deepEqual([taken.health, taken.slots, taken.rejected], ['healthy', 4, 6])
})
