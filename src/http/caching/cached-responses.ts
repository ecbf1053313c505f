// Hot path
import { shortHash } from '../../slot/short-hash.ts'
import type { ApiContext } from '../api-context.ts'
import type { Exchange } from '../request-context.ts'
import { sendJson } from '../send-json.ts'
import type { Read } from '../v1/operation.ts'
import type { Found } from '../v1/operations.ts'
import { CacheControl } from './cache-control.ts'
import { hashOf, PageMemory, type RememberedAnswer } from './page-cache.ts'
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
  send(exchange: Exchange, found: Found, read: Read, nowMs: number): void {
    const { request, response, requestId } = exchange
    const { index } = this.#api
    index.advance(nowMs)
    const url = request.url ?? ''
    const remembered = this.#remembered.find(url, index.version)
    const startedMs = remembered === undefined ? performance.now() : 0
    const answer =
      remembered ??
      this.#read(url, found, read, { nowMs, allocate: (bytes) => this.#slabs.take(bytes, response) })
    const timing = remembered === undefined ? timingSince(startedMs) : undefined
    const headers = [...answer.headers, 'X-Request-Id', requestId]
    headers.push('Cache-Control', this.#cacheControl.textAt(nowMs))
    // A remembered answer took the index no time, and each header costs a twenty-fifth of one.
    if (timing !== undefined) headers.push('Server-Timing', timing)
    sendJson(exchange, answer, headers)
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

/** `Server-Timing` (W3C): what reading the answer from the index took, in milliseconds. */
function timingSince(startedMs: number): string {
  return `index;dur=${(performance.now() - startedMs).toFixed(3)}`
}
