import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A file of a feed: its text, or the whole answer. */
export type Published = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** A real HTTP server on loopback that publishes files, with strong ETags, and remembers what it was asked. */
export class Publisher implements AsyncDisposable {
  /** By path with query, `/$bulk-publish` among them; may be changed at any time. */
  readonly files: Record<string, Published>
  /** `GET /path 200`, in order. */
  readonly log: string[] = []
  readonly #server = createServer((request, response) => this.#answer(request, response))
  origin = ''

  private constructor(files: Record<string, Published>) {
    this.files = files
  }

  static async open(files: Record<string, Published>): Promise<Publisher> {
    const publisher = new Publisher(files)
    await new Promise<void>((listening) => publisher.#server.listen(0, '127.0.0.1', listening))
    publisher.origin = `http://127.0.0.1:${(publisher.#server.address() as AddressInfo).port}`
    return publisher
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done))
    this.#server.closeAllConnections()
    await closed
  }

  /** What was asked since the last call. */
  asked(): string[] {
    return this.log.splice(0)
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const file = this.files[request.url ?? '']
    response.on('finish', () => this.log.push(`${request.url} ${response.statusCode}`))
    if (typeof file === 'function') {
      file(request, response)
      return
    }
    const etag = `"${createHash('sha1')
      .update(file ?? '')
      .digest('hex')}"`
    const status = file === undefined ? 404 : request.headers['if-none-match'] === etag ? 304 : 200
    response.writeHead(status, { etag }).end(status === 200 ? file : '')
  }
}

/** Resources as the lines of a file. */
export function ndjson(...resources: readonly unknown[]): string {
  return resources.map((resource) => `${JSON.stringify(resource)}\n`).join('')
}

/** A manifest of files by path, each with its type. */
export function manifest(files: Readonly<Record<string, string>>, more: object = {}): string {
  const output = Object.entries(files).map(([url, type]) => ({ type, url }))
  return JSON.stringify({ transactionTime: '2026-03-01T00:00:00Z', request: '', output, error: [], ...more })
}
