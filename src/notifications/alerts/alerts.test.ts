import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { AlertsHarness } from '../../../test/support/alerts/alerts-harness.ts'
import { isSigned } from '../../../test/support/alerts/webhook-receiver.ts'
import { PostOffice } from '../../../test/support/mail/smtp-server.ts'
import { storeBehind } from '../../../test/support/store/unavailable-store.ts'
import { MINUTE_MS } from '../../lib/time.ts'

test('alerts about a source once its problem has lasted, with a valid signature', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  await harness.set(
    'clinic',
    'failing',
    'The last 3 syncs failed: Cannot read https://a.example/x?key=s3cret: status 500',
  )
  harness.pass(4.9)
  await node.check()
  assert.deepEqual(harness.reported, [])
  harness.pass(0.1)
  await node.check()
  const [hook] = harness.receiver.received
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
  assert.equal(hook.headers['webhook-timestamp'], String(harness.nowMs / 1000))
  assert.match(String(hook.headers['webhook-id']), /^msg_[\w-]{36}$/)
  assert.ok(!isSigned({ ...hook, text: `${hook.text} ` }))
})

test('reports each change once, and resolves once the source stays healthy', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  const passAndCheck = async (minutes: number) => {
    harness.pass(minutes)
    await node.check()
    await node.check()
  }
  await harness.set('clinic', 'failing')
  await passAndCheck(5)
  await passAndCheck(60)
  await harness.set('clinic', 'suspicious')
  await passAndCheck(5)
  await harness.set('clinic', 'healthy')
  await passAndCheck(4)
  assert.equal(harness.reported.length, 2)
  await passAndCheck(1)
  await passAndCheck(60)
  assert.deepEqual(harness.reported, [
    ['clinic: healthy > failing'],
    ['clinic: failing > suspicious'],
    ['clinic: suspicious > healthy'],
  ])
  assert.equal(harness.receiver.received[2].body.data.changes[0].allClear, true)
  assert.deepEqual(harness.events, [])
})

test('reports no short changes and no paused, new or healthy sources', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  await harness.set('paused', 'paused')
  await harness.set('well', 'healthy')
  await harness.store.sources.add({ slug: 'new', url: 'https://new.example.org/', strict: false })
  for (let turn = 0; turn < 10; turn++) {
    await harness.set('flapping', turn % 2 === 0 ? 'failing' : 'healthy')
    harness.pass(3)
    await node.check()
  }
  assert.deepEqual(harness.reported, [])
})

test('keeps the alert of a paused source open until it is healthy or removed', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  await harness.set('a', 'failing')
  await harness.set('b', 'stale')
  harness.pass(30)
  await node.check()
  await harness.set('a', 'paused')
  harness.pass(60)
  await node.check()
  await harness.set('a', 'healthy')
  await harness.store.sources.remove('b')
  harness.pass(6)
  await node.check()
  assert.deepEqual(harness.reported, [
    ['a: healthy > failing', 'b: healthy > stale'],
    ['a: failing > healthy', 'b: stale > removed'],
  ])
})

test('groups a storm: the first change at once, then all within five minutes', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  for (let minute = 0; minute < 5; minute++) {
    await harness.set(`early-${minute}`, 'failing')
    harness.pass(1)
  }
  await node.check()
  for (let minute = 0; minute < 5; minute++) {
    harness.pass(1)
    await node.check()
  }
  assert.deepEqual(
    harness.reported.map((changes) => changes.length),
    [1, 4],
  )
})

test('one of several nodes records a change, and one sends it', async (t) => {
  const harness = await AlertsHarness.open(t)
  const nodes = await Promise.all([harness.node(), harness.node(), harness.node()])
  for (let turn = 0; turn < 5; turn++) {
    await harness.set('clinic', turn % 2 === 0 ? 'failing' : 'healthy')
    harness.pass(5)
    await Promise.all(nodes.map((node) => node.check()))
    await Promise.all(nodes.map((node) => node.check()))
    assert.equal(harness.reported.length, turn + 1)
  }
})

test('another node sends what a killed node had begun, after the pause, with the same id', async (t) => {
  const harness = await AlertsHarness.open(t)
  harness.receiver.answer = () => undefined
  await harness.set('clinic', 'failing')
  harness.pass(5)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../test/support/alerts/alerts-child.ts')], {
    env: {
      ...process.env,
      BED: JSON.stringify({
        databaseUrl: harness.databaseUrl,
        webhook: harness.webhook,
        nowMs: harness.nowMs,
      }),
    },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  t.after(() => child.kill('SIGKILL'))
  await harness.receiver.whenReceived(1)
  child.kill('SIGKILL')
  await ended
  harness.receiver.answer = (response) => response.writeHead(200).end()
  const node = await harness.node()
  harness.nowMs += MINUTE_MS - 1
  await node.check()
  assert.equal(harness.reported.length, 1)
  harness.nowMs += 1
  await node.check()
  harness.pass(60)
  await node.check()
  assert.equal(harness.reported.length, 2)
  const ids = harness.receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(ids[0], ids[1])
})

