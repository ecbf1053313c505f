import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'

/** The ways in which a feed is delivered: two valid ones, failures and attacks. */
export const DELIVERIES = [
  'whole',
  'gzip',
  'cut',
  'cut gzip',
  'silence',
  'drip',
  'endless lines',
  'endless line',
  'length too long',
  'length too short',
  'bomb',
  'redirect to a private address',
  'redirects without end',
  'throttled',
  'refused',
] as const
export type Delivery = (typeof DELIVERIES)[number]

/** Deliveries by which the whole feed must be readable. */
export const VALID_DELIVERIES: readonly Delivery[] = ['whole', 'gzip']

/** The Retry-After of `throttled`. */
export const RETRY_AFTER_MS = 120_000

type Content = Iterable<string>
type Send = (response: ServerResponse, content: Content) => void

/** Responds to a request with the content in this way. */
export function deliver(response: ServerResponse, content: Content, delivery: Delivery): void {
  WAYS[delivery](response, content)
}

/** The content as a file in this way. */
export function asFile(content: Content, delivery: Delivery): Readable {
  if (delivery === 'whole') return Readable.from(batched(content))
  if (delivery === 'gzip') return Readable.from(batched(content)).pipe(createGzip())
  if (delivery === 'cut gzip') return Readable.from([half(gzipSync(textOf(content)))])
  if (delivery === 'bomb') return Readable.from([BOMB])
  if (delivery === 'endless lines') return Readable.from(endless(content))
  if (delivery === 'endless line') return Readable.from(endlessLine(content))
  throw new Error(`Cannot bring a file: delivery must be one of files: got "${delivery}"`)
}

/** 64 MiB of blanks in 64 KiB. */
const BOMB = gzipSync(Buffer.alloc(2 ** 26, ' '))

const WAYS: Record<Delivery, Send> = {
  whole: (response, content) => pour(Readable.from(batched(content)), response),
  gzip: (response, content) => {
    response.setHeader('content-encoding', 'gzip')
    pour(Readable.from(batched(content)).pipe(createGzip()), response)
  },
  cut: (response, content) => {
    response.writeHead(200)
    response.write(half(Buffer.from(textOf(content))), () => response.destroy())
  },
  'cut gzip': (response, content) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(half(gzipSync(textOf(content))))
  },
  silence: (response, content) => {
    response.writeHead(200).write(half(Buffer.from(textOf(content))))
  },
  drip: (response, content) => {
    const bytes = Buffer.from(textOf(content))
    let at = 0
    const timer = setInterval(() => response.write(bytes.subarray(at % 100, (at++ % 100) + 1)), 20)
    response.once('close', () => clearInterval(timer))
  },
  'endless lines': (response, content) => pour(Readable.from(endless(content)), response),
  'endless line': (response, content) => pour(Readable.from(endlessLine(content)), response),
  'length too long': (response, content) => {
    const bytes = Buffer.from(textOf(content))
    response.writeHead(200, { 'content-length': bytes.length + 100 })
    response.write(bytes, () => response.destroy())
  },
  'length too short': (response, content) => {
    const bytes = Buffer.from(textOf(content))
    response.writeHead(200, { 'content-length': bytes.length - 100 }).end(bytes)
  },
  bomb: (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)
  },
  'redirect to a private address': (response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
  },
  'redirects without end': (response) => {
    response.writeHead(302, { location: `${response.req.url}` }).end()
  },
  throttled: (response) => {
    response.writeHead(429, { 'retry-after': String(RETRY_AFTER_MS / 1000) }).end()
  },
  refused: (response) => {
    response.writeHead(500).end('<html>\u001b[2J')
  },
}

/** The reader may disconnect at any time. */
function pour(from: Readable, response: ServerResponse): void {
  response.once('close', () => from.destroy())
  from.pipe(response)
}

function textOf(content: Content): string {
  return [...content].join('')
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2)
}

/** The content in larger chunks, so that reading them takes less time than the lines. */
function* batched(content: Content): Generator<Buffer> {
  let gathered = ''
  for (const text of content) {
    gathered += text
    if (gathered.length < 65_536) continue
    yield Buffer.from(gathered)
    gathered = ''
  }
  yield Buffer.from(gathered)
}

function* endless(content: Content): Generator<Buffer> {
  const [head, line] = firstTwo(content)
  yield Buffer.from(head)
  const many = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)))
  for (;;) yield Buffer.from(many)
}

function* endlessLine(content: Content): Generator<Buffer> {
  const [head, line] = firstTwo(content)
  yield Buffer.from(head + line.slice(0, line.length / 2))
  const filler = Buffer.alloc(65_536, 'x')
  for (;;) yield Buffer.from(filler)
}

/** The content up to the first line. */
function firstTwo(content: Content): [string, string] {
  const [head = '', line = ''] = content
  return [head, line]
}
