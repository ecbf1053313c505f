import type { ApiContext, RequestContext } from './api-context.ts'
import { JSON_TYPE } from './negotiation.ts'
import type { Problem } from './problem.ts'
import { problemContent } from './problem-content.ts'
import { sendError } from './send-error.ts'
import { sendJson } from './send-json.ts'
import type { SerializedResponse } from './serialized-http.ts'

/** The path of MCP over HTTP. Relayed to the dashboard thread, with the same API keys as `/v1`. */
export const MCP_PATH = '/mcp'

/**
 * Sends a response of another thread like one of this thread: JSON compressed, 304 if the caller has it, and errors as RFC 9457 if
 * `Accept` names that. Sends nothing if the caller has disconnected.
 */
export function sendRelayed(relayed: SerializedResponse, context: RequestContext, api: ApiContext): void {
  const { response } = context
  if (response.destroyed || response.headersSent) return
  try {
    const parsed = new ParsedResponse(relayed, context.requestId)
    if (relayed.status === 200 && parsed.type === JSON_TYPE)
      sendJson(context, { body: parsed.body, ...(parsed.etag && { etag: parsed.etag }) }, parsed.others)
    else sendUnchanged(relayed.status, parsed, context, api)
  } catch (error) {
    sendError(error, context, api)
  }
}

/** A response with its headers sorted out. */
class ParsedResponse {
  readonly body: Buffer
  readonly type: string | undefined
  readonly etag: string | undefined
  /** Names and values alternating. */
  readonly others: string[]

  constructor({ headers, body }: SerializedResponse, requestId: string) {
    const headerOf = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1]
    this.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    this.type = headerOf('content-type')
    this.etag = headerOf('etag')
    this.others = headers.filter(([name]) => !REPLACED.has(name.toLowerCase())).flat()
    this.others.push('X-Request-Id', requestId)
    if (headerOf('cache-control') === undefined) this.others.push('Cache-Control', 'no-store')
  }
}

/** The headers that this thread sets itself. */
const REPLACED = new Set(['content-type', 'content-length', 'etag', 'x-request-id'])

function sendUnchanged(
  status: number,
  parsed: ParsedResponse,
  { request, response, requestId }: RequestContext,
  { docsUrl }: ApiContext,
): void {
  const { accept } = request.headers
  const bodyParts = status >= 400 && parsed.type === JSON_TYPE ? parseProblem(parsed.body) : undefined
  const content =
    bodyParts === undefined
      ? { type: parsed.type, body: parsed.body }
      : problemContent({ status, bodyParts }, { accept, requestId, docsUrl })
  const body = Buffer.from(content.body)
  const headers = [...parsed.others]
  if (content.type !== undefined) headers.push('Content-Type', content.type)
  if (status !== 204) headers.push('Content-Length', String(body.length))
  response.writeHead(status, headers).end(body)
}

/** Undefined for other errors, such as those of JSON-RPC. */
function parseProblem(body: Buffer): Problem['bodyParts'] | undefined {
  const { error, message, parameter } = JSON.parse(body.toString()) as Partial<Problem['bodyParts']>
  return typeof error === 'string' && typeof message === 'string' ? { error, message, parameter } : undefined
}
