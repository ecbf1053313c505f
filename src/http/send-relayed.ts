import type { ApiContext } from './api-context.ts'
import { JSON_TYPE } from './negotiation/accept.ts'
import { problemContent } from './problem-content.ts'
import type { Exchange } from './request-context.ts'
import { sendThrown } from './send-error.ts'
import { sendJson } from './send-json.ts'
import type { SerializedResponse } from './serialized-http.ts'

/**
 * Sends what another thread answered, in the form that its caller takes, as what is answered here: data compressed, or not at all to
 * whoever holds it by its tag; a refusal, whoever made it, as RFC 9457 to whoever names that. Nothing if the caller has gone.
 */
export function sendRelayed(answer: SerializedResponse, exchange: Exchange, api: ApiContext): void {
  const { response } = exchange
  if (response.destroyed || response.headersSent) return
  try {
    const told = new Told(answer, exchange.requestId)
    if (answer.status === 200 && told.type === JSON_TYPE)
      sendJson(exchange, { body: told.body, ...(told.etag && { etag: told.etag }) }, told.others)
    else sendAsItIs(answer.status, told, exchange, api)
  } catch (thrown) {
    sendThrown(thrown, exchange, api)
  }
}

/** An answer with its headers sorted out. */
class Told {
  readonly body: Buffer
  readonly type: string | undefined
  readonly etag: string | undefined
  /** Names and values by turns. */
  readonly others: string[]

  constructor({ headers, body }: SerializedResponse, requestId: string) {
    const named = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1]
    this.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    this.type = named('content-type')
    this.etag = named('etag')
    const ours = new Set(['content-type', 'content-length', 'etag', 'x-request-id'])
    this.others = headers.filter(([name]) => !ours.has(name.toLowerCase())).flat()
    this.others.push('X-Request-Id', requestId)
    if (named('cache-control') === undefined) this.others.push('Cache-Control', 'no-store')
  }
}

function sendAsItIs(
  status: number,
  told: Told,
  { request, response, requestId }: Exchange,
  { docsUrl }: ApiContext,
): void {
  const { accept } = request.headers
  const bodyParts = status >= 400 && told.type === JSON_TYPE ? problemPartsOf(told.body) : undefined
  const content =
    bodyParts === undefined
      ? { type: told.type, body: told.body }
      : problemContent({ status, bodyParts }, { accept, requestId, docsUrl })
  const body = Buffer.from(content.body)
  const headers = [...told.others]
  if (content.type !== undefined) headers.push('Content-Type', content.type)
  if (status !== 204) headers.push('Content-Length', String(body.length))
  response.writeHead(status, headers).end(body)
}

interface ProblemParts {
  readonly error: string
  readonly message: string
  readonly parameter: string | undefined
}

/** Undefined for what is no problem of ours, such as an error of JSON-RPC. */
function problemPartsOf(body: Buffer): ProblemParts | undefined {
  const { error, message, parameter } = JSON.parse(body.toString()) as Partial<ProblemParts>
  return typeof error === 'string' && typeof message === 'string' ? { error, message, parameter } : undefined
}
