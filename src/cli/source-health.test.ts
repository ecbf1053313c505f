import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClinicFeed, slotLines } from '../../test/support/cli/clinic-feed.ts'
import { commandLine } from '../../test/support/cli/command-line.ts'

test('a held snapshot is listed, approved and then imported', async (t) => {
  const slots = await commandLine(t, { ALLOW_PRIVATE_SOURCES: 'true' })
  const { publish, url } = await openClinicFeed(t, slotLines(12))
  await slots.run('source', 'add', 'clinic', url)
  await slots.run('sync', 'clinic')
  const good = await slots.json('source', 'show', 'clinic')
  assert.deepEqual([good.health, good.slots, good.held, good.events], ['healthy', 12, undefined, []])
  for (const time of ['lastCheckedAt', 'publishedAt', 'changedAt']) assert.ok(Date.parse(good[time]) > 0, time)
  publish('')
  const held = await slots.run('sync', 'clinic')
  assert.match(held.out, /^clinic +held +0 +0 +0 +12 .*\nReview a held snapshot: .* source show clinic$/m)
  const shown = await slots.json('source', 'show', 'clinic')
  const { before, after, anomalies, approved } = shown.held
  assert.deepEqual([shown.health, shown.slots], ['suspicious', 12])
  assert.deepEqual([before, after, anomalies, approved], [12, 0, ['emptied'], false])
  const { out } = await slots.run('source', 'show', 'clinic')
  assert.match(out, /^clinic is suspicious: It had 12 slots and now has none\. The snapshot is held until/)
  assert.match(out, /Held since .*: 0 slots, 12 served \(emptied\)\n.*source approve clinic/)
  assert.match((await slots.run('source', 'list')).out, /^clinic +suspicious +12 /m)
  const late = await slots.run('source', 'approve', 'clinic', '--since', '2026-01-05T08:00:00Z')
  assert.equal(late.code, 1)
  assert.match(late.err, /it is no longer the one that was reviewed/)
  const copied = /source approve (clinic --since \S+)/.exec(out)?.[1].split(' ') ?? assert.fail()
  assert.equal((await slots.json('source', 'approve', ...copied)).held.approved, true)
  assert.equal((await slots.json('source', 'approve', 'clinic', '--withdraw')).held.approved, false)
  const again = await slots.run('source', 'approve', 'clinic', '--withdraw')
  assert.deepEqual([again.code, again.out], [1, ''])
  assert.match(again.err, /^Cannot withdraw approval: clinic has no approval that is not used yet/)
  await slots.run('source', 'approve', 'clinic')
  assert.equal((await slots.json('sync', 'clinic')).outcome, 'ok')
  const taken = await slots.json('source', 'show', 'clinic')
  assert.deepEqual([taken.health, taken.slots, taken.held], ['healthy', 0, undefined])
})

test('the operator configures which anomalies hold a snapshot', async (t) => {
  const slots = await commandLine(t)
  await slots.run('source', 'add', 'clinic', 'https://clinic.example/')
  assert.equal((await slots.json('source', 'hold', 'clinic', 'suspicious')).hold, 'suspicious')
  const { code, err } = await slots.run('source', 'hold', 'clinic', 'everything')
  assert.deepEqual([code, /must be one of nothing, extreme, suspicious: got "everything"/.test(err)], [2, true])
})

test('every command reports an unknown source', async (t) => {
  const slots = await commandLine(t)
  for (const args of [['show'], ['approve'], ['hold', 'nothing']]) {
    const { code, err } = await slots.run('source', args[0], 'none', ...args.slice(1))
    assert.equal(code, 1)
    assert.match(err, /no source has the slug "none"/)
  }
})

test('a paused source is not synced until it is resumed, and the log records both', async (t) => {
  const slots = await commandLine(t, { ALLOW_PRIVATE_SOURCES: 'true' })
  const { url } = await openClinicFeed(t, slotLines(12))
  await slots.run('source', 'add', 'clinic', url)
  const paused = await slots.run('source', 'pause', 'clinic')
  assert.match(paused.out, /^Paused\. Its slots stay served/)
  assert.match((await slots.run('source', 'list')).out, /^clinic +paused .* paused +auto /m)
  assert.deepEqual(await slots.json('sync'), [])
  await slots.run('source', 'resume', 'clinic')
  assert.equal((await slots.json('sync'))[0].outcome, 'ok')
  const kinds = (await slots.json('source', 'log', 'clinic')).map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(kinds, ['resumed', 'paused', 'added'])
  const unknown = await slots.run('source', 'pause', 'nobody')
  assert.deepEqual([unknown.code, unknown.out], [1, ''])
  assert.match(unknown.err, /^Cannot pause source: no source has the slug "nobody"/)
})
