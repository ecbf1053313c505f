import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PostOffice } from '../../../test/support/mail/smtp-server.ts'
import type { LogEvent } from '../../lib/log-event.ts'
import { UNNAMED_SERVICE } from '../../shared/service-identity.ts'
import { formatMail, invitation } from './mails.ts'
import { openMailer } from './smtp-mailer.ts'

const MAIL_FROM = 'Slots <no-reply@slots.example>'

test('sends mails as text and as HTML with the same content', async (t) => {
  const office = await PostOffice.open(t)
  const mailer = openMailer({ smtpUrl: office.smtpUrl, mailFrom: MAIL_FROM }, () => assert.fail())
  mailer.post(
    invitation({
      to: 'ada@example.org',
      link: 'https://slots.example/app/invitation#abc',
      organization: 'Acme <Clinic>',
      role: 'admin',
      invitedBy: 'bob@example.org',
      expiresAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
      service: { name: 'Slots & Co', contact: 'mailto:help@slots.example' },
    }),
  )
  await mailer.close()
  const { from, to, subject, whole } = await office.mailTo('ada@example.org')
  assert.deepEqual([from, to], ['no-reply@slots.example', ['ada@example.org']])
  assert.equal(subject, 'Join Acme <Clinic> at Slots & Co')
  assert.match(whole, /bob@example\.org invites you to join Acme <Clinic> at Slots & Co, as admin\./)
  assert.match(whole, /-- \r\nSlots & Co\r\nhelp@slots\.example\r\n/)
  assert.match(whole, /Slots &amp; Co[\s\S]+<a href="mailto:help@slots\.example"/)
  assert.match(whole, /Acme &lt;Clinic&gt;/)
  assert.match(whole, /View invitation:\r\nhttps:\/\/slots\.example\/app\/invitation#abc/)
  assert.match(whole, /<a href="https:\/\/slots\.example\/app\/invitation#abc"/)
  assert.match(whole, /expires on Fri, 02 Jan 2026 03:04:05 GMT/)
})

test('logs a mail that could not be sent', async (t) => {
  const office = await PostOffice.open(t, () => true)
  const events: LogEvent[] = []
  const mailer = openMailer({ smtpUrl: office.smtpUrl, mailFrom: MAIL_FROM }, (event) => events.push(event))
  mailer.post({ to: 'ada@example.org', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' })
  await mailer.close()
  assert.deepEqual(
    events.map(({ level, message, fields }) => [level, message, fields.subject, fields.domain]),
    [['error', 'mail could not be sent', 'Hello', 'example.org']],
  )
  assert.match(String(events[0].fields.error), /mailbox is full/)
})

test('hides the password of the mail server in errors', async (t) => {
  const office = await PostOffice.open(t)
  const smtpUrl = office.smtpUrl.replace('secret', 'wr0ng')
  const events: LogEvent[] = []
  const mailer = openMailer({ smtpUrl, mailFrom: MAIL_FROM }, (event) => events.push(event))
  mailer.post({ to: 'ada@example.org', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' })
  await mailer.close()
  assert.equal(events.length, 1)
  assert.doesNotMatch(JSON.stringify(events), /wr0ng/)
})

test('a line break in a name adds no header', () => {
  const content = { to: 'a@example.org', subject: 'Join Acme\r\nBcc: x@example.org', paragraphs: [] }
  const { subject } = formatMail(content, UNNAMED_SERVICE)
  assert.equal(subject, 'Join Acme Bcc: x@example.org')
})

test('sends neither password nor mail to a server that offers no STARTTLS', async (t) => {
  const office = await PostOffice.open(t)
  const events: LogEvent[] = []
  const url = new URL(office.smtpUrl)
  for (const query of ['', '?requireTLS=true', '?pool=true']) {
    url.search = query
    const mailer = openMailer({ smtpUrl: url.href, mailFrom: MAIL_FROM }, (event) => events.push(event))
    mailer.post({ to: 'ada@example.org', subject: 'Reset', text: 'https://…#token', html: '<p>Hello</p>' })
    await mailer.close()
  }
  assert.deepEqual([events.length, office.mails.length, office.logins], [3, 0, 0])
  assert.match(String(events[0].fields.error), /TLS/)
})
