import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { type Measured, nodeMetrics } from './node-metrics.ts'

/** Answers `GET /metrics`, and nothing else, on a port of its own: who scrapes needs no key, and must reach nothing more. */
export class MetricsServer {
  readonly #server: Server
  readonly #registry: Registry

  private constructor(measured: Measured) {
    this.#registry = nodeMetrics(measured)
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  /** Resolves once it listens. Throws if it cannot. */
  static async start(where: { host: string; port: number }, measured: Measured): Promise<MetricsServer> {
    const metrics = new MetricsServer(measured)
    await new Promise<void>((resolve, reject) => {
      metrics.#server.once('error', reject)
      metrics.#server.listen(where, () => resolve())
    })
    return metrics
  }

  /** Cuts off who is just being answered: the next scrape is soon. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #answer({ method, url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url.split('?')[0] !== '/metrics') return send(response, 404, 'There is nothing here but /metrics.\n')
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return send(response, 405, 'This answers GET.\n')
    }
    const text = await this.#registry.metrics().catch((error: unknown) => ({ error }))
    if (typeof text !== 'string') return send(response, 500, `Cannot measure: ${String(text.error)}\n`)
    send(response, 200, text, this.#registry.contentType)
  }
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}
