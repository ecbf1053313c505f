import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECRET, WebhookReceiver } from '../support/alerts/webhook-receiver.ts'
import { RunningService } from '../support/running-service.ts'
import { fillSignUp, type Person } from './people.ts'
import { Visitors } from './visitors.ts'

const OLIVE: Person = { name: 'Olive', email: 'olive@example.org', password: 'a passphrase of olive' }

test('the health page lists alert recipients, and a test alert shows whether it is delivered', async (t) => {
  const receiver = await WebhookReceiver.open(t)
  await using service = await RunningService.prepare()
  Object.assign(service.env, {
    ALERT_WEBHOOK_URL: receiver.url,
    ALERT_WEBHOOK_SECRET: SECRET,
  })
  await service.serve()
  await using visitors = await Visitors.to(service.home)
  const operator = await visitors.newcomer()
  await operator.goto(await service.setupLink())
  await operator.getByRole('link', { name: 'Create your account' }).click()
  await fillSignUp(operator, OLIVE)
  await operator.getByRole('button', { name: 'Become the operator' }).click()
  await operator.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()

  await operator.getByRole('link', { name: 'Health' }).click()
  const alerts = operator.getByRole('region', { name: 'Alerts' })
  const { host } = new URL(receiver.url)
  await alerts.getByRole('rowheader', { name: host }).waitFor()
  await alerts.getByRole('button', { name: 'Send test' }).click()
  await alerts.getByText(`Test alert delivered to ${host}.`).waitFor()
  assert.equal(receiver.received[0].body.type, 'test')
  receiver.answer = (response) => response.writeHead(500).end()
  await alerts.getByRole('button', { name: 'Send test' }).click()
  await alerts.getByText(`Test alert to ${host} failed.`).waitFor()
  assert.match(String(await alerts.textContent()), /the receiver responded 500/)
  assert.doesNotMatch(String(await operator.content()), /s3cret|whsec_/)
  visitors.assertNoComplaints()
})
