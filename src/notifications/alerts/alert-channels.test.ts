import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertsBed } from '../../../test/support/alerts/alerts-harness.ts'
import { PostOffice } from '../../../test/support/mail/smtp-server.ts'

test('shows of each way what arrived, what waits, and why', async (t) => {
  const bed = await AlertsBed.open(t)
  const office = await PostOffice.open(t)
  const { node, desk } = await bed.nodeWithDesk(
    { emails: ['ada@example.org'], webhook: bed.webhook },
    { smtpUrl: office.smtpUrl },
  )
  const webhook = { kind: 'webhook', to: new URL(bed.receiver.url).host }
  const mail = { kind: 'email', to: 'ada@example.org' }
  assert.deepEqual(await desk.list(), [
    { ...webhook, waiting: 0 },
    { ...mail, waiting: 0 },
  ])
  bed.receiver.answer = (response) => response.writeHead(503).end()
  await bed.set('clinic', 'failing')
  bed.pass(5)
  await node.look()
  const [atMs, next] = [
    bed.nowMs,
    { createdAtMs: bed.nowMs, attempts: 1, nextAttemptAtMs: bed.nowMs + 60_000 },
  ]
  const fault = { atMs, why: 'Cannot send webhook: answer must be 2xx: got "503"' }
  assert.deepEqual(await desk.list(), [
    { ...webhook, waiting: 1, next, fault },
    { ...mail, waiting: 0, deliveredAtMs: atMs },
  ])
  bed.receiver.answer = (response) => response.writeHead(410).end()
  bed.pass(1)
  await node.look()
  const givenUpAtMs = bed.nowMs
  const gone = { atMs: givenUpAtMs, why: fault.why.replace('503', '410') }
  assert.deepEqual((await desk.list())[0], { ...webhook, waiting: 0, givenUpAtMs, fault: gone })
  bed.receiver.answer = (response) => response.writeHead(204).end()
  await bed.set('clinic', 'healthy')
  bed.pass(5)
  await node.look()
  assert.deepEqual((await desk.list())[0], { ...webhook, waiting: 0, givenUpAtMs, deliveredAtMs: bed.nowMs })
})

test('tries every way, once however many ask at the same time, and tells no secret', async (t) => {
  const bed = await AlertsBed.open(t)
  const { desk } = await bed.nodeWithDesk()
  bed.receiver.answer = (response) => response.writeHead(500).end()
  const [one, other] = await Promise.all([desk.test(), desk.test()])
  assert.deepEqual(one, other)
  assert.equal(bed.receiver.received.length, 1)
  const { arrived, why } = one[0]
  assert.deepEqual([arrived, why], [false, 'Cannot send webhook: answer must be 2xx: got "500"'])
  assert.doesNotMatch(JSON.stringify([one, await desk.list()]), /s3cret|whsec_/)
  bed.receiver.answer = (response) => response.writeHead(200).end()
  assert.equal((await desk.test())[0].arrived, true)
})
