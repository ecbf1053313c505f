import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { AlertsBed } from '../../../test/support/alerts/alerts-harness.ts'
import { PostOffice } from '../../../test/support/mail/smtp-server.ts'
import type { Store } from '../../store/contracts/store.ts'

test('tells troubles before all-clears, with the names of publishers', async (t) => {
  const bed = await AlertsBed.open(t)
  const office = await PostOffice.open(t)
  const node = await bed.node(
    { emails: ['ada@example.org'], webhook: bed.webhook },
    { smtpUrl: office.smtpUrl },
  )
  await bed.store.sources.add({ slug: 'a', name: 'Clinic A', url: 'https://a.example.org/', strict: false })
  await bed.set('a', 'failing', 'It is gone.')
  bed.pass(5)
  await node.look()
  await bed.set('a', 'healthy')
  await bed.set('b', 'late', 'Nobody looked.')
  bed.pass(5)
  await node.look()
  assert.deepEqual(bed.told[1], ['b: healthy > late', 'a: failing > healthy'])
  assert.equal(bed.receiver.received[1].body.data.changes[1].name, 'Clinic A')
  const { subject, whole } = await office.mailTo('ada@example.org', 2)
  assert.equal(subject, '1 source in trouble, 1 all clear')
  assert.match(whole, /All clear: Clinic A \(a\) has been healthy since 2026-01-05 08:05; it was failing\./)
  assert.match(whole, /^Message-ID: <[\w-]{36}@slots\.example>/m)
  await bed.store.sources.remove('b')
  bed.pass(5)
  await node.look()
  assert.equal((await office.mailTo('ada@example.org', 3)).subject, 'b was removed')
})

test('a message tells of 500 changes, and the others go with the next', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  for (let n = 0; n < 501; n++) await bed.set(`s-${n}`, 'failing')
  bed.pass(5)
  await node.look()
  await node.look()
  assert.deepEqual(
    bed.told.map((changes) => changes.length),
    [500, 1],
  )
})

test('of two nodes that both know of a message, one sends it', async (t) => {
  const bed = await AlertsBed.open(t)
  await bed.set('clinic', 'failing')
  bed.pass(5)
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
  const nodes = [await bed.node(undefined, { wrap }), await bed.node(undefined, { wrap })]
  await Promise.all(nodes.map((node) => node.look()))
  assert.deepEqual(bed.told, [['clinic: healthy > failing']])
})

test('gives up aloud what is for a way that no node has any more', async (t) => {
  const bed = await AlertsBed.open(t)
  const office = await PostOffice.open(t)
  bed.receiver.answer = (response) => response.writeHead(500).end()
  await bed.set('clinic', 'failing')
  bed.pass(5)
  await (await bed.node()).look()
  const other = await bed.node({ emails: ['ada@example.org'] }, { smtpUrl: office.smtpUrl })
  bed.pass(24 * 60)
  await other.look()
  assert.equal(bed.events.length, 1)
  bed.pass(16)
  await other.look()
  const { message, fields } = bed.events[1]
  assert.deepEqual([message, fields.way], ['alert was given up', 'another'])
  assert.deepEqual(office.mails, [])
})

test('a mail that is put off is tried again as the same, one whose text is refused is given up', async (t) => {
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
  const bed = await AlertsBed.open(t)
  const smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const node = await bed.node({ emails: ['ada@example.org'] }, { smtpUrl })
  await bed.set('clinic', 'failing')
  for (const wanted of ['alert could not be sent', 'alert was given up']) {
    bed.pass(5)
    await node.look()
    assert.equal(bed.events.at(-1)?.message, wanted)
  }
  assert.match(ids[0], /@slots\.example>$/)
  assert.equal(ids[0], ids[1])
  assert.doesNotMatch(JSON.stringify(bed.events), /ada@/)
})
