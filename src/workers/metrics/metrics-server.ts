import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { type NodeMetrics, nodeMetrics } from './node-metrics.ts'

/** Serves only `GET /metrics`, on a separate port and without a key. */
export class MetricsServer {
  readonly #server: Server
  readonly #registry: Registry

  private constructor(metrics: NodeMetrics) {
    this.#registry = nodeMetrics(metrics)
    this.#server = createServer((request, response) => void this.#respond(request, response))
  }

  /** Resolves once it listens. Throws if the port is taken. */
  static async start(where: { host: string; port: number }, metrics: NodeMetrics): Promise<MetricsServer> {
    const server = new MetricsServer(metrics)
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject)
      server.#server.listen(where, () => resolve())
    })
    return server
  }

  /** Closes connections at once: the next scrape is soon. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #respond({ method, url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url.split('?')[0] !== '/metrics') return send(response, 404, 'Not found: only /metrics is served here.\n')
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return send(response, 405, 'Method not allowed: use GET.\n')
    }
    const text = await this.#registry.metrics().catch((error: unknown) => ({ error }))
    if (typeof text !== 'string') return send(response, 500, `Cannot collect metrics: ${String(text.error)}\n`)
    send(response, 200, text, this.#registry.contentType)
  }
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}
