import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/support/eventually.ts'
import { listenOnLoopback } from '../../../../test/support/listen-on-loopback.ts'
import type { ActiveKey } from '../../../keys/key-ring.ts'
import { problemOf } from '../../problem.ts'
import { EXPORT_LIMITS, ExportPump } from './export-pump.ts'
import type { ChunkSource } from './snapshot-chunks.ts'

const PIECE_BYTES = 100_000

test('buffers no more than the socket for a stalled caller and closes it in time', async (t) => {
  const harness = await Harness.start(t, { stalledMsMax: 1500 })
  const pieces = new Counted(1_000_000)
  const answer = await harness.ask(pieces)
  const broken = once(answer, 'error')
  await untilStill(() => pieces.made)
  assert.ok(pieces.made > 0 && pieces.made * PIECE_BYTES < 64 * 2 ** 20, `${pieces.made} pieces`)
  assert.equal((await harness.ask(new Counted(3)).then(read)).length, 3 * PIECE_BYTES)
  assert.equal(pieces.isOpen, true)
  await eventually(() => !pieces.isOpen)
  answer.resume()
  await broken
  assert.equal(harness.pump.size, 0)
})

test('keeps serving a slow caller that makes progress', async (t) => {
  const harness = await Harness.start(t, { stalledMsMax: 1000 })
  const pieces = new Counted(600)
  const answer = await harness.ask(pieces)
  let bytes = 0
  for await (const piece of answer) {
    const before = Math.floor(bytes / 3_000_000)
    bytes += piece.length
    if (Math.floor(bytes / 3_000_000) > before) await sleep(60)
  }
  assert.equal(bytes, 600 * PIECE_BYTES)
})

test('does not take the time before a range for a stalled caller', async (t) => {
  const stalledMsMax = 1000
  const harness = await Harness.start(t, { stalledMsMax })
  const pieces = new Counted(1)
  const endMs = performance.now() + 1.5 * stalledMsMax
  const skipping: ChunkSource = {
    isOpen: true,
    next: () => (performance.now() < endMs ? Buffer.alloc(0) : pieces.next()),
    close: () => pieces.close(),
  }
  assert.equal((await harness.ask(skipping).then(read)).length, PIECE_BYTES)
})

test('closes an export that exceeds the total time, however steadily it is read', async (t) => {
  const harness = await Harness.start(t, { totalMsMax: 300 })
  const pieces = new Counted(Number.POSITIVE_INFINITY)
  const answer = await harness.ask(pieces)
  answer.resume()
  await once(answer, 'error')
  assert.deepEqual([pieces.isOpen, harness.pump.size], [false, 0])
})

test('releases all resources when a caller disconnects', async (t) => {
  const harness = await Harness.start(t)
  for (const coding of [undefined, 'gzip', 'zstd'] as const) {
    const pieces = new Counted(1_000_000)
    const answer = await harness.ask(pieces, { coding })
    answer.destroy()
    await eventually(() => harness.pump.size === 0)
    const { made } = pieces
    await sleep(30)
    assert.deepEqual([pieces.isOpen, pieces.made], [false, made])
  }
})

test('aborts the response after missing chunks, an error or a revoked key', async (t) => {
  const harness = await Harness.start(t)
  const gone = new Counted(1_000_000)
  const faulty = new Counted(1_000_000, 20)
  const revoked = new Counted(1_000_000)
  for (const [pieces, breakIt] of [
    [gone, () => gone.close()],
    [faulty, () => {}],
    [revoked, () => harness.revoked.add('revoked')],
  ] as const) {
    const answer = await harness.ask(pieces, { key: pieces === revoked ? 'revoked' : 'one' })
    const broken = once(answer, 'error')
    answer.once('data', breakIt).resume()
    await broken
    assert.equal(answer.complete, false)
    await eventually(() => harness.pump.size === 0 && !pieces.isOpen)
  }
  assert.deepEqual(
    harness.faults.map((error) => String(error)),
    ['Error: no more'],
  )
})

