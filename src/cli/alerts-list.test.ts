import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECRET } from '../../test/support/alerts/webhook-receiver.ts'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { openStore } from '../store/open-store.ts'

const HOOK = { ALERT_WEBHOOK_URL: 'https://hooks.example/t0ken', ALERT_WEBHOOK_SECRET: SECRET }

test('alerts list shows delivered and pending alerts with their recipients and no secrets', async (t) => {
  const slots = await commandLine(t, { ...HOOK, ALERT_EMAILS: 'ada@example.org', SMTP_URL: 'smtp://a' })
  assert.deepEqual(await slots.json('alerts', 'list'), [
    { channel: 'webhook', configured: true, pending: 0 },
    { channel: 'email:ada@example.org', configured: true, pending: 0 },
  ])
  const store = await openStore(slots.databaseUrl)
  t.after(() => store.close())
  const change = {
    sourceId: 1,
    slug: 'a',
    health: 'failing',
    before: 'healthy',
    sinceMs: 1,
    why: '',
  } as const
  await store.alerts.record(0, {
    channels: ['webhook', 'email:bob@example.org'],
    changes: [change],
    atMs: 5000,
  })
  const [hook, mail] = await store.alerts.due({
    nowMs: 5000,
    channels: ['webhook', 'email:bob@example.org'],
    createdBeforeMs: 0,
  })
  await store.alerts.end(hook.id, 'sent', 6000)
  await store.alerts.beginAttempt(mail, 65_000)
  const { out } = await slots.run('alerts', 'list')
  assert.match(out, /^webhook +yes +1970-01-01T00:00:06Z +- +0/m)
  assert.match(out, /^email:ada@example\.org +yes +- +- +0/m)
  assert.match(out, /^email:bob@example\.org +no +- +- +1 +1970-01-01T00:00:05Z +1 +1970-01-01T00:01:05Z$/m)
  assert.doesNotMatch(out, /t0ken|whsec_/)
})

test('alerts list reports that no channel is configured', async (t) => {
  const { code, out } = await (await commandLine(t)).run('alerts', 'list')
  assert.equal(code, 0)
  assert.match(out, /^No alert channels are configured/)
})
