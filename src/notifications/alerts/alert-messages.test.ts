import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { AlertsHarness } from '../../../test/support/alerts/alerts-harness.ts'
import { PostOffice } from '../../../test/support/mail/smtp-server.ts'
import type { Store } from '../../store/contracts/store.ts'
import { mailOf } from './alert-messages.ts'

test('lists problems before resolved changes, with the names of publishers', async (t) => {
  const harness = await AlertsHarness.open(t)
  const office = await PostOffice.open(t)
  const node = await harness.node(
    { emails: ['ada@example.org'], webhook: harness.webhook },
    { smtpUrl: office.smtpUrl },
  )
  await harness.store.sources.add({
    slug: 'a',
    name: 'Clinic A',
    url: 'https://a.example.org/',
    strict: false,
  })
  await harness.set('a', 'failing', 'It is gone.')
  harness.pass(5)
  await node.check()
  await harness.set('a', 'healthy')
  await harness.set('b', 'late', 'Not checked.')
  harness.pass(5)
  await node.check()
  assert.deepEqual(harness.reported[1], ['b: healthy > late', 'a: failing > healthy'])
  assert.equal(harness.receiver.received[1].body.data.changes[1].name, 'Clinic A')
  const { subject, whole } = await office.mailTo('ada@example.org', 2)
  assert.equal(subject, '1 source with problems, 1 resolved')
  assert.match(whole, /Resolved: Clinic A \(a\) has been healthy since 2026-01-05 08:05; it was failing\./)
  assert.match(whole, /^Message-ID: <[\w-]{36}@slots\.example>/m)
  await harness.store.sources.remove('b')
  harness.pass(5)
  await node.check()
  assert.equal((await office.mailTo('ada@example.org', 3)).subject, 'b was removed')
})

test('a message has 500 changes, and the next has the rest', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  for (let n = 0; n < 501; n++) await harness.set(`s-${n}`, 'failing')
  harness.pass(5)
  await node.check()
  await node.check()
  assert.deepEqual(
    harness.reported.map((changes) => changes.length),
    [500, 1],
  )
})

test('one of two nodes sends a message that both have read', async (t) => {
  const harness = await AlertsHarness.open(t)
  await harness.set('clinic', 'failing')
  harness.pass(5)
  const both = Promise.withResolvers<void>()
  let waiting = 0
  const wrap = (store: Store): Store => {
    const { alerts } = store
    const due: typeof alerts.due = async (which) => {
      const found = await alerts.due(which)
      waiting += 1
      if (waiting === 2) both.resolve()
      await both.promise
      return found
    }
    return {
      ...store,
      alerts: {
        state: () => alerts.state(),
        record: (revision, telling) => alerts.record(revision, telling),
        beginAttempt: (message, againAtMs) => alerts.beginAttempt(message, againAtMs),
        end: (id, outcome, atMs) => alerts.end(id, outcome, atMs),
        due,
        channels: () => alerts.channels(),
      },
    }
  }
  const nodes = [await harness.node(undefined, { wrap }), await harness.node(undefined, { wrap })]
  await Promise.all(nodes.map((node) => node.check()))
  assert.deepEqual(harness.reported, [['clinic: healthy > failing']])
})

test('logs messages for a channel that no node has, and gives them up', async (t) => {
  const harness = await AlertsHarness.open(t)
  const office = await PostOffice.open(t)
  harness.receiver.answer = (response) => response.writeHead(500).end()
  await harness.set('clinic', 'failing')
  harness.pass(5)
  await (await harness.node()).check()
  const other = await harness.node({ emails: ['ada@example.org'] }, { smtpUrl: office.smtpUrl })
  harness.pass(24 * 60)
  await other.check()
  assert.equal(harness.events.length, 1)
  harness.pass(16)
  await other.check()
  const { message, fields } = harness.events[1]
  assert.deepEqual([message, fields.channel], ['alert was given up', 'another'])
  assert.deepEqual(office.mails, [])
})

test('retries a deferred mail with the same id, and gives up one whose text is rejected', async (t) => {
  const codes = [452, 552]
  const ids: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onData: (stream, _session, callback) => {
      void text(stream).then((raw) => {
        ids.push(/^Message-ID: (.+)\r$/m.exec(raw)?.[1] ?? '')
        callback(Object.assign(new Error('no'), { responseCode: codes.shift() }))
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  const harness = await AlertsHarness.open(t)
  const smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}?requireTLS=false`
  const node = await harness.node({ emails: ['ada@example.org'] }, { smtpUrl })
  await harness.set('clinic', 'failing')
  for (const wanted of ['alert could not be sent', 'alert was given up']) {
    harness.pass(5)
    await node.check()
    assert.equal(harness.events.at(-1)?.message, wanted)
  }
  assert.match(ids[0], /@slots\.example>$/)
  assert.equal(ids[0], ids[1])
  assert.doesNotMatch(JSON.stringify(harness.events), /ada@/)
})

test('a test alert does not claim where it was requested', () => {
  const alert = { key: 'k', changes: [], createdAtMs: 0, isTest: true }
  const { subject, text } = mailOf(alert, 'ada@example.org', {
    dashboardUrl: 'https://slots.example/',
    service: { name: 'Acme Slots' },
  })
  assert.equal(subject, 'Test alert')
  assert.match(text, /^-- \nAcme Slots$/m)
  assert.match(text, /^This is a test alert\. Delivery works\.$/m)
  assert.doesNotMatch(text, /command line/)
})

test('links to the dashboard of the origin, also if its address has a path', () => {
  const alert = { key: 'k', changes: [], createdAtMs: 0, isTest: true }
  const { text } = mailOf(alert, 'ada@example.org', {
    dashboardUrl: 'https://slots.example/start/',
    service: { name: 'Acme Slots' },
  })
  assert.ok(text.includes('https://slots.example/app/operator/sources'), text)
})
