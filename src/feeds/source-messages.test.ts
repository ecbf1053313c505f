import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MESSAGE_LENGTH_MAX, MESSAGES_MAX, SourceMessages } from './source-messages.ts'

test('keeps each distinct message once, the most severe first', () => {
  const messages = new SourceMessages()
  for (const text of ['b', 'a', 'b']) messages.add({ severity: 'warning', text })
  messages.add({ severity: 'error', text: 'a' })
  assert.deepEqual(
    messages.all.map(({ severity, text }) => `${severity} ${text}`),
    ['error a', 'warning b', 'warning a'],
  )
})

test('keeps a bounded number of short messages, and a severe one that comes late', () => {
  const messages = new SourceMessages()
  for (let n = 0; n < 1000; n++) messages.add({ severity: 'information', text: `${n}\n${'x'.repeat(1000)}` })
  messages.add({ severity: 'fatal', text: 'late' })
  assert.equal(messages.all.length, MESSAGES_MAX)
  assert.equal(messages.all[0].text, 'late')
  assert.ok(messages.all.every(({ text }) => text.length <= MESSAGE_LENGTH_MAX && !text.includes('\n')))
})
