import type { ServiceIdentity } from '../../shared/service-identity.ts'
import type { FairCaller } from '../fair-queue.ts'
import type { NodeQuery } from '../node-query.ts'
import { Problem, temporarilyUnavailable } from '../problem.ts'
import { MCP_PATH } from '../relay.ts'
import { jsonResponse, problemResponse, type SerializedRequest, type SerializedResponse } from '../serialized-http.ts'
import { SUBSCRIPTIONS_PATH } from '../v1/subscriptions/subscription-operations.ts'
import { type QueryService, readResult } from './query-service.ts'

interface McpEndpointOptions {
  /** Queries the thread that has the slots. */
  readonly ask: (query: NodeQuery, signal?: AbortSignal) => Promise<SerializedResponse>
  /** Answers the operations of subscriptions. */
  readonly subscriptions: (request: SerializedRequest) => Promise<SerializedResponse>
  /** Pages of the origins of these URLs may call it. */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly service?: ServiceIdentity
  readonly version: string
  /** Called for internal errors. */
  readonly onError: (error: unknown, request: { id: string; method: string; url: string }) => void
}

/**
 * MCP over streamable HTTP: each message is a POST with a JSON response. Without sessions and streams, any node and thread
 * can handle any message.
 *
 * The caller has authenticated the request. The SDK is loaded with the first message.
 */
export class McpEndpoint {
  readonly #options: McpEndpointOptions
  readonly #origins: ReadonlySet<string>

  constructor(options: McpEndpointOptions) {
    this.#options = options
    this.#origins = new Set([options.baseUrl, options.dashboardUrl].map((home) => new URL(home).origin))
  }

  /** Never rejects: errors become responses. Once the signal aborts, the response is not needed. */
  async answer(request: SerializedRequest, signal?: AbortSignal): Promise<SerializedResponse> {
    try {
      return await this.#answer(request, signal)
    } catch (error) {
      const { requestId: id, method, target: url } = request
      this.#options.onError(error, { id, method, url })
      return refuse(500, INTERNAL_ERROR, `The service failed. Please report request ${id}.`)
    }
  }

  async #answer(request: SerializedRequest, signal: AbortSignal | undefined): Promise<SerializedResponse> {
    if (request.method !== 'POST') return this.#answerOtherMethod(request)
    const headers = headersOf(request)
    const origin = headers.get('origin')
    // Any web page could reach a service on its visitor's machine by DNS rebinding (MCP: Transports, Security Warning).
    if (origin !== null && !this.#origins.has(origin))
      return refuse(403, REFUSED, 'The Origin header must be absent or name this service.')
    const message = parseMessage(request.body)
    if (message === undefined) return refuse(400, PARSE_ERROR, 'The body must be JSON in UTF-8.')
    if (Array.isArray(message)) return refuse(400, INVALID_REQUEST, 'The body must be a single message, not a batch.')
    const { handleMessage } = await import('./mcp-server.ts')
    const { version, service, baseUrl, onError } = this.#options
    const { requestId: id, method, target: url, caller = NO_CALLER } = request
    const response = await handleMessage(new Request(PLACEHOLDER_URL, { method, headers }), message, {
      ask: async (path, search, input) => {
        const operation = targetOf(path, search)
        if (path === SUBSCRIPTIONS_PATH)
          return readSerialized(await this.#options.subscriptions(subscriptionRequest(request, operation, input)))
        return readSerialized(await this.#options.ask({ about: 'operation', target: operation, by: caller }, signal))
      },
      version,
      websiteUrl: baseUrl,
      ...(service !== undefined && { service }),
      onError: (error) => onError(error, { id, method, url }),
    })
    return serialize(response)
  }

  #answerOtherMethod(request: SerializedRequest): SerializedResponse {
    if (request.method === 'OPTIONS') return { status: 204, headers: [['allow', ALLOW]], body: new Uint8Array() }
    const message = `${MCP_PATH} supports ${ALLOW}: got ${request.method}.`
    return problemResponse(new Problem('method-not-allowed', message, { headers: { allow: ALLOW } }))
  }
}

/** Throws `QueryError`. */
function readSerialized({ status, headers, body }: SerializedResponse): Awaited<ReturnType<QueryService>> {
  const received = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
  return readResult(status, new TextDecoder().decode(body), (name) => received.get(name) ?? undefined)
}

/** The request to `/v1` that a message stands for, of the same caller. */
function subscriptionRequest(
  { body: _message, ...request }: SerializedRequest,
  target: string,
  input: object | undefined,
): SerializedRequest {
  const to = { ...request, target, operation: SUBSCRIPTIONS_PATH, headers: [] }
  if (input === undefined) return { ...to, method: 'GET' }
  return { ...to, method: 'POST', body: new TextEncoder().encode(JSON.stringify(input)) }
}

function targetOf(path: string, search: string): string {
  return `${path}${search === '' ? '' : `?${search}`}`
}

/** The response while the thread starts or its store is unavailable. */
export function mcpUnavailable(): Problem {
  return temporarilyUnavailable('MCP is')
}

const ALLOW = 'POST, OPTIONS'

/** The dispatcher names the caller of every request. */
const NO_CALLER: FairCaller = { id: '', organizationId: '' }

/** The SDK reads the headers only. */
const PLACEHOLDER_URL = 'http://localhost/mcp'

/** Error codes of JSON-RPC 2.0, 5.1; the last is implementation-defined. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const INTERNAL_ERROR = -32603
const REFUSED = -32000

/** Only the protocol's own headers: keys and cookies are not passed on. */
function headersOf({ headers }: SerializedRequest): Headers {
  const known = new Set(['accept', 'content-type', 'origin', 'mcp-protocol-version', 'mcp-method', 'mcp-name'])
  return new Headers(
    headers.filter(([name]) => known.has(name.toLowerCase())).map(([name, value]): [string, string] => [name, value]),
  )
}

function parseMessage(body: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

async function serialize(response: Response): Promise<SerializedResponse> {
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: [...response.headers], body }
}

/** An error response in the SDK's format. */
function refuse(status: number, code: number, message: string): SerializedResponse {
  return jsonResponse(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }), { status })
}