test('limits exports per key and in total, with Retry-After', async (t) => {
  const harness = await Harness.start(t, { concurrentMax: 4, concurrentPerKeyMax: 3 })
  const running = []
  for (const key of ['one', 'one', 'one', 'two']) running.push(await harness.ask(new Counted(1_000_000), { key }))
  const refused = async (key: string) => {
    const answer = await harness.ask(new Counted(1), { key })
    return [answer.statusCode, answer.headers['retry-after'], (await read(answer)).toString()]
  }
  assert.deepEqual(await refused('one'), [
    503,
    '10',
    'One caller can run 3 exports at once. Please wait for one to end.',
  ])
  const all = 'The limit of concurrent exports is reached. Please try again later.'
  assert.deepEqual(await refused('two'), [503, '30', all])
  for (const answer of running) answer.destroy()
  await eventually(() => harness.pump.size === 0)
  assert.equal((await harness.ask(new Counted(1)).then(read)).length, PIECE_BYTES)
})

test('the keys of one organization leave room for other organizations', async (t) => {
  const harness = await Harness.start(t, { concurrentMax: 4, concurrentPerOrganizationMax: 2 })
  const ask = (key: string) => harness.ask(new Counted(1_000_000), { key })
  const running = [await ask('a/one'), await ask('a/two'), await ask('b/one')]
  const refused = await ask('a/three')
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '10'])
  assert.match((await read(refused)).toString(), /^One organization can run 2 exports at once\./)
  running.push(await ask('b/two'))
  assert.deepEqual(
    running.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200],
  )
  for (const answer of running) answer.destroy()
})

test('the slowest export yields to another that has no room, once it has run for long enough', async (t) => {
  for (const yieldsAfterMs of [0, 60_000]) {
    const harness = await Harness.start(t, { concurrentMax: 2, yieldsAfterMs })
    const [slow, fast] = [new Counted(1_000_000), new Counted(1_000_000)]
    const slowAnswer = await harness.ask(slow, { key: 'slow' })
    const fastAnswer = (await harness.ask(fast, { key: 'fast' })).resume()
    await untilStill(() => slow.made)
    await eventually(() => fast.made > 10 * slow.made)
    const third = await harness.ask(new Counted(3), { key: 'third' })
    const isSent = yieldsAfterMs === 0
    assert.equal(third.statusCode, isSent ? 200 : 503)
    if (isSent) assert.equal((await read(third)).length, 3 * PIECE_BYTES)
    assert.deepEqual([slow.isOpen, fast.isOpen], [!isSent, true])
    for (const answer of [slowAnswer, fastAnswer]) answer.destroy()
    await eventually(() => harness.pump.size === 0)
  }
})

test('an export that skips to its range is slower than one that sends', async (t) => {
  const harness = await Harness.start(t, { concurrentMax: 2, yieldsAfterMs: 0 })
  const skipping = new Counted(Number.POSITIVE_INFINITY)
  // The first chunk sends the headers.
  skipping.next = () => Buffer.alloc(skipping.made++ === 0 ? PIECE_BYTES : 0)
  const sending = new Counted(1_000_000)
  const answers = [await harness.ask(skipping, { key: 'skips' }), await harness.ask(sending, { key: 'sends' })]
  await untilStill(() => sending.made)
  await eventually(() => skipping.made > 10 * sending.made)
  assert.equal((await read(await harness.ask(new Counted(3), { key: 'third' }))).length, 3 * PIECE_BYTES)
  assert.deepEqual([skipping.isOpen, sending.isOpen], [false, true])
  for (const answer of answers) answer.on('error', () => {}).destroy()
  await eventually(() => harness.pump.size === 0)
})

test('takes its share of the thread for all exports together', async (t) => {
  const harness = await Harness.start(t, { threadShare: 0.1 })
  let busyMs = 0
  const work = () => {
    const startedMs = performance.now()
    while (performance.now() < startedMs + 1);
    busyMs += performance.now() - startedMs
  }
  const startedMs = performance.now()
  await Promise.all([1, 2, 3].map(async () => read(await harness.ask(new Counted(6, undefined, work)))))
  assert.ok(busyMs < 0.15 * (performance.now() - startedMs), `${busyMs} ms`)
})

