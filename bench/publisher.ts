import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { BenchFeed, type BenchFile } from './bench-feed.ts'

export interface BenchPublisherOptions {
  readonly port: number
  readonly slots: number
  readonly seed: number
  readonly nowMs: number
}

export interface BenchPublisher {
  /** The address of its `$bulk-publish`. */
  readonly url: string
  close(): Promise<void>
}

interface Publication {
  readonly feed: BenchFeed
  readonly folder: string
  readonly origin: string
  files: readonly BenchFile[]
}

/**
 * Publishes exactly `slots` slots on loopback from prerendered files; removes them when closed.
 *
 * `POST /__change?share=0.01` changes one percent of the slots and returns `{"changed":n}` after publishing.
 */
export async function startBenchPublisher(options: BenchPublisherOptions): Promise<BenchPublisher> {
  const folder = await mkdtemp(join(tmpdir(), 'slots-bench-feed-'))
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const feed = new BenchFeed(folder, options)
  const publication: Publication = { feed, folder, origin, files: await feed.render() }
  server.on('request', (request, response) => {
    respond(request, response, publication).catch(() => response.destroy())
  })
  return {
    url: `${origin}/$bulk-publish`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, publication: Publication): Promise<void> {
  const url = new URL(request.url ?? '/', publication.origin)
  const path = decodeURIComponent(url.pathname)
  if (request.method === 'POST' && path === '/__change') {
    const changed = publication.feed.change(Number(url.searchParams.get('share')))
    publication.files = await publication.feed.render()
    response.end(JSON.stringify({ changed }))
    return
  }
  const file = publication.files.find(({ name }) => path === `/${name}`)
  if (path === '/$bulk-publish') response.end(manifest(publication))
  else if (file === undefined) response.writeHead(404).end()
  else if (request.headers['if-none-match'] === file.etag) response.writeHead(304, { etag: file.etag }).end()
  else await send(response, file, publication.folder)
}

async function send(response: ServerResponse, file: BenchFile, folder: string): Promise<void> {
  response.writeHead(200, {
    etag: file.etag,
    'content-type': 'application/fhir+ndjson',
    'content-length': file.bytes,
  })
  // Large chunks, so that the publisher is never the bottleneck.
  await pipeline(createReadStream(join(folder, file.name), { highWaterMark: 1_048_576 }), response)
}

function manifest({ origin, files }: Publication): string {
  const output = files.map(({ type, name, state }) => ({
    type,
    url: `${origin}/${name}`,
    ...(state === undefined ? {} : { extension: { state: [state] } }),
  }))
  return JSON.stringify({
    transactionTime: '2026-01-01T00:00:00Z',
    request: `${origin}/$bulk-publish`,
    output,
    error: [],
  })
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      slots: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
    },
  })
  const publisher = await startBenchPublisher({
    port: Number(values.port),
    slots: Number(values.slots),
    seed: Number(values.seed),
    nowMs: Date.now(),
  })
  console.log(publisher.url)
  const stop = () => publisher.close().then(() => process.exit(0))
  process.once('disconnect', stop)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
}