test('retries with growing pauses, in order, and gives up with a log message after a day', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  const startMs = harness.nowMs
  harness.receiver.answer = (response) => response.writeHead(503).end()
  await harness.set('a', 'failing')
  harness.pass(5)
  const minutes: number[] = []
  for (let minute = 5; minute < 60; minute++) {
    const before = harness.reported.length
    await node.check()
    if (harness.reported.length > before) minutes.push(minute)
    if (minute === 10) await harness.set('b', 'failing')
    harness.pass(1)
  }
  assert.deepEqual(minutes, [5, 6, 8, 13, 23, 38, 53])
  assert.ok(harness.reported.every(([first]) => first.startsWith('a:')))
  harness.nowMs = startMs + 24 * 60 * MINUTE_MS
  await node.check()
  assert.equal(harness.events.at(-1)?.message, 'alert could not be sent')
  harness.pass(15)
  await node.check()
  const { level, message, fields } = harness.events.at(-1) ?? assert.fail()
  assert.deepEqual([level, message, fields.sources], ['error', 'alert was given up', ['a: failing']])
  assert.match(String(fields.error), /the receiver responded 503/)
  assert.doesNotMatch(JSON.stringify(harness.events), /s3cret/)
  harness.receiver.answer = (response) => response.writeHead(200).end()
  await node.check()
  assert.deepEqual(harness.reported.at(-1), ['b: healthy > failing'])
})

test('gives up a message that the receiver rejects permanently, and sends the next', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  harness.receiver.answer = (response) => response.writeHead(422).end()
  await harness.set('a', 'failing')
  harness.pass(5)
  await node.check()
  assert.equal(harness.events.at(-1)?.message, 'alert was given up')
  harness.receiver.answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end()
  await harness.set('b', 'failing')
  harness.pass(5)
  await node.check()
  assert.equal(harness.reported.length, 2)
  assert.match(String(harness.events.at(-1)?.fields.error), /responded 302/)
})

test('sends each address one digest, independently of the others', async (t) => {
  const harness = await AlertsHarness.open(t)
  let isFull = false
  const office = await PostOffice.open(t, () => isFull)
  const emails = ['ada@example.org', 'bob@example.org']
  const node = await harness.node({ emails, webhook: harness.webhook }, { smtpUrl: office.smtpUrl })
  harness.receiver.answer = (response) => response.destroy()
  for (let n = 0; n < 30; n++)
    await harness.set(`clinic-${n}`, 'failing', `Reason <${n}>. See https://user:s3cret@a.example/`)
  harness.pass(5)
  await node.check()
  assert.deepEqual(office.mails.map(({ to }) => to).toSorted(), [['ada@example.org'], ['bob@example.org']])
  const { subject, whole } = await office.mailTo('bob@example.org')
  assert.equal(subject, '30 sources with problems')
  assert.match(whole, /clinic-7 has been failing since 2026-01-05 08:00\. Reason <7>\. See https:\/\/a\.example\//)
  assert.doesNotMatch(whole, /s3cret/)
  await harness.set('clinic-0', 'healthy')
  harness.pass(5)
  await node.check()
  assert.equal((await office.mailTo('ada@example.org', 2)).subject, 'Resolved: clinic-0 is healthy')
  isFull = true
  await harness.set('clinic-1', 'healthy')
  harness.pass(5)
  await node.check()
  isFull = false
  harness.pass(1)
  await node.check()
  assert.equal(office.mails.length, 6)
})

test('waits while the store is unavailable, then reports', async (t) => {
  const harness = await AlertsHarness.open(t)
  let isAway = true
  const node = await harness.node(undefined, { wrap: (store) => storeBehind(store, () => isAway) })
  await harness.set('clinic', 'failing')
  harness.pass(5)
  await assert.rejects(node.check(), { name: 'StoreUnavailable' })
  node.start()
  isAway = false
  await node.check()
  await node.stop()
  assert.deepEqual(harness.reported, [['clinic: healthy > failing']])
  assert.deepEqual(harness.events, [])
})

test('stops at once while a receiver is silent, without logging an error', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  harness.receiver.answer = () => undefined
  await harness.set('clinic', 'failing')
  harness.pass(5)
  node.start()
  await harness.receiver.whenReceived(1)
  await node.stop()
  assert.deepEqual(harness.events, [])
  harness.receiver.answer = (response) => response.writeHead(204).end()
  harness.pass(1)
  await (await harness.node()).check()
  assert.equal(harness.reported.length, 2)
})
