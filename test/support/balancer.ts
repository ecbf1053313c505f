import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The interval of health checks. */
const CHECK_MS = 100

/** A node behind the balancer, with the result of its last check. */
interface Node {
  readonly origin: string
  readonly agent: Agent
  isReady: boolean
}

/**
 * A minimal load balancer: checks each node's `/readyz`, forwards requests to ready nodes in round-robin order over kept-alive
 * connections, and never retries. Responds 502 if a node fails.
 */
export class Balancer implements AsyncDisposable {
  readonly origin: string
  readonly #nodes: readonly Node[]
  readonly #server: Server
  readonly #checking: NodeJS.Timeout
  #turn = 0

  private constructor(server: Server, origins: readonly string[]) {
    this.#server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.#nodes = origins.map((origin) => {
      return { origin, agent: new Agent({ keepAlive: true }), isReady: false }
    })
    server.on('request', (asked, answer) => this.#hand(asked, answer))
    this.#checking = setInterval(() => {
      for (const node of this.#nodes) void this.#check(node)
    }, CHECK_MS)
  }

  static async open(origins: readonly string[]): Promise<Balancer> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Balancer(server, origins)
  }

  /** The number of nodes that are considered ready. */
  get ready(): number {
    return this.#nodes.filter(({ isReady }) => isReady).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#checking)
    for (const { agent } of this.#nodes) agent.destroy()
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #check(node: Node): Promise<void> {
    node.isReady = await fetch(`${node.origin}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.ok
      },
      () => false,
    )
  }

  #hand({ method, url = '/', headers }: IncomingMessage, answer: ServerResponse): void {
    const ready = this.#nodes.filter(({ isReady }) => isReady)
    const node = ready[this.#turn++ % ready.length]
    if (node === undefined) {
      answer.writeHead(502).end('no node is ready')
      return
    }
    const { connection: _, ...passed } = headers
    const handed = request(node.origin + url, { method, headers: passed, agent: node.agent })
    handed.on('error', (fault) => answer.writeHead(502).end(`${node.origin}: ${fault.message}`))
    handed.on('response', (given) => {
      answer.writeHead(given.statusCode ?? 502)
      given.pipe(answer)
    })
    handed.end()
  }
}
