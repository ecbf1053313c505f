import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { AlertsBed } from '../../../test/support/alerts/alerts-harness.ts'
import { isSigned } from '../../../test/support/alerts/webhook-receiver.ts'
import { PostOffice } from '../../../test/support/mail/smtp-server.ts'
import { storeBehind } from '../../../test/support/store/unavailable-store.ts'
import { MINUTE_MS } from '../../lib/time.ts'

test('tells of a source once its trouble has lasted, with a signature that holds', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  await bed.set(
    'clinic',
    'failing',
    'The last 3 syncs failed: Cannot read https://a.example/x?key=s3cret: status 500',
  )
  bed.pass(4.9)
  await node.look()
  assert.deepEqual(bed.told, [])
  bed.pass(0.1)
  await node.look()
  const [hook] = bed.receiver.received
  assert.deepEqual(hook.body, {
    type: 'sources.health',
    timestamp: '2026-01-05T08:05:00.000Z',
    data: {
      service: 'https://slots.example/',
      changes: [
        {
          source: 'clinic',
          health: 'failing',
          before: 'healthy',
          since: '2026-01-05T08:00:00.000Z',
          why: 'The last 3 syncs failed: Cannot read https://a.example/x?…: status 500',
          allClear: false,
        },
      ],
    },
  })
  assert.ok(isSigned(hook))
  assert.equal(hook.headers['webhook-timestamp'], String(bed.nowMs / 1000))
  assert.match(String(hook.headers['webhook-id']), /^msg_[\w-]{36}$/)
  assert.ok(!isSigned({ ...hook, text: `${hook.text} ` }))
})

test('tells each change once, and an all-clear once it is healthy for as long', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  const passAndLook = async (minutes: number) => {
    bed.pass(minutes)
    await node.look()
    await node.look()
  }
  await bed.set('clinic', 'failing')
  await passAndLook(5)
  await passAndLook(60)
  await bed.set('clinic', 'suspicious')
  await passAndLook(5)
  await bed.set('clinic', 'healthy')
  await passAndLook(4)
  assert.equal(bed.told.length, 2)
  await passAndLook(1)
  await passAndLook(60)
  assert.deepEqual(bed.told, [
    ['clinic: healthy > failing'],
    ['clinic: failing > suspicious'],
    ['clinic: suspicious > healthy'],
  ])
  assert.equal(bed.receiver.received[2].body.data.changes[0].allClear, true)
  assert.deepEqual(bed.events, [])
})

test('says nothing of what comes and goes, nor of sources that are paused, new or well', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  await bed.set('paused', 'paused')
  await bed.set('well', 'healthy')
  await bed.store.sources.add({ slug: 'new', url: 'https://new.example.org/', strict: false })
  for (let turn = 0; turn < 10; turn++) {
    await bed.set('flapping', turn % 2 === 0 ? 'failing' : 'healthy')
    bed.pass(3)
    await node.look()
  }
  assert.deepEqual(bed.told, [])
})

test('a source that is paused keeps its alert until it is healthy, or removed', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  await bed.set('a', 'failing')
  await bed.set('b', 'stale')
  bed.pass(30)
  await node.look()
  await bed.set('a', 'paused')
  bed.pass(60)
  await node.look()
  await bed.set('a', 'healthy')
  await bed.store.sources.remove('b')
  bed.pass(6)
  await node.look()
  assert.deepEqual(bed.told, [
    ['a: healthy > failing', 'b: healthy > stale'],
    ['a: failing > healthy', 'b: stale > removed'],
  ])
})

test('gathers a storm: the first at once, then all that came within five minutes', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  for (let minute = 0; minute < 5; minute++) {
    await bed.set(`early-${minute}`, 'failing')
    bed.pass(1)
  }
  await node.look()
  for (let minute = 0; minute < 5; minute++) {
    bed.pass(1)
    await node.look()
  }
  assert.deepEqual(
    bed.told.map((changes) => changes.length),
    [1, 4],
  )
})

test('of several nodes that look at once, one tells and one sends', async (t) => {
  const bed = await AlertsBed.open(t)
  const nodes = await Promise.all([bed.node(), bed.node(), bed.node()])
  for (let turn = 0; turn < 5; turn++) {
    await bed.set('clinic', turn % 2 === 0 ? 'failing' : 'healthy')
    bed.pass(5)
    await Promise.all(nodes.map((node) => node.look()))
    await Promise.all(nodes.map((node) => node.look()))
    assert.equal(bed.told.length, turn + 1)
  }
})

