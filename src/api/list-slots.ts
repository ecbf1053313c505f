// Hot path
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseSlotQuery } from '../slot/slot-query.ts'
import { requireJsonAccepted } from './accept.ts'
import type { ApiContext } from './api-context.ts'
import { isNotModified } from './not-modified.ts'
import { pageLinks } from './page-links.ts'
import { type Answer, hashOf, type PageMemory } from './page-memory.ts'

export const SLOTS_PATH = '/v1/scheduling/slots'

/**
 * GET /v1/scheduling/slots: one page of the slots that match, and how many there are in all.
 *
 * Answers at once, from memory. Throws `Problem('not-acceptable')` and `InvalidParameter`; nothing is sent then.
 */
export function listSlots(exchange: Exchange, api: ApiContext, pages: PageMemory): void {
  const { request, response, requestId } = exchange
  requireJsonAccepted(request)
  const nowMs = api.now()
  api.index.advance(nowMs)
  const url = request.url ?? SLOTS_PATH
  const answer = pages.find(url, api.index.version) ?? selectPage(url, nowMs, api, pages)
  if (isNotModified(request, answer.etag)) {
    response.writeHead(304, ['ETag', answer.etag, ...COMMON, 'X-Request-Id', requestId])
    response.end()
    return
  }
  response.writeHead(200, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(answer.body.length),
    'ETag',
    answer.etag,
    'Link',
    answer.link,
    ...COMMON,
    'X-Request-Id',
    requestId,
  ])
  response.end(answer.body)
}

/** One request and its answer in the making. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

/** An answer may be kept by its caller, who is to ask whether it still holds. */
const COMMON = ['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, X-Api-Key'] as const

function selectPage(url: string, nowMs: number, api: ApiContext, pages: PageMemory): Answer {
  const search = url.slice(SLOTS_PATH.length + 1)
  const query = parseSlotQuery(search)
  const page = api.index.select(query, nowMs)
  const answer = {
    body: page.body,
    etag: `"${api.index.version}-${hashOf(search).toString(16)}"`,
    link: pageLinks(api.baseUrl + SLOTS_PATH, search, query, page.total),
  }
  pages.note(url, answer)
  return answer
}
