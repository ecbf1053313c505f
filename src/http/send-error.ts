import type { ApiContext } from './api-context.ts'
import { internalError, problemOf } from './problem.ts'
import { problemContent } from './problem-content.ts'
import type { Exchange } from './request-context.ts'

/** Sends what the caller is to know of whatever was thrown. A fault of ours is reported, and is a 500 that tells nothing. */
export function sendThrown(thrown: unknown, exchange: Exchange, api: ApiContext): void {
  const { request, response, requestId } = exchange
  const known = problemOf(thrown)
  if (known === undefined) {
    api.onFault(thrown, { id: requestId, method: request.method ?? '', url: request.url ?? '' })
  }
  if (response.headersSent) {
    response.destroy()
    return
  }
  const problem = known ?? internalError(requestId)
  const content = problemContent(problem, { accept: request.headers.accept, requestId, docsUrl: api.docsUrl })
  const body = Buffer.from(content.body)
  response.writeHead(problem.status, {
    ...problem.headers,
    'content-type': content.type,
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-request-id': requestId,
  })
  response.end(body)
}
