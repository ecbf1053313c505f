import type { NodeQuery } from '../node-query.ts'
import { Problem } from '../problem.ts'
import { MCP_PATH } from '../relay.ts'
import {
  jsonResponse,
  problemResponse,
  type SerializedRequest,
  type SerializedResponse,
} from '../serialized-http.ts'
import { type AskService, readAnswer } from './query-service.ts'

/** What the endpoint is made of. */
export interface McpEndpointParts {
  /** Asks the thread that holds the slots. */
  readonly ask: (question: NodeQuery) => Promise<SerializedResponse>
  /** Addresses of ours: pages of these origins may speak to it. */
  readonly homes: readonly string[]
  readonly version: string
  /** Told of faults of ours. */
  readonly onFault: (fault: unknown, request: { id: string; method: string; url: string }) => void
}

/**
 * MCP over streamable HTTP: a message is POSTed, and answered in JSON. There are neither sessions nor streams, so any node and any
 * thread can answer any message.
 *
 * It asks for no key: whoever hands it a request has. The SDK is loaded with the first message.
 */
export class McpEndpoint {
  readonly #parts: McpEndpointParts
  readonly #origins: ReadonlySet<string>

  constructor(parts: McpEndpointParts) {
    this.#parts = parts
    this.#origins = new Set(parts.homes.map((home) => new URL(home).origin))
  }

  /** Never rejects: what goes wrong is answered. */
  async answer(request: SerializedRequest): Promise<SerializedResponse> {
    try {
      return await this.#answer(request)
    } catch (thrown) {
      const { requestId: id, method, target: url } = request
      this.#parts.onFault(thrown, { id, method, url })
      return refuse(500, INTERNAL_ERROR, `The service failed. Please report request ${id}.`)
    }
  }

  async #answer(request: SerializedRequest): Promise<SerializedResponse> {
    if (request.method !== 'POST') return this.#answerOtherMethod(request)
    const headers = headersOf(request)
    const origin = headers.get('origin')
    // A page of any site can reach a service on its visitor's machine (DNS rebinding): transports, security warning.
    if (origin !== null && !this.#origins.has(origin))
      return refuse(403, REFUSED, 'Origin must be absent, or that of this service.')
    const message = parseMessage(request.body)
    if (message === undefined) return refuse(400, PARSE_ERROR, 'The body must be JSON in UTF-8.')
    if (Array.isArray(message))
      return refuse(400, INVALID_REQUEST, 'The body must be one message, not several.')
    const { speakMcp } = await import('./serve-stdio.ts')
    const { version, onFault } = this.#parts
    const { requestId: id, method, target: url } = request
    const response = await speakMcp(new Request(URL_OF_NOBODY, { method, headers }), message, {
      ask: this.#askService,
      version,
      onFault: (fault) => onFault(fault, { id, method, url }),
    })
    return plainOf(response)
  }

  readonly #askService: AskService = async (path, search) => {
    const target = `${path}${search === '' ? '' : `?${search}`}`
    const { status, headers, body } = await this.#parts.ask({ about: 'operation', target })
    const told = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
    return readAnswer(status, new TextDecoder().decode(body), (name) => told.get(name) ?? undefined)
  }

  #answerOtherMethod(request: SerializedRequest): SerializedResponse {
    if (request.method === 'OPTIONS')
      return { status: 204, headers: [['allow', ALLOW]], body: new Uint8Array() }
    const message = `${MCP_PATH} answers ${ALLOW}: got ${request.method}.`
    return problemResponse(new Problem('method-not-allowed', message, { headers: { allow: ALLOW } }))
  }
}

/** Tells that the thread is starting, or waits for its store. */
export function mcpAway(): Problem {
  const message = 'MCP is not answered just now. Please try again in a few seconds.'
  return new Problem('not-ready', message, { headers: { 'retry-after': '5' } })
}

const ALLOW = 'POST, OPTIONS'

/** The SDK looks at headers only; which host is asked for was another's business. */
const URL_OF_NOBODY = 'http://localhost/mcp'

/** Codes of JSON-RPC 2.0, 5.1; the last is for a server to define. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const INTERNAL_ERROR = -32603
const REFUSED = -32000

/** Those alone that the protocol has: keys and cookies go no further. */
function headersOf({ headers }: SerializedRequest): Headers {
  const known = new Set(['accept', 'content-type', 'origin', 'mcp-protocol-version'])
  return new Headers(
    headers
      .filter(([name]) => known.has(name.toLowerCase()))
      .map(([name, value]): [string, string] => [name, value]),
  )
}

function parseMessage(body: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

async function plainOf(response: Response): Promise<SerializedResponse> {
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: [...response.headers], body }
}

/** As the SDK refuses. */
function refuse(status: number, code: number, message: string): SerializedResponse {
  return jsonResponse(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }), { status })
}
