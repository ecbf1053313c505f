import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { SampleFeed } from './sample-feed.ts'
import { type SampleFile, SampleFiles } from './sample-files.ts'

export interface PublisherOptions {
  /** 0 selects a free port. */
  readonly port: number
  readonly slots: number
  readonly seed: number
  readonly clock: () => number
}

/** The feed changes in steps of this length, its `max-age`, so that one sync usually sees one state. */
const STEP_MS = 60_000

/** Publishes a sample feed at `/$bulk-publish` on loopback. `url` is that address. */
export async function startPublisher(options: PublisherOptions): Promise<{ url: string; close(): Promise<void> }> {
  const files = new SampleFiles(new SampleFeed(options.slots, options.seed))
  const server = createServer((request, response) => {
    const nowMs = Math.floor(options.clock() / STEP_MS) * STEP_MS
    respond(request, response, files, nowMs).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/$bulk-publish`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  files: SampleFiles,
  nowMs: number,
): Promise<void> {
  const path = pathOf(request.url ?? '/')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  if (path?.startsWith('/book/')) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(bookingPage(path.slice(6)))
    return
  }
  const file = path === undefined ? undefined : files.find(path, `http://${request.headers.host}`, nowMs)
  if (file === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('Not published.\n')
  else await send(request, response, file)
}

async function send(request: IncomingMessage, response: ServerResponse, file: SampleFile): Promise<void> {
  const headers = {
    etag: file.etag,
    'last-modified': new Date(file.lastModifiedMs).toUTCString(),
    'cache-control': 'max-age=60',
  }
  if (isKnown(request, file)) {
    response.writeHead(304, headers).end()
    return
  }
  response.writeHead(200, { ...headers, 'content-type': file.contentType })
  if (request.method === 'HEAD') response.end()
  else await pipeline(Readable.from(file.body()), response)
}

/** If-None-Match takes precedence over If-Modified-Since (RFC 9110, 13.2.2). */
function isKnown(request: IncomingMessage, file: SampleFile): boolean {
  const tags = request.headers['if-none-match']
  if (tags !== undefined) return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === file.etag)
  const sinceMs = Date.parse(request.headers['if-modified-since'] ?? '')
  return Math.floor(file.lastModifiedMs / 1000) * 1000 <= sinceMs
}

/** Decodes `%24bulk-publish` to `$bulk-publish`; undefined for invalid escapes. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?', 1)[0])
  } catch {
    return undefined
  }
}

function bookingPage(id: string): string {
  const shown = /^[\w-]{1,64}$/.test(id) ? id : 'unknown'
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sample booking page</title>
<h1>This is a sample</h1>
<p>A real publisher would let you book slot <code>${shown}</code> here. This one is made up, and so is its clinic.</p>
</html>
`
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      slots: { type: 'string', default: '50000' },
      seed: { type: 'string', default: '1' },
    },
  })
  const publisher = await startPublisher({
    port: Number(values.port),
    slots: Number(values.slots),
    seed: Number(values.seed),
    clock: Date.now,
  })
  console.log(publisher.url)
  // Exits with the parent process if there is an IPC channel.
  process.once('disconnect', () => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
}
