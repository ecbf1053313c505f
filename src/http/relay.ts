import type { ApiContext, RequestContext } from './api-context.ts'
import { JSON_TYPE } from './negotiation.ts'
import type { Problem } from './problem.ts'
import { headerLines } from './secure-response.ts'
import { sendError, sendProblem } from './send-error.ts'
import { sendJson } from './send-json.ts'
import type { SerializedResponse } from './serialized-http.ts'

/** The path of MCP over HTTP. Relayed to the dashboard thread, with the same API keys as `/v1`. */
export const MCP_PATH = '/mcp'

/** The headers that this thread sets itself. */
const REPLACED = new Set(['content-type', 'content-length', 'etag', 'x-request-id'])

/**
 * Sends a response of another thread like one of this thread: JSON compressed, 304 if the caller has it, and errors as RFC 9457 if
 * `Accept` names that. Sends nothing if the caller has disconnected.
 */
export function sendRelayed(relayed: SerializedResponse, context: RequestContext, api: ApiContext): void {
  const { response, requestId } = context
  if (response.destroyed || response.headersSent) return
  try {
    const { status } = relayed
    const body = Buffer.from(relayed.body.buffer, relayed.body.byteOffset, relayed.body.byteLength)
    const named = new Map(relayed.headers.map(([name, value]) => [name.toLowerCase(), value]))
    const [type, etag] = [named.get('content-type'), named.get('etag')]
    const others = [['cache-control', 'no-store'] as const, ...named].filter(([name]) => !REPLACED.has(name))
    const headers = Object.fromEntries(others)
    const problem = status >= 400 && type === JSON_TYPE ? parseProblem(body) : undefined
    if (problem !== undefined) sendProblem({ status, headers, bodyParts: problem }, context, api)
    else if (status === 200 && type === JSON_TYPE)
      sendJson(
        context,
        { body, ...(etag && { etag }) },
        headerLines(['X-Request-Id', requestId, ...Object.entries(headers).flat()]),
      )
    else
      response
        .writeHead(status, {
          ...headers,
          'x-request-id': requestId,
          ...(type && { 'content-type': type }),
          ...(status !== 204 && { 'content-length': body.length }),
        })
        .end(body)
  } catch (error) {
    sendError(error, context, api)
  }
}

/** Undefined for other errors, such as those of JSON-RPC. */
function parseProblem(body: Buffer): Problem['bodyParts'] | undefined {
  const { error, message, parameter } = JSON.parse(body.toString()) as Partial<Problem['bodyParts']>
  return typeof error === 'string' && typeof message === 'string' ? { error, message, parameter } : undefined
}
