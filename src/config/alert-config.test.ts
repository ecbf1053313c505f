import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { ConfigFault } from './environment.ts'

const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`
const HOOK = { ALERT_WEBHOOK_URL: 'https://hooks.example/t0ken', ALERT_WEBHOOK_SECRET: SECRET }

test('alerts go where the environment says', () => {
  const { alerts } = readConfig({
    ...HOOK,
    ALERT_WEBHOOK_SECRET: `${SECRET}, ${SECRET}`,
    ALERT_EMAILS: 'Ada@example.org,bob@example.org, ada@example.org',
    SMTP_URL: 'smtp://mail.example',
  })
  assert.deepEqual(alerts, {
    emails: ['ada@example.org', 'bob@example.org'],
    webhook: { url: HOOK.ALERT_WEBHOOK_URL, secrets: [SECRET, SECRET] },
  })
})

test('what does not go together, or is no way, is a fault that shows no secret', () => {
  const wrong: [NodeJS.ProcessEnv, RegExp][] = [
    [{ ALERT_EMAILS: 'ada@example.org' }, /must go with SMTP_URL/],
    [{ ALERT_EMAILS: 'ada', SMTP_URL: 'smtp://a' }, /ALERT_EMAILS must be/],
    [
      { ALERT_EMAILS: Array.from({ length: 21 }, (_, n) => `a${n}@b`).join(), SMTP_URL: 'smtp://a' },
      /at most 20/,
    ],
    [{ ...HOOK, ALERT_WEBHOOK_SECRET: '' }, /must go with ALERT_WEBHOOK_SECRET/],
    [{ ...HOOK, ALERT_WEBHOOK_URL: '' }, /must go with ALERT_WEBHOOK_SECRET/],
    [{ ...HOOK, ALERT_WEBHOOK_SECRET: 'whsec_t0ken' }, /ALERT_WEBHOOK_SECRET must be/],
    [{ ...HOOK, ALERT_WEBHOOK_SECRET: `${SECRET},${SECRET},${SECRET}` }, /ALERT_WEBHOOK_SECRET must be/],
    [{ ...HOOK, ALERT_WEBHOOK_URL: 'http://hooks.example/t0ken' }, /must be https/],
    [{ ...HOOK, ALERT_WEBHOOK_URL: 'https://user:t0ken@hooks.example/' }, /ALERT_WEBHOOK_URL must be/],
    [{ ...HOOK, ALERT_WEBHOOK_URL: 'ftp://hooks.example/t0ken' }, /ALERT_WEBHOOK_URL must be/],
  ]
  for (const [env, fault] of wrong) {
    assert.throws(
      () => readConfig(env),
      (thrown: Error) => {
        assert.ok(thrown instanceof ConfigFault)
        assert.match(thrown.message, fault)
        assert.doesNotMatch(thrown.message, /t0ken/)
        return true
      },
    )
  }
  const local = { ...HOOK, ALERT_WEBHOOK_URL: 'http://127.0.0.1/', ALLOW_PRIVATE_SOURCES: 'true' }
  assert.equal(readConfig(local).alerts.webhook?.url, 'http://127.0.0.1/')
})
