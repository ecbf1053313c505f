// Hot path
import { shortHash } from '../slot/short-hash.ts'
import type { ApiContext } from './api-context.ts'
import { CacheControl } from './cache-control.ts'
import type { Exchange } from './exchange.ts'
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
    const answer =
      this.#remembered.find(url, index.version) ??
      this.#read(url, found, read, { nowMs, allocate: (bytes) => this.#slabs.take(bytes, response) })
    const headers = ['ETag', answer.etag, ...answer.headers, 'X-Request-Id', requestId]
    headers.push('Cache-Control', this.#cacheControl.textAt(nowMs))
    if (isNotModified(request, answer.etag)) {
      response.writeHead(304, headers).end()
      return
    }
    headers.push('Content-Type', 'application/json', 'Content-Length', String(answer.body.length))
    response.writeHead(200, headers).end(answer.body)
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
