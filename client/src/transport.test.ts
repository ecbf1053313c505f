import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { BROKEN, EMPTY, faultServer, json, SILENT, type Step } from '../../test/support/client/error-server.ts'
import { SlotsClient } from './slots-client.ts'
import { SlotsError } from './slots-error.ts'

const NOT_READY = { error: 'Not ready', message: 'The slots are being loaded.' }

test('retries after a broken connection, a truncated response and each transient status', async (t) => {
  const short: Step = (response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"slots"', () => response.destroy())
  }
  for (const error of [BROKEN, short, ...[429, 502, 503, 504].map((status) => json(status, NOT_READY))]) {
    const { client, requests } = await faultServer(t, [error, EMPTY])
    assert.equal((await client.page()).total, 0)
    assert.equal(requests.length, 2)
  }
})

test('does not retry permanent errors', async (t) => {
  for (const status of [301, 400, 401, 404, 410, 500]) {
    const { client, requests } = await faultServer(t, [json(status, {}, { location: '/v1' })])
    await assert.rejects(client.facets(), { name: 'SlotsError', kind: 'unexpected-answer', status })
    assert.equal(requests.length, 1)
  }
})

test('rejects an invalid Date at once, without a request', async (t) => {
  const { client, requests } = await faultServer(t, [EMPTY])
  const startAfter = new Date('soon')
  await assert.rejects(client.page({ startAfter }), RangeError)
  await assert.rejects(client.watch({ startAfter }).next(), RangeError)
  assert.equal(requests.length, 0)
})

test('waits for Retry-After, in seconds or as a date', async (t) => {
  for (const after of [() => '1', () => new Date(Date.now() + 2000).toUTCString()]) {
    const wait: Step = (...exchange) => json(503, NOT_READY, { 'retry-after': after() })(...exchange)
    const { client, requests } = await faultServer(t, [wait, EMPTY])
    const startedMs = performance.now()
    await client.page()
    // A date has no part of a second, and a timer may be a millisecond early.
    assert.ok(performance.now() - startedMs > 900)
    assert.equal(requests.length, 2)
  }
})

test('gives up after the configured retries and before a wait that is too long', async (t) => {
  const often = await faultServer(t, [BROKEN], { retries: 1 })
  await assert.rejects(often.client.page(), { kind: 'network', status: undefined })
  assert.equal(often.requests.length, 2)
  const never = await faultServer(t, [BROKEN], { retries: 0 })
  await assert.rejects(never.client.page(), { kind: 'network' })
  assert.equal(never.requests.length, 1)
  const long = await faultServer(t, [json(503, NOT_READY, { 'retry-after': '61' })])
  await assert.rejects(long.client.page(), { kind: 'not-ready', status: 503, retryAfterMs: 61_000 })
  assert.equal(long.requests.length, 1)
})

test('times out an attempt without a response or with a partial response', async (t) => {
  const beginning: Step = (response) => {
    response.writeHead(200).write('{')
  }
  for (const step of [SILENT, beginning]) {
    const { client, requests } = await faultServer(t, [step], { timeoutMs: 250, retries: 1 })
    await assert.rejects(client.page(), { kind: 'timeout', message: /within 250 ms/ })
    assert.equal(requests.length, 2)
  }
})

test('accepts a timeout that is longer than timers support, such as Infinity', async (t) => {
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31]) {
    const slow: Step = (response, request) => void setTimeout(() => EMPTY(response, request), 100)
    const { client } = await faultServer(t, [slow], { timeoutMs, retries: 0 })
    assert.equal((await client.page()).total, 0)
  }
})

test('rejects at any time with the reason of the abort signal', async (t) => {
  const reason = new Error('the visitor left')
  const wait = json(503, NOT_READY, { 'retry-after': '30' })
  const begins: Step = (response) => {
    response.writeHead(200).write('{')
  }
  for (const step of [SILENT, begins, wait]) {
    const { client, requests } = await faultServer(t, [step])
    const controller = new AbortController()
    const asked = client.page({}, { signal: controller.signal })
    const ended = assert.rejects(asked, (error) => error === reason)
    while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    setTimeout(() => controller.abort(reason), 20)
    await ended
    assert.equal(requests.length, 1)
  }
  const { client, requests } = await faultServer(t, [EMPTY])
  await assert.rejects(client.page({}, { signal: AbortSignal.abort(reason) }), (error) => error === reason)
  assert.equal(requests.length, 0)
})

test('reports responses from other servers and follows no redirects to them', async (t) => {
  const page: Step = (response) => response.writeHead(200, { 'x-request-id': 'r7' }).end('<p>Sign in')
  const portal = await faultServer(t, [page])
  await assert.rejects(portal.client.page(), { kind: 'unexpected-answer', status: 200, requestId: 'r7' })
  await assert.rejects(portal.client.export(), { kind: 'unexpected-answer', message: /Slots-Total/ })
  for (const body of [{}, null, { slots: {} }]) {
    const { client } = await faultServer(t, [json(200, body), json(200, body)])
    await assert.rejects(client.page(), { kind: 'unexpected-answer', message: /no list of slots/ })
    await assert.rejects(client.subscriptions().next(), { kind: 'unexpected-answer', message: /subscriptions/ })
  }
  const other = await faultServer(t, [EMPTY])
  const moved = await faultServer(t, [json(307, {}, { location: `${other.url}/v1/scheduling/slots` })])
  await assert.rejects(moved.client.page(), { kind: 'unexpected-answer', status: 307 })
  assert.equal(other.requests.length, 0)
})

