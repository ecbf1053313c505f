import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { verifyWebhook, WebhookError } from './verify-webhook.ts'

const OLD = `whsec_${Buffer.alloc(32, 'old').toString('base64')}`
const NEW = `whsec_${Buffer.alloc(32, 'new').toString('base64')}`
const BODY = '{"type":"subscription.test","timestamp":"2030-01-01T00:00:00Z","data":{"subscriptionId":"sub_é"}}'

/** A request as the service sends it, signed with these secrets. */
function requestOf(secrets: readonly string[], { agoSeconds = 0, body = BODY } = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) - agoSeconds)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64')}`
  })
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': ['v1a,Zm9yZWlnbg==', 'v1', ...signatures].join(' '),
  }
  return { headers, body }
}

test('returns the event of a signed request, with headers of any runtime', async () => {
  const { headers, body } = requestOf([NEW])
  assert.deepEqual(await verifyWebhook({ headers, body, secret: NEW }), JSON.parse(BODY))
  assert.deepEqual(await verifyWebhook({ headers: new Headers(headers), body, secret: NEW }), JSON.parse(BODY))
  const asSent = Object.entries(headers).map(([name, value]) => [name.replace('webhook', 'Webhook'), value])
  assert.deepEqual(await verifyWebhook({ headers: Object.fromEntries(asSent), body, secret: NEW }), JSON.parse(BODY))
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  assert.deepEqual(await verifyWebhook({ headers: lists, body, secret: NEW }), JSON.parse(BODY))
})

test('accepts the old and the new secret while a secret is rotated', async () => {
  for (const [sent, known] of [
    [[OLD, NEW], [OLD]],
    [[OLD, NEW], [NEW]],
    [[OLD], [NEW, OLD]],
  ]) {
    await verifyWebhook({ ...requestOf(sent), secret: known })
  }
})

test('rejects another secret, another body, an old or future request, and missing headers', async () => {
  const { headers, body } = requestOf([NEW])
  const { 'webhook-id': _id, ...anonymous } = headers
  for (const [request, message] of [
    [{ headers, body, secret: OLD }, /No signature is valid/],
    [{ headers, body, secret: [] }, /No signature is valid/],
    [{ headers, body: body.replace('sub_', 'sub-'), secret: NEW }, /No signature is valid/],
    [{ headers: { ...headers, 'webhook-id': 'evt_2' }, body, secret: NEW }, /No signature is valid/],
    [{ headers: { ...headers, 'webhook-signature': 'v1,%%%' }, body, secret: NEW }, /No signature is valid/],
    [{ headers: anonymous, body, secret: NEW }, /webhook-id is missing/],
    [{ headers: { ...headers, 'webhook-id': [] }, body, secret: NEW }, /webhook-id is missing/],
    [{ headers: { ...headers, 'webhook-id': ['evt_1', 'evt_1'] }, body, secret: NEW }, /missing or repeated/],
    [{ headers: { ...headers, 'webhook-timestamp': 'now' }, body, secret: NEW }, /timestamp/],
    [{ ...requestOf([NEW], { agoSeconds: 302 }), secret: NEW }, /timestamp/],
    [{ ...requestOf([NEW], { agoSeconds: -302 }), secret: NEW }, /timestamp/],
    [{ ...requestOf([NEW], { agoSeconds: 20 }), secret: NEW, toleranceSeconds: 10 }, /timestamp/],
  ] as const) {
    await assert.rejects(
      verifyWebhook(request),
      (error: Error) => error instanceof WebhookError && message.test(error.message),
    )
  }
})

test('names a secret that is not one', async () => {
  for (const secret of ['', 'whsec_', 'not a secret!'])
    await assert.rejects(verifyWebhook({ ...requestOf([NEW]), secret }), /Invalid secret/)
})
