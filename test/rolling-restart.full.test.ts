import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { startPublisher } from '../demo/publisher.ts'
import { PostgresServer } from './postgres/postgres-server.ts'
import { Balancer } from './support/balancer.ts'
import { eventually } from './support/eventually.ts'
import { naiveSelect, naiveSlots } from './support/naive-feed.ts'
import { RunningService } from './support/running-service.ts'

const NODES = 3
const CALLERS = 6

test('a rolling restart of three nodes behind a balancer loses no request', {
  timeout: 180_000,
}, async (t) => {
  const ended = new AsyncDisposableStack()
  t.after(() => ended.disposeAsync())
  const server = ended.use(await PostgresServer.start())
  const url = await server.createDatabase()
  const nodes: RunningService[] = []
  for (let n = 0; n < NODES; n++) {
    const node = ended.use(await RunningService.prepare())
    Object.assign(node.env, { DATABASE_URL: url, DRAIN_SECONDS: '3' })
    nodes.push(node)
  }
  const [first] = nodes
  const nowMs = Date.now()
  const publisher = await startPublisher({ port: 0, slots: 300, seed: 8, clock: () => nowMs })
  ended.defer(() => publisher.close())
  await first.run('org', 'create', 'Good Health')
  const { key } = await first.run('key', 'create', '--org', 'Good Health')
  await first.run('source', 'add', 'sample', publisher.url)
  await first.run('sync', 'sample')
  const total = naiveSelect(await naiveSlots(publisher.url, 'sample'), { status: 'free' }).length
  await Promise.all(nodes.map((node) => node.serve()))
  const balancer = ended.use(await Balancer.open(nodes.map(({ origin }) => origin)))
  await eventually(async () => balancer.ready === NODES)

  const load = new Load(balancer.origin, String(key))
  for (const node of nodes) {
    const stopping = node.stop()
    await eventually(async () => (await fetch(`${node.origin}/readyz`)).status === 503)
    assert.deepEqual(await askDirectly(node, String(key)), { status: 200, connection: 'close' })
    assert.equal(await stopping, 0)
    await node.serve()
    await eventually(async () => balancer.ready === NODES)
  }
  await load.stop()
  assert.deepEqual([...load.answers.keys()], [`200 ${total}`], JSON.stringify([...load.answers]))
  assert.ok((load.answers.get(`200 ${total}`) ?? 0) > 1000)
})

/** As a client that does not notice that the node drains. */
async function askDirectly({ origin }: RunningService, key: string) {
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${key}` }
  const asked = request(`${origin}/v1/scheduling/slots`, { headers, agent }).end()
  const [answer] = await once(asked, 'response')
  answer.resume()
  agent.destroy()
  return { status: answer.statusCode, connection: answer.headers.connection }
}

/** Callers that request one page after the other, without pauses and retries. */
class Load {
  /** The number of responses by status and total, or by error. */
  readonly answers = new Map<string, number>()
  readonly #url: string
  readonly #key: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CALLERS })
  readonly #asking: Promise<unknown>
  #isOver = false

  constructor(origin: string, key: string) {
    this.#url = `${origin}/v1/scheduling/slots?limit=5&startAfter=2020-01-01T00:00:00Z`
    this.#key = key
    this.#asking = Promise.all(Array.from({ length: CALLERS }, () => this.#askOn()))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#asking
    this.#agent.destroy()
  }

  async #askOn(): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const answer = await this.#ask(n % 50).catch((error: Error) => error.message)
      this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
    }
  }

  #ask(offset: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.#key}` }
      const asked = request(`${this.#url}&offset=${offset}`, { headers, agent: this.#agent })
      asked.on('error', reject)
      asked.on('response', async (answer) => {
        let text = ''
        for await (const piece of answer.setEncoding('utf8')) text += piece
        resolve(`${answer.statusCode} ${answer.statusCode === 200 ? JSON.parse(text).total : text}`)
      })
      asked.end()
    })
  }
}