test('sends one chunk per event loop turn, round-robin over all exports', async (t) => {
  const harness = await Harness.start(t)
  const order: string[] = []
  let inTurn = 0
  let most = 0
  const note = (name: string) => {
    order.push(name)
    most = Math.max(most, ++inTurn)
    setImmediate(() => {
      inTurn = 0
    })
  }
  const named = (name: string) => new Counted(200, undefined, () => note(name))
  const answers = await Promise.all([harness.ask(named('a')), harness.ask(named('b')), harness.ask(named('c'))])
  await Promise.all(answers.map(read))
  assert.equal(order.length, 600)
  assert.equal(most, 1)
  const ofFirst = order.slice(0, 150)
  for (const name of ['a', 'b', 'c']) assert.ok(ofFirst.filter((other) => other === name).length >= 25, name)
})

/** As many pieces as one likes, one of which may fail. */
class Counted implements ChunkSource {
  isOpen = true
  made = 0
  readonly #count: number
  readonly #failsAt: number | undefined
  readonly #onMade: () => void

  constructor(count: number, failsAt?: number, onMade = () => {}) {
    this.#count = count
    this.#failsAt = failsAt
    this.#onMade = onMade
  }

  next(): Buffer | undefined {
    if (this.made === this.#failsAt) throw new Error('no more')
    if (this.made === this.#count) return undefined
    this.made++
    this.#onMade()
    return Buffer.alloc(PIECE_BYTES, this.made)
  }

  close(): void {
    this.isOpen = false
  }
}

/** A pump behind a server that sends whatever pieces it is given, in turn. */
class Harness {
  readonly pump: ExportPump
  readonly faults: unknown[] = []
  readonly revoked = new Set<string>()
  readonly #orders: { chunks: ChunkSource; key: string; coding: 'gzip' | 'zstd' | undefined }[] = []
  readonly #server = createServer((incoming, response) => {
    const order = this.#orders.shift()
    if (order === undefined) throw new Error('Cannot answer: there must be an order')
    const key: ActiveKey = {
      id: order.key,
      organizationId: order.key.split('/')[0],
      usage: undefined,
      isSuspended: false,
      networks: undefined,
      isActive: () => !this.revoked.has(order.key),
    }
    const context = { request: incoming, response, requestId: 'x' }
    try {
      this.pump.requireRoom(key)
      this.pump.send({ ...order, context, key, headers: [], onError: (error) => this.faults.push(error) })
    } catch (thrown) {
      const problem = problemOf(thrown)
      response.writeHead(problem?.status ?? 500, problem?.headers).end(problem?.message)
    }
  })

  private constructor(limits: Partial<typeof EXPORT_LIMITS>) {
    this.pump = new ExportPump(() => 0, { ...EXPORT_LIMITS, ...limits })
  }

  static async start(t: TestContext, limits: Partial<typeof EXPORT_LIMITS> = {}): Promise<Harness> {
    const harness = new Harness(limits)
    await listenOnLoopback(t, harness.#server)
    return harness
  }

  /** The answer, of which nothing has been taken. */
  async ask(
    chunks: ChunkSource,
    { key = 'one', coding }: { key?: string; coding?: 'gzip' | 'zstd' | undefined } = {},
  ): Promise<IncomingMessage> {
    this.#orders.push({ chunks, key, coding })
    const { port } = this.#server.address() as AddressInfo
    const asked = request({ port, host: '127.0.0.1', agent: false }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    // Both sides report a broken connection.
    asked.on('error', () => {})
    return answer.on('error', () => {})
  }
}

async function read(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Waits until a figure has not changed for a while. */
function untilStill(figure: () => number): Promise<true> {
  return eventually(async () => {
    const before = figure()
    await sleep(60)
    return figure() === before
  })
}