test('sends the key only in its header and never prints it', async (t) => {
  const { client, requests } = await faultServer(t, [json(401, { error: 'API key required', message: 'No.' })])
  const error = await client.page({ city: 'Boston' }).catch((error) => error)
  assert.ok(error instanceof SlotsError)
  assert.equal(requests[0].headers.authorization, 'Bearer svc_sk_secret')
  assert.equal(requests[0].url, '/v1/scheduling/slots?city=Boston')
  const broken = await faultServer(t, [BROKEN], { retries: 0 })
  const other = await broken.client.page().catch((error) => error)
  const options = { showHidden: true, depth: 9 }
  for (const each of [client, error, other]) assert.doesNotMatch(inspect(each, options) + String(each?.stack), /secret/)
  for (const apiKey of ['', 'svc secret', 'svc_secret\n', 'ſecret'])
    assert.throws(
      () => new SlotsClient({ url: 'http://a', apiKey }),
      (error) => error instanceof TypeError && !/ecret/.test(String(error.stack?.split('\n')[0])),
    )
})

test('keeps a path before /v1, and rejects an invalid URL', async (t) => {
  const { requests, url } = await faultServer(t, [EMPTY])
  for (const path of ['/slots/', '/slots?x=1#y']) {
    await new SlotsClient({ url: new URL(path, url), apiKey: 'k' }).page()
    assert.equal(requests.at(-1)?.url, '/slots/v1/scheduling/slots')
  }
  for (const wrong of ['', 'slots.example', 'file:///v1', 'https://me:secret@slots.example'])
    assert.throws(() => new SlotsClient({ url: wrong, apiKey: 'k' }), /^TypeError: Invalid url:(?!.*secret)/)
})

test('leaves no timers and no listeners on a signal that outlives the call', async (t) => {
  const { client } = await faultServer(t, [BROKEN, EMPTY])
  const { signal } = new AbortController()
  const counts = { add: 0, remove: 0 }
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    counts.add++
    addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    counts.remove++
    removeEventListener.apply(signal, args)
  }
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  await client.page({}, { signal })
  assert.equal(timers(), before)
  assert.deepEqual(counts, { add: 3, remove: 3 })
})

test('uses the fetch function passed in', async () => {
  const asked: unknown[] = []
  const client = new SlotsClient({
    url: 'https://slots.example',
    apiKey: 'k',
    fetch: async (url) => {
      asked.push(url)
      return Response.json({ slots: [], total: 0 })
    },
  })
  await client.page({
    state: ['MA', 'NY'],
    isVirtual: false,
    startAfter: new Date(0),
    city: undefined,
    cursor: '',
  })
  const search = 'state=MA&state=NY&isVirtual=false&startAfter=1970-01-01T00%3A00%3A00.000Z&cursor='
  assert.deepEqual(asked, [`https://slots.example/v1/scheduling/slots?${search}`])
})

test('ends a loop when the signal is aborted, also before items that have been received', async (t) => {
  const [a, b] = ['a', 'b'].map((id) => ({ id, change: 'removed' }))
  const text = (headers: Record<string, string>, body: string): Step => {
    return (response) => response.writeHead(200, headers).end(body)
  }
  const lines = [a, b].map((each) => JSON.stringify(each))
  const stream = lines.map((line) => `id: 1.1\ndata: ${line}\n\n`).join('')
  for (const [step, read] of [
    [json(200, { slots: [a, b], total: 2 }), (client, options) => client.slots({}, options)],
    [json(200, { actors: [a, b], total: 2 }), (client, options) => client.actors({}, options)],
    [json(200, { publishers: [a, b], total: 2 }), (client, options) => client.publishers(options)],
    [json(200, { subscriptions: [a, b] }), (client, options) => client.subscriptions(options)],
    [text({ 'slots-total': '2' }, lines.join('\n')), (client, options) => client.export({}, options)],
    [text({ 'content-type': 'text/event-stream' }, stream), (client, options) => client.watch({}, options)],
  ] satisfies [Step, (client: SlotsClient, options: { signal: AbortSignal }) => unknown][]) {
    const { client } = await faultServer(t, [step])
    const controller = new AbortController()
    const items = (await read(client, { signal: controller.signal })) as AsyncIterable<{ id: string }>
    const ids: string[] = []
    const reading = async () => {
      for await (const { id } of items) {
        ids.push(id)
        controller.abort(new Error('enough'))
      }
    }
    await assert.rejects(reading, /enough/, String(read))
    assert.deepEqual(ids, ['a'], String(read))
  }
})
