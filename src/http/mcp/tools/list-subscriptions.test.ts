import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSubscriptionsTool } from './list-subscriptions.ts'

test('shows in the text why a subscription is disabled', async () => {
  const common = { url: 'https://app.example/hook', filters: {}, events: ['slots.opened'], minIntervalSeconds: 60 }
  const subscriptions = [
    { ...common, id: 'sub_1', status: 'disabled', statusReason: 'gone' },
    { ...common, id: 'sub_2', status: 'active' },
  ]
  const { text } = await listSubscriptionsTool.run({}, async () => ({
    body: { subscriptions },
    header: () => undefined,
  }))
  assert.match(text, /^sub_1: disabled \(gone\), https:/m)
  assert.match(text, /^sub_2: active, https:/m)
})
