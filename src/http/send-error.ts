import type { ApiContext, RequestContext } from './api-context.ts'
import { internalError, problemOf } from './problem.ts'
import { problemContent } from './problem-content.ts'

/** Sends the response to an error. An unexpected error is reported, and is a 500 without details. */
export function sendError(error: unknown, context: RequestContext, api: ApiContext): void {
  const { request, response, requestId } = context
  const known = problemOf(error)
  if (known === undefined) reportError(error, context, api)
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

/** Reports an unexpected error together with the request that caused it. */
export function reportError(
  error: unknown,
  { request: { method = '', url = '' }, requestId: id }: RequestContext,
  { onError }: Pick<ApiContext, 'onError'>,
): void {
  onError(error, { id, method, url })
}
