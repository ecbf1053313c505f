import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LoopbackServer } from './loopback-server.ts'

/** A file of a feed: its text, or a function that responds. */
export type Published = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** Publishes files, with strong ETags. */
export class Publisher extends LoopbackServer {
  /** By path with query, `/$bulk-publish` among them; may be changed at any time. */
  readonly files: Record<string, Published>

  private constructor(files: Record<string, Published>) {
    super()
    this.files = files
  }

  static open(files: Record<string, Published>): Promise<Publisher> {
    return new Publisher(files).listen()
  }

  protected override answer(request: IncomingMessage, response: ServerResponse): void {
    const file = this.files[request.url ?? '']
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
