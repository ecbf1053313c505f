import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request that came by, and what was answered. */
export interface Recorded {
  readonly url: URL
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Stands before a service, so that what a program asks can be looked at in whatever language it is written. */
export class RecordingProxy implements AsyncDisposable {
  readonly origin: string
  /** As they were answered. */
  readonly #recorded: Recorded[] = []
  readonly #server

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** `target` is asked for with each request: the service may be told this one's address before it has its own. */
  static async before(target: () => string): Promise<RecordingProxy> {
    const server = createServer((asked, answer) => forward(asked, answer, { target: target(), keep }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const proxy = new RecordingProxy(server)
    return proxy

    function keep(recorded: Recorded): void {
      proxy.#recorded.push(recorded)
    }
  }

  /** What was recorded since it was taken last. */
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
  // Plain, so that it can be read on its way.
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
