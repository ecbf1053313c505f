import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { test } from 'node:test'
import { isSigned, SECRET, WebhookReceiver } from '../../test/support/alerts/webhook-receiver.ts'
import { isWebhookSecret } from '../config/variables.ts'
import { postWebhook } from './webhook.ts'

const OTHER = `whsec_${Buffer.alloc(24, 'two').toString('base64')}`
const HOOK = { secrets: [SECRET], id: 'msg_1', text: '{"a":"ü"}', atMs: 1_700_000_000_999 }
const OPTIONS = { allowPrivate: true, signal: new AbortController().signal, purpose: 'alerts' } as const

test('signs with each secret, so that receivers can rotate theirs', async (t) => {
  const receiver = await WebhookReceiver.open(t)
  const hook = { ...HOOK, url: receiver.url, secrets: [OTHER, SECRET] }
  assert.deepEqual(await postWebhook(hook, OPTIONS), { status: 204, body: '' })
  const [received] = receiver.received
  assert.equal(received.text, HOOK.text)
  assert.equal(received.headers['content-type'], 'application/json')
  assert.equal(received.headers['webhook-timestamp'], '1700000000')
  assert.deepEqual([isSigned(received, SECRET), isSigned(received, OTHER)], [true, true])
  assert.ok(!isSigned(received, `whsec_${Buffer.alloc(24, 'x').toString('base64')}`))
})

test('signs the example of the specification', async (t) => {
  const receiver = await WebhookReceiver.open(t)
  const hook = {
    url: receiver.url,
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    text: '{"test": 2432232314}',
    atMs: 1_614_265_330_000,
  }
  await postWebhook(hook, OPTIONS)
  const { 'webhook-signature': signature } = receiver.received[0].headers
  assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('rejects private addresses and http unless they are allowed', async (t) => {
  const receiver = await WebhookReceiver.open(t)
  const road = { ...OPTIONS, allowPrivate: false }
  await assert.rejects(postWebhook({ ...HOOK, url: receiver.url }, road), { name: 'PrivateAddress' })
  await assert.rejects(postWebhook({ ...HOOK, url: 'https://[::1]/' }, road), { name: 'PrivateAddress' })
  await assert.rejects(postWebhook({ ...HOOK, url: 'http://hooks.example/' }, road), /must use https/)
  const resolve = (
    _: string,
    __: object,
    callback: (error: null, found: { address: string; family: number }[]) => void,
  ) => callback(null, [{ address: '10.0.0.1', family: 4 }])
  const named = postWebhook({ ...HOOK, url: 'https://hooks.example/' }, { ...road, resolve })
  await assert.rejects(named, { name: 'PrivateAddress' })
  assert.deepEqual(receiver.received, [])
})

test('recognizes a secret', () => {
  assert.ok(isWebhookSecret(SECRET) && isWebhookSecret(OTHER))
  const bytes = (count: number) => `whsec_${Buffer.alloc(count).toString('base64')}`
  for (const wrong of ['', 'secret', 'whsec_', bytes(23), bytes(65), SECRET.slice(6), `${SECRET} `, `${SECRET}=`]) {
    assert.ok(!isWebhookSecret(wrong), wrong)
  }
  assert.ok(isWebhookSecret(bytes(64)) && isWebhookSecret(bytes(25).replace(/=+$/, '')))
})

test('reads only the status of a response, and closes the connection', { timeout: 10_000 }, async (t) => {
  const receiver = await WebhookReceiver.open(t)
  const hungUp = Promise.withResolvers<void>()
  receiver.answer = (response) => {
    response.on('close', hungUp.resolve)
    response.writeHead(200).write('and so on')
  }
  assert.equal((await postWebhook({ ...HOOK, url: receiver.url }, OPTIONS)).status, 200)
  await hungUp.promise
})

test('reads the beginning of a response if asked to, and keeps a connection whose response was read', async (t) => {
  const receiver = await WebhookReceiver.open(t)
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const options = { ...OPTIONS, readBytesMax: 10, agentFor: () => agent }
  const ports: unknown[] = []
  receiver.answer = (response) => {
    ports.push(response.socket?.remotePort)
    response.end('short')
  }
  const hook = { ...HOOK, url: receiver.url }
  assert.deepEqual(await postWebhook(hook, options), { status: 200, body: 'short' })
  await postWebhook(hook, options)
  assert.equal(ports[0], ports[1])
  receiver.answer = (response) => response.end('a longer text')
  assert.deepEqual(await postWebhook(hook, options), { status: 200, body: 'a longer t' })
})
