// Hot path
import type { ServerResponse } from 'node:http'
import { parseSlotQuery } from '../slot/slot-query.ts'
import { requireJsonAccepted } from './accept.ts'
import type { ApiContext } from './api-context.ts'
import type { Exchange } from './exchange.ts'
import { isNotModified } from './not-modified.ts'
import { pageLinks } from './page-links.ts'
import { type Answer, hashOf, PageMemory } from './page-memory.ts'
import { PageSlabs } from './page-slabs.ts'

export const SLOTS_PATH = '/v1/scheduling/slots'

/** GET /v1/scheduling/slots: one page of the slots that match, and how many there are in all. */
export class SlotsOperation {
  readonly #api: ApiContext
  readonly #pages = new PageMemory()
  readonly #slabs = new PageSlabs()

  constructor(api: ApiContext) {
    this.#api = api
  }

  /** Answers at once, from memory. Throws `Problem('not-acceptable')` and `InvalidParameter`; nothing is sent then. */
  list({ request, response, requestId }: Exchange, nowMs: number): void {
    requireJsonAccepted(request)
    const { index } = this.#api
    index.advance(nowMs)
    const url = request.url ?? SLOTS_PATH
    const answer = this.#pages.find(url, index.version) ?? this.#select(url, nowMs, response)
    // An answer may be kept by its caller, who is to ask whether it still holds.
    const headers = ['ETag', answer.etag, 'Link', answer.link, 'X-Request-Id', requestId]
    headers.push('Cache-Control', 'private, no-cache')
    if (isNotModified(request, answer.etag)) {
      response.writeHead(304, headers).end()
      return
    }
    headers.push('Content-Type', 'application/json', 'Content-Length', String(answer.body.length))
    response.writeHead(200, headers).end(answer.body)
  }

  #select(url: string, nowMs: number, response: ServerResponse): Answer {
    const { index, baseUrl } = this.#api
    const search = url.slice(SLOTS_PATH.length + 1)
    const query = parseSlotQuery(search)
    const page = index.select(query, nowMs, (bytes) => this.#slabs.take(bytes, response))
    const answer = {
      body: page.body,
      etag: `"${index.version}-${hashOf(search)}"`,
      link: pageLinks(baseUrl + SLOTS_PATH, search, query, page.total),
    }
    this.#pages.note(url, answer)
    return answer
  }
}
