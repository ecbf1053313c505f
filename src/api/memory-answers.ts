// Hot path
import type { ServerResponse } from 'node:http'
import { shortHash } from '../slot/short-hash.ts'
import type { ApiContext } from './api-context.ts'
import { CacheControl } from './cache-control.ts'
import { codingFor, compressBody } from './compress-body.ts'
import type { Exchange } from './exchange.ts'
import type { ContentCoding } from './export/content-coding.ts'
import { isNotModified } from './not-modified.ts'
import type { Read } from './operation.ts'
import type { Found } from './operations.ts'
import { hashOf, PageMemory, type RememberedAnswer } from './page-memory.ts'
import { PageSlabs } from './page-slabs.ts'

/** Gives the answers that are read from memory, and remembers those that are asked for again. */
export class MemoryAnswers {
  readonly #api: ApiContext
  readonly #remembered = new PageMemory()
  readonly #slabs = new PageSlabs()
  readonly #cacheControl: CacheControl

  constructor(api: ApiContext) {
    this.#api = api
    this.#cacheControl = new CacheControl(api.sources)
  }

  /** Sends what an operation reads, at once. Throws what the operation throws; nothing is sent then. */
  send({ request, response, requestId }: Exchange, found: Found, read: Read, nowMs: number): void {
    const { index } = this.#api
    index.advance(nowMs)
    const url = request.url ?? ''
    const remembered = this.#remembered.find(url, index.version)
    const startedMs = remembered === undefined ? performance.now() : 0
    const answer =
      remembered ??
      this.#read(url, found, read, { nowMs, allocate: (bytes) => this.#slabs.take(bytes, response) })
    const timing = remembered === undefined ? timingSince(startedMs) : undefined
    const coding = codingFor(request, answer.body.length)
    // A tag stands for the very bytes (RFC 9110, 8.8.3), and each coding has its own.
    const etag = coding === undefined ? answer.etag : `${answer.etag.slice(0, -1)}-${coding}"`
    const headers = ['ETag', etag, ...answer.headers, 'X-Request-Id', requestId]
    headers.push('Cache-Control', this.#cacheControl.textAt(nowMs), 'Vary', 'Accept, Accept-Encoding')
    // A remembered answer took the index no time, and each header costs a twenty-fifth of one.
    if (timing !== undefined) headers.push('Server-Timing', timing)
    if (isNotModified(request, etag)) response.writeHead(304, headers).end()
    else if (coding === undefined) end(response, headers, answer.body)
    else if (request.method === 'HEAD') endHeadCoded(response, headers, coding)
    else this.#endCoded(response, headers, answer, coding)
  }

  #endCoded(
    response: ServerResponse,
    headers: string[],
    answer: RememberedAnswer,
    coding: ContentCoding,
  ): void {
    const send = (coded: Buffer) => end(response, [...headers, 'Content-Encoding', coding], coded)
    const known = answer.coded?.get(coding)
    if (known !== undefined) send(known)
    else
      compressBody(answer.body, coding, (coded) => {
        // Where that failed, the body goes out as it is; without the tag, which is that of other bytes.
        if (coded === undefined) end(response, headers.slice(2), answer.body)
        else {
          answer.coded ??= new Map()
          answer.coded.set(coding, coded)
          send(coded)
        }
      })
  }

  #read(
    url: string,
    { operation, search, name }: Found,
    read: Read,
    memory: { nowMs: number; allocate: (bytes: number) => Buffer },
  ): RememberedAnswer {
    const { body, headers } = read({ search, name, ...memory }, this.#api)
    if (operation.isTimely) return { body, headers, etag: `"${shortHash(body.toString('latin1'))}"` }
    // Each path counts its own way, so it belongs to the question.
    const answer = { body, headers, etag: `"${this.#api.index.version}-${hashOf(url)}"` }
    this.#remembered.note(url, answer)
    return answer
  }
}

function end(response: ServerResponse, headers: string[], body: Buffer): void {
  headers.push('Content-Type', 'application/json', 'Content-Length', String(body.length))
  response.writeHead(200, headers).end(body)
}

/** As GET would be answered, less the length, which only compressing tells (RFC 9110, 8.6). */
function endHeadCoded(response: ServerResponse, headers: string[], coding: ContentCoding): void {
  headers.push('Content-Encoding', coding, 'Content-Type', 'application/json')
  response.writeHead(200, headers).end()
}

/** `Server-Timing` (W3C): what reading the answer from the index took, in milliseconds. */
function timingSince(startedMs: number): string {
  return `index;dur=${(performance.now() - startedMs).toFixed(3)}`
}