test('what a killed node had begun to send, another sends after the pause, with the same id', async (t) => {
  const bed = await AlertsBed.open(t)
  bed.receiver.answer = () => undefined
  await bed.set('clinic', 'failing')
  bed.pass(5)
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../../test/support/alerts/alerts-child.ts')],
    {
      env: {
        ...process.env,
        BED: JSON.stringify({ databaseUrl: bed.databaseUrl, webhook: bed.webhook, nowMs: bed.nowMs }),
      },
      stdio: 'ignore',
    },
  )
  const ended = once(child, 'exit')
  t.after(() => child.kill('SIGKILL'))
  await bed.receiver.whenReceived(1)
  child.kill('SIGKILL')
  await ended
  bed.receiver.answer = (response) => response.writeHead(200).end()
  const node = await bed.node()
  bed.nowMs += MINUTE_MS - 1
  await node.look()
  assert.equal(bed.told.length, 1)
  bed.nowMs += 1
  await node.look()
  bed.pass(60)
  await node.look()
  assert.equal(bed.told.length, 2)
  const ids = bed.receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(ids[0], ids[1])
})

test('tries again with growing pauses, in order, and gives up aloud after a day', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  const startMs = bed.nowMs
  bed.receiver.answer = (response) => response.writeHead(503).end()
  await bed.set('a', 'failing')
  bed.pass(5)
  const minutes: number[] = []
  for (let minute = 5; minute < 60; minute++) {
    const before = bed.told.length
    await node.look()
    if (bed.told.length > before) minutes.push(minute)
    if (minute === 10) await bed.set('b', 'failing')
    bed.pass(1)
  }
  assert.deepEqual(minutes, [5, 6, 8, 13, 23, 38, 53])
  assert.ok(bed.told.every(([first]) => first.startsWith('a:')))
  bed.nowMs = startMs + 24 * 60 * MINUTE_MS
  await node.look()
  assert.equal(bed.events.at(-1)?.message, 'alert could not be sent')
  bed.pass(15)
  await node.look()
  const { level, message, fields } = bed.events.at(-1) ?? assert.fail()
  assert.deepEqual([level, message, fields.sources], ['error', 'alert was given up', ['a: failing']])
  assert.match(String(fields.error), /answer must be 2xx: got "503"/)
  assert.doesNotMatch(JSON.stringify(bed.events), /s3cret/)
  bed.receiver.answer = (response) => response.writeHead(200).end()
  await node.look()
  assert.deepEqual(bed.told.at(-1), ['b: healthy > failing'])
})

test('gives up at once what the receiver will never have, and goes on with the next', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  bed.receiver.answer = (response) => response.writeHead(422).end()
  await bed.set('a', 'failing')
  bed.pass(5)
  await node.look()
  assert.equal(bed.events.at(-1)?.message, 'alert was given up')
  bed.receiver.answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end()
  await bed.set('b', 'failing')
  bed.pass(5)
  await node.look()
  assert.equal(bed.told.length, 2)
  assert.match(String(bed.events.at(-1)?.fields.error), /got "302"/)
})

test('each address gets one mail of many, whatever becomes of the others', async (t) => {
  const bed = await AlertsBed.open(t)
  let isFull = false
  const office = await PostOffice.open(t, () => isFull)
  const emails = ['ada@example.org', 'bob@example.org']
  const node = await bed.node({ emails, webhook: bed.webhook }, { smtpUrl: office.smtpUrl })
  bed.receiver.answer = (response) => response.destroy()
  for (let n = 0; n < 30; n++)
    await bed.set(`clinic-${n}`, 'failing', `Reason <${n}>. See https://user:s3cret@a.example/`)
  bed.pass(5)
  await node.look()
  assert.deepEqual(office.mails.map(({ to }) => to).toSorted(), [['ada@example.org'], ['bob@example.org']])
  const { subject, whole } = await office.mailTo('bob@example.org')
  assert.equal(subject, '30 sources in trouble')
  assert.match(
    whole,
    /clinic-7 has been failing since 2026-01-05 08:00\. Reason <7>\. See https:\/\/a\.example\//,
  )
  assert.doesNotMatch(whole, /s3cret/)
  await bed.set('clinic-0', 'healthy')
  bed.pass(5)
  await node.look()
  assert.equal((await office.mailTo('ada@example.org', 2)).subject, 'All clear: clinic-0 is healthy')
  isFull = true
  await bed.set('clinic-1', 'healthy')
  bed.pass(5)
  await node.look()
  isFull = false
  bed.pass(1)
  await node.look()
  assert.equal(office.mails.length, 6)
})

test('survives the store being away, and tells then', async (t) => {
  const bed = await AlertsBed.open(t)
  let isAway = true
  const node = await bed.node(undefined, { wrap: (store) => storeBehind(store, () => isAway) })
  await bed.set('clinic', 'failing')
  bed.pass(5)
  await assert.rejects(node.look(), { name: 'StoreAway' })
  node.start()
  isAway = false
  await node.look()
  await node.stop()
  assert.deepEqual(bed.told, [['clinic: healthy > failing']])
  assert.deepEqual(bed.events, [])
})

test('stops at once while a receiver says nothing, without a word of it', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  bed.receiver.answer = () => undefined
  await bed.set('clinic', 'failing')
  bed.pass(5)
  node.start()
  await bed.receiver.whenReceived(1)
  await node.stop()
  assert.deepEqual(bed.events, [])
  bed.receiver.answer = (response) => response.writeHead(204).end()
  bed.pass(1)
  await (await bed.node()).look()
  assert.equal(bed.told.length, 2)
})
