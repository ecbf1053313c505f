import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MessageChannel, Worker } from 'node:worker_threads'
import { eventually } from '../../test/support/eventually.ts'
import { StoreUnavailable } from '../store/contracts/store.ts'
import { Channel, ChannelClosed, type ChannelHandlers, type NoOperations, WithTransfer } from './channel.ts'

interface Service {
  echo(text: string): string
  /** Replies when the test releases it. */
  wait(name: string): string
  fail(message: string): void
  fill(memory: ArrayBuffer): ArrayBuffer
  note(text: string): void
}

/** The calling and the serving end of a channel. `release()` lets a `wait` reply. */
function openPair(t: TestContext, changes: Partial<ChannelHandlers<Service>> = {}) {
  const { port1, port2 } = new MessageChannel()
  t.after(() => port1.close())
  const notes: string[] = []
  const waiting = new Map<string, () => void>()
  const client = new Channel<Service, NoOperations>(port1, {})
  const server = new Channel<NoOperations, Service>(port2, {
    echo: (text) => text,
    wait: (name) => new Promise((resolve) => waiting.set(name, () => resolve(name))),
    fail: (message) => {
      throw Object.assign(new RangeError(message), { code: 'EFAIL' })
    },
    fill: (memory) => new WithTransfer(memory, [memory]),
    note: (text) => void notes.push(text),
    ...changes,
  })
  const release = async (name: string) => {
    await eventually(() => waiting.has(name))
    waiting.get(name)?.()
  }
  return { client, server, port1, port2, notes, release }
}

test('matches replies to requests when they arrive in another order', async (t) => {
  const { client, release } = openPair(t)
  const settled: string[] = []
  const requests = ['a', 'b', 'c'].map((name) => client.request('wait', name).then((reply) => settled.push(reply)))
  for (const name of ['c', 'a', 'b']) await release(name)
  await Promise.all(requests)
  assert.deepEqual(settled, ['c', 'a', 'b'])
})

test('handles requests and notices in the order in which they were sent', async (t) => {
  const { client, notes } = openPair(t, {
    echo: (text) => {
      notes.push(text)
      return text
    },
  })
  client.post('note', '1')
  const reply = client.request('echo', '2')
  client.post('note', '3')
  assert.equal(await reply, '2')
  await eventually(() => notes.length === 3)
  assert.deepEqual(notes, ['1', '2', '3'])
})

test('rejects a request with the name, message and code of the error that the handler threw', async (t) => {
  const { client } = openPair(t)
  await assert.rejects(client.request('fail', 'too far'), {
    name: 'RangeError',
    message: 'too far',
    code: 'EFAIL',
  })
  assert.equal(await client.request('echo', 'still works'), 'still works')
})

test('rejects a request with StoreUnavailable if the handler threw it', async (t) => {
  const error = new StoreUnavailable('Cannot reach the database: ECONNREFUSED')
  const { client } = openPair(t, { fail: () => Promise.reject(error) })
  await assert.rejects(client.request('fail', ''), (received) => {
    assert.ok(received instanceof StoreUnavailable)
    assert.equal(received.message, error.message)
    return true
  })
})

test('rejects a request whose reply cannot be cloned', async (t) => {
  const { client } = openPair(t, { echo: () => (() => {}) as unknown as string })
  await assert.rejects(client.request('echo', 'x'), { name: 'DataCloneError' })
})

test('moves transferred buffers both ways', async (t) => {
  const { client } = openPair(t)
  const memory = new ArrayBuffer(8)
  const back = await client.request('fill', memory, { transfer: [memory] })
  assert.deepEqual([memory.byteLength, back.byteLength], [0, 8])
})

test('rejects pending and later requests when the other side closes its port', async (t) => {
  const { client, port2 } = openPair(t)
  const pending = client.request('wait', 'a')
  port2.close()
  await assert.rejects(pending, ChannelClosed)
  await client.closed
  await assert.rejects(client.request('echo', 'x'), ChannelClosed)
  client.post('note', 'dropped')
  assert.equal(client.inFlight, 0)
})

test('rejects pending requests when the thread dies without replying', async (t) => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     parentPort.on('message', ({ id, payload }) => {
       if (payload === 'die') process.exit(1)
       parentPort.postMessage({ kind: 'reply', id, value: payload })
     })`,
    { eval: true },
  )
  t.after(() => worker.terminate())
  const channel = new Channel<Service, NoOperations>(worker, {})
  assert.equal(await channel.request('echo', 'alive'), 'alive')
  const lost = [channel.request('echo', 'die'), channel.request('wait', 'a')]
  for (const { status } of await Promise.allSettled(lost)) assert.equal(status, 'rejected')
  await assert.rejects(channel.request('echo', 'x'), ChannelClosed)
})

test('aborts the signal of the handler, which still replies', async (t) => {
  const { client } = openPair(t, {
    wait: (name, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(`${name}: ${signal.reason.message}`))),
  })
  const controller = new AbortController()
  const other = client.request('wait', 'b', { signal: AbortSignal.timeout(10_000) })
  const reply = client.request('wait', 'a', { signal: controller.signal })
  controller.abort(new Error('stopped by the operator'))
  assert.equal(await reply, 'a: stopped by the operator')
  const aborted = client.request('wait', 'c', { signal: controller.signal })
  assert.equal(await aborted, 'c: stopped by the operator')
  client.close()
  await assert.rejects(other, ChannelClosed)
})

test('aborts running handlers when the channel closes', async (t) => {
  const signals: AbortSignal[] = []
  const { client, server } = openPair(t, {
    wait: (_, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    },
  })
  const lost = assert.rejects(client.request('wait', 'a'), ChannelClosed)
  await eventually(() => signals.length === 1)
  client.close()
  server.close()
  await lost
  assert.equal(signals[0].aborted, true)
})

test('whenBelow() waits until the weight in flight is below the limit', async (t) => {
  const { client, release } = openPair(t)
  const light = client.request('wait', 'light')
  await client.whenBelow(2)
  const heavy = client.request('wait', 'heavy', { weight: 5 })
  assert.equal(client.inFlight, 6)
  let isBelow = false
  const below = client.whenBelow(2).then(() => (isBelow = true))
  await release('light')
  await light
  assert.deepEqual([client.inFlight, isBelow], [5, false])
  await release('heavy')
  await heavy
  await below
  assert.deepEqual([client.inFlight, isBelow], [0, true])
})

test('whenBelow() rejects when its signal aborts and when the channel closes', async (t) => {
  const { client } = openPair(t)
  const lost = assert.rejects(client.request('wait', 'a'), ChannelClosed)
  const controller = new AbortController()
  const aborted = assert.rejects(client.whenBelow(1, controller.signal), { name: 'AbortError' })
  controller.abort()
  await aborted
  const closed = assert.rejects(client.whenBelow(1), ChannelClosed)
  client.close()
  await Promise.all([closed, lost])
})
