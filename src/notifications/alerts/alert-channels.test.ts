import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertsHarness } from '../../../test/support/alerts/alerts-harness.ts'
import { PostOffice } from '../../../test/support/mail/smtp-server.ts'

test('lists what each channel delivered, what is pending, and why', async (t) => {
  const harness = await AlertsHarness.open(t)
  const office = await PostOffice.open(t)
  const { node, desk: alertChannels } = await harness.nodeWithChannels(
    { emails: ['ada@example.org'], webhook: harness.webhook },
    { smtpUrl: office.smtpUrl },
  )
  const webhook = { kind: 'webhook', to: new URL(harness.receiver.url).host }
  const mail = { kind: 'email', to: 'ada@example.org' }
  assert.deepEqual(await alertChannels.list(), [
    { ...webhook, waiting: 0 },
    { ...mail, waiting: 0 },
  ])
  harness.receiver.answer = (response) => response.writeHead(503).end()
  await harness.set('clinic', 'failing')
  harness.pass(5)
  await node.check()
  const [atMs, next] = [
    harness.nowMs,
    { createdAtMs: harness.nowMs, attempts: 1, nextAttemptAtMs: harness.nowMs + 60_000 },
  ]
  const error = { atMs, why: 'Cannot deliver webhook: the receiver responded 503' }
  assert.deepEqual(await alertChannels.list(), [
    { ...webhook, waiting: 1, next, error },
    { ...mail, waiting: 0, deliveredAtMs: atMs },
  ])
  harness.receiver.answer = (response) => response.writeHead(410).end()
  harness.pass(1)
  await node.check()
  const givenUpAtMs = harness.nowMs
  const gone = { atMs: givenUpAtMs, why: error.why.replace('503', '410') }
  assert.deepEqual((await alertChannels.list())[0], { ...webhook, waiting: 0, givenUpAtMs, error: gone })
  harness.receiver.answer = (response) => response.writeHead(204).end()
  await harness.set('clinic', 'healthy')
  harness.pass(5)
  await node.check()
  assert.deepEqual((await alertChannels.list())[0], {
    ...webhook,
    waiting: 0,
    givenUpAtMs,
    deliveredAtMs: harness.nowMs,
  })
})

test('tests every channel once for concurrent callers, without revealing secrets', async (t) => {
  const harness = await AlertsHarness.open(t)
  const { desk: alertChannels } = await harness.nodeWithChannels()
  harness.receiver.answer = (response) => response.writeHead(500).end()
  const [one, other] = await Promise.all([alertChannels.test(), alertChannels.test()])
  assert.deepEqual(one, other)
  assert.equal(harness.receiver.received.length, 1)
  const { delivered, why } = one[0]
  assert.deepEqual([delivered, why], [false, 'Cannot deliver webhook: the receiver responded 500'])
  assert.doesNotMatch(JSON.stringify([one, await alertChannels.list()]), /s3cret|whsec_/)
  harness.receiver.answer = (response) => response.writeHead(200).end()
  assert.equal((await alertChannels.test())[0].delivered, true)
})
