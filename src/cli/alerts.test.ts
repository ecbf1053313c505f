import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSigned, SECRET, WebhookReceiver } from '../../test/support/alerts/webhook-receiver.ts'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { PostOffice } from '../../test/support/mail/smtp-server.ts'

test('alerts test sends a test through every channel and reports delivery', async (t) => {
  const [office, receiver] = [await PostOffice.open(t), await WebhookReceiver.open(t)]
  const slots = await commandLine(t, {
    SMTP_URL: office.smtpUrl,
    ALERT_EMAILS: 'Ada@example.org, bob@example.org',
    ALERT_WEBHOOK_URL: receiver.url,
    ALERT_WEBHOOK_SECRET: SECRET,
    ALLOW_PRIVATE_SOURCES: 'true',
  })
  assert.deepEqual(await slots.json('alerts', 'test'), [
    { channel: 'webhook', delivered: true },
    { channel: 'email:ada@example.org', delivered: true },
    { channel: 'email:bob@example.org', delivered: true },
  ])
  assert.ok(isSigned(receiver.received[0]))
  assert.deepEqual([receiver.received[0].body.type, receiver.received[0].body.data.changes], ['test', []])
  assert.equal((await office.mailTo('bob@example.org')).subject, 'Test alert')
})

test('alerts test reports the failed channel and the reason without secrets and exits with 1', async (t) => {
  const [office, receiver] = [await PostOffice.open(t), await WebhookReceiver.open(t)]
  receiver.answer = (response) => response.writeHead(500).end()
  const slots = await commandLine(t, {
    SMTP_URL: office.smtpUrl.replace('secret', 'wr0ng'),
    ALERT_EMAILS: 'ada@example.org',
    ALERT_WEBHOOK_URL: receiver.url,
    ALERT_WEBHOOK_SECRET: SECRET,
    ALLOW_PRIVATE_SOURCES: 'true',
  })
  const { code, out, err } = await slots.run('alerts', 'test')
  assert.equal(code, 1)
  assert.match(out, /^webhook +failed +.*the receiver responded 500$/m)
  assert.match(out, /^email:ada@example\.org +failed +.*wrong password/m)
  assert.match(err, /^Cannot reach 2 of 2 alert channels/)
  assert.doesNotMatch(out + err, /wr0ng|s3cret|whsec_/)
})

test('alerts test names the missing settings when no channel is configured', async (t) => {
  const slots = await commandLine(t)
  const { code, err } = await slots.run('alerts', 'test')
  assert.equal(code, 1)
  assert.match(err, /set ALERT_EMAILS or ALERT_WEBHOOK_URL/)
})
