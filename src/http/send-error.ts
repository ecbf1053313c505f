import type { ApiContext, RequestContext } from './api-context.ts'
import { isFhirTarget, sendOutcome } from './fhir-outcome.ts'
import { JSON_TYPE, parseWeightedList } from './negotiation.ts'
import { internalError, type Problem, problemOf } from './problem.ts'
import { parseTraceparent } from './trace-context.ts'

/** The media type of RFC 9457, 3. */
export const PROBLEM_TYPE = 'application/problem+json'

const REFUSED = new Set([401, 403, 429])

/** Sends the response to an error. An unexpected error is reported, and is a 500 without details. */
export function sendError(error: unknown, context: RequestContext, api: ApiContext): void {
  const known = problemOf(error)
  if (known === undefined) reportError(error, context, api)
  if (context.response.headersSent) context.request.socket.destroy()
  else sendProblem(known ?? internalError(context.requestId), context, api)
  if (known !== undefined && REFUSED.has(known.status))
    api.onRefusal?.(context.request, { status: known.status, reason: known.kind })
}

/**
 * Sends a problem: as an OperationOutcome on the paths of FHIR, as RFC 9457 if `Accept` names that type, otherwise
 * `{"error","message"}`. `type` or `documentation` is the URL of its documentation; `instance` is the request id as a URN (RFC 8141, 2).
 */
export function sendProblem(
  problem: Pick<Problem, 'status' | 'headers' | 'bodyParts'>,
  context: RequestContext,
  { docsUrl, dashboardUrl }: Pick<ApiContext, 'docsUrl' | 'dashboardUrl'>,
): void {
  const { request, response, requestId } = context
  context.problem = problem.bodyParts
  if (isFhirTarget(request.url ?? '')) {
    sendOutcome(problem, { response, requestId })
    return
  }
  const { status, headers, bodyParts } = problem
  const { error: title, message: detail, parameter } = bodyParts
  const documentation = `${docsUrl}/errors#${`${status} ${title}`.toLowerCase().replaceAll(' ', '-')}`
  const instance = `urn:request:${encodeURIComponent(requestId)}`
  const asProblem = wantsProblemType(request.headers.accept)
  const requestLogUrl = logEntryUrl(context, dashboardUrl)
  const content = asProblem
    ? { type: documentation, title, status, detail, instance, parameter, requestLogUrl }
    : { ...bodyParts, documentation, requestLogUrl }
  const body = Buffer.from(JSON.stringify(content))
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...headers,
    'content-type': asProblem ? PROBLEM_TYPE : JSON_TYPE,
    'content-length': body.length,
    'x-request-id': requestId,
  })
  response.end(body)
}

/** The dashboard's page of the request; undefined without a valid key, because the log has no such requests. */
function logEntryUrl({ caller, requestId }: RequestContext, dashboardUrl: string): string | undefined {
  if (caller === undefined) return undefined
  return new URL(`/app/o/${caller.organizationId}/logs/${encodeURIComponent(requestId)}`, dashboardUrl).href
}

/** Only by its name: callers that send a wildcard do not expect the type. */
function wantsProblemType(accept: string | undefined): boolean {
  if (accept?.toLowerCase().includes(PROBLEM_TYPE) !== true) return false
  const ranges = parseWeightedList(accept)
  const weightOf = (type: string) => ranges.find(({ name }) => name === type)?.weight ?? 0
  const weight = weightOf(PROBLEM_TYPE)
  return weight > 0 && weight >= weightOf(JSON_TYPE)
}

/** Reports an unexpected error together with the request that caused it. */
export function reportError(
  error: unknown,
  { request: { method = '', url = '', headers }, requestId: id }: RequestContext,
  { onError }: Pick<ApiContext, 'onError'>,
): void {
  const trace = parseTraceparent(headers.traceparent)
  onError(error, { id, method, url, ...(trace && { traceId: trace.traceId }) })
}
