import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { verifyWebhook } from '../client/src/verify-webhook.ts'
import { type App, startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { mintApiKey } from '../src/keys/mint-key.ts'
import { openStore } from '../src/store/open-store.ts'
import { openLog } from '../src/workers/log.ts'
import { eventually } from './support/eventually.ts'
import { freePort } from './support/free-port.ts'
import { slotOf, syncClinic, tempDatabaseUrl } from './support/store/temp-store.ts'
import { EventReceiver, type ReceivedEvent } from './support/subscriptions/event-receiver.ts'

test('a change of a feed arrives as a signed request, also while the secret is rotated', async (t) => {
  const { receiver, publish, request } = await node(t)
  await publish(2)
  const input = { url: receiver.url(), filters: { scheduleId: 'schedule-1' }, minIntervalSeconds: 1 }
  const { id, secret } = await request('POST', '', input)
  await eventually(async () => (await request('GET', `/${id}`)).status === 'active')
  await publish(4)
  const [first] = await receiver.whenReceived(1)
  const opened = await eventOf(first, secret)
  assert.deepEqual(opened.ids, [slotOf(2).id, slotOf(3).id])
  assert.deepEqual(
    opened.slots?.map(({ id, status, start }) => ({ id, status, start })),
    [slotOf(2), slotOf(3)].map(({ id, status, start }) => ({ id, status, start })),
  )

  const { secret: renewed } = await request('POST', `/${id}/rotate-secret`)
  await publish(5)
  const [, second] = await receiver.whenReceived(2)
  for (const known of [secret, renewed, [renewed, secret]])
    assert.deepEqual((await eventOf(second, known)).ids, [slotOf(4).id])
  const { secret: third } = await request('POST', `/${id}/rotate-secret`)
  await request('POST', `/${id}/test`)
  const tested = (await receiver.whenReceived(3))[2]
  await assert.rejects(verifyWebhook({ ...requestOf(tested), secret }), /No signature is valid/)
  for (const known of [renewed, third])
    assert.equal((await verifyWebhook({ ...requestOf(tested), secret: known })).type, 'subscription.test')
})

test('a node with SUBSCRIPTIONS_MAX=0, such as a restored copy, sends no events', async (t) => {
  const { app, env, receiver, publish, request } = await node(t)
  await publish(2)
  const { id } = await request('POST', '', { url: receiver.url(), filters: {}, minIntervalSeconds: 1 })
  await eventually(async () => (await request('GET', `/${id}`)).status === 'active')
  await app.close()
  const copy = await start(t, { ...env, BASE_URL: 'https://copy.example', SUBSCRIPTIONS_MAX: '0' })
  await publish(4)
  await eventually(async () => (await (await fetch(`${copy.address}/readyz?verbose`)).json()).slots === 4)
  await start(t, { ...env, BASE_URL: 'https://original.example', PORT: String(await freePort()) })
  const [{ body }] = await receiver.whenReceived(1)
  assert.match(String(body.data.changes), /^https:\/\/original\.example\//)
})

/** A node with an organization, a source that a test publishes, and a receiver. */
async function node(t: TestContext) {
  const env = {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATABASE_URL: tempDatabaseUrl(),
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    DRAIN_SECONDS: '0',
  }
  const receiver = await EventReceiver.open()
  const store = await openStore(env.DATABASE_URL)
  const { id: organizationId } = await store.organizations.create('Good Health')
  const minted = mintApiKey({ organizationId, name: 'key' }, Date.now())
  await store.keys.put(minted.key)
  await store.sources.add({ slug: 'clinic', url: 'https://clinic.invalid/', strict: false })
  await store.sources.setPaused('clinic', true)
  const app = await start(t, env)
  t.after(async () => {
    await store.close()
    await receiver[Symbol.asyncDispose]()
  })
  return {
    app,
    env,
    receiver,
    publish: (count: number) => syncClinic(store, count),
    request: async (method: string, path: string, body?: object) => {
      const response = await fetch(`${app.address}/v1/scheduling/subscriptions${path}`, {
        method,
        headers: { authorization: `Bearer ${minted.secret}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      assert.ok(response.ok, text)
      return JSON.parse(text)
    },
  }
}

async function start(t: TestContext, env: NodeJS.ProcessEnv): Promise<App> {
  const app = await startApp(readConfig(env), openLog('silent'))
  t.after(() => app.close())
  await eventually(async () => (await fetch(`${app.address}/readyz`)).ok)
  return app
}

function requestOf({ headers, text }: ReceivedEvent) {
  return { headers, body: text }
}

/** The data of an event about slots that opened, whose signature is valid. */
async function eventOf(received: ReceivedEvent, secret: string | readonly string[]) {
  const event = await verifyWebhook({ ...requestOf(received), secret })
  assert.ok(event.type === 'slots.opened')
  return event.data
}
