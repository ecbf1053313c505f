import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A recorded request and its response. */
export interface Recorded {
  readonly url: URL
  readonly status: number
  readonly type: string
  readonly body: string
}

/** A proxy in front of a service that records requests, independent of the client's language. */
export class RecordingProxy implements AsyncDisposable {
  readonly origin: string
  /** In the order of the responses. */
  readonly #recorded: Recorded[] = []
  readonly #server

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** `target` is called for each request: the proxy may start before the service has an address. */
  static async before(target: () => string): Promise<RecordingProxy> {
    const server = createServer((asked, answer) => forward(asked, answer, { target: target(), keep }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const proxy = new RecordingProxy(server)
    return proxy

    function keep(recorded: Recorded): void {
      proxy.#recorded.push(recorded)
    }
  }

  /** Removes and returns the recorded requests. */
  take(): Recorded[] {
    return this.#recorded.splice(0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  { target, keep }: { target: string; keep: (recorded: Recorded) => void },
): void {
  const url = new URL(asked.url ?? '/', target)
  // Without compression, so that the body can be recorded.
  const headers = { ...asked.headers, host: url.host, 'accept-encoding': 'identity' }
  request(url, { method: asked.method, headers }, (response) => {
    const status = response.statusCode ?? 0
    const chunks: Buffer[] = []
    answer.writeHead(status, response.headers)
    response.on('data', (chunk) => {
      chunks.push(chunk)
      answer.write(chunk)
    })
    response.on('end', () => {
      const type = String(response.headers['content-type'])
      keep({ url, status, type, body: Buffer.concat(chunks).toString() })
      answer.end()
    })
  })
    .on('error', () => answer.destroy())
    .end()
}
