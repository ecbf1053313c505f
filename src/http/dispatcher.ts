// Hot path

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { LiveKey } from '../keys/key-ring.ts'
import type { ApiContext } from './api-context.ts'
import { authenticate } from './authenticate.ts'
import { MemoryAnswers } from './caching/cached-responses.ts'
import { isMcp, MCP_PATH } from './mcp/relay-mcp.ts'
import { chooseType } from './negotiation/accept.ts'
import { Problem } from './problem.ts'
import type { Exchange } from './request-context.ts'
import { requestIdOf } from './request-id.ts'
import { notReady } from './routes.ts'
import { sendThrown } from './send-error.ts'
import { sendRelayed } from './send-relayed.ts'
import type { SerializedResponse } from './serialized-http.ts'
import { showFile } from './show-file.ts'
import { type Found, findOperation } from './v1/operations.ts'

/** A longer request target is refused with 414 (RFC 9110, 15.5.15). */
export const TARGET_LENGTH_MAX = 8192

/**
 * What every request meets first: its id, and for `/v1` and `/mcp` the guard and the meter. Then operations are answered here,
 * ahead of the router, which would cost them a tenth of their speed. Beside `/v1` stand the dashboard's own API and the site;
 * everything else goes on to the router.
 */
export function front(api: ApiContext, router: RequestListener): RequestListener {
  const v1 = new V1(api, router)
  return (request: IncomingMessage, response: ServerResponse) => {
    const exchange = { request, response, requestId: requestIdOf(request) }
    try {
      const target = request.url ?? '/'
      if (isUnderV1(target) || isMcp(target)) return v1.answer(exchange, target)
      requireShort(target)
      if (target.startsWith('/api/')) return api.dashboard(exchange)
      response.setHeader('x-request-id', exchange.requestId)
      if (!showFile(exchange, api.site)) router(request, response)
    } catch (thrown) {
      sendThrown(thrown, exchange, api)
    }
  }
}

class V1 {
  readonly #api: ApiContext
  readonly #router: RequestListener
  readonly #answers: MemoryAnswers

  constructor(api: ApiContext, router: RequestListener) {
    this.#api = api
    this.#router = router
    this.#answers = new MemoryAnswers(api)
  }

  /** Answers whoever shows a live key, and counts it. Throws `Problem('not-ready')` and `Problem('api-key-required')`. */
  answer(exchange: Exchange, target: string): void {
    const startedMs = performance.now()
    if (!this.#api.isReady()) throw notReady()
    const atMs = this.#api.now()
    const key = authenticate(exchange.request, this.#api, atMs)
    try {
      requireShort(target)
      const found = isReading(exchange.request.method) ? findOperation(target) : undefined
      if (found !== undefined) this.#operate(exchange, found, { key, nowMs: atMs })
      else if (isMcp(target)) this.#relay(exchange, MCP_PATH)
      else this.#route(exchange)
    } catch (thrown) {
      sendThrown(thrown, exchange, this.#api)
    }
    const { meter } = this.#api
    if (exchange.response.writableEnded) meter.note(key, exchange, atMs, microsecondsSince(startedMs))
    // Comes once, also for an answer that was broken off.
    else exchange.response.once('close', () => meter.note(key, exchange, atMs, microsecondsSince(startedMs)))
  }

  #operate(exchange: Exchange, found: Found, by: { key: LiveKey; nowMs: number }): void {
    const { read, streams, relayed } = found.operation
    const type = chooseType(exchange.request, found.types)
    const stream = streams?.[type]
    if (relayed) this.#relay(exchange, found.operation.path)
    else if (stream !== undefined)
      stream({ ...found, ...by, allocate: Buffer.allocUnsafeSlow }, exchange, this.#api)
    else if (read !== undefined) this.#answers.send(exchange, found, read, by.nowMs)
  }

  #relay(exchange: Exchange, operation: string): void {
    const send = (answer: SerializedResponse) => sendRelayed(answer, exchange, this.#api)
    this.#api.dashboard({ ...exchange, operation, send })
  }

  #route({ request, response, requestId }: Exchange): void {
    response.setHeader('x-request-id', requestId)
    this.#router(request, response)
  }
}

function microsecondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) * 1000)
}

function isReading(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** However the path is written: the router decodes it and takes the dots out, so the guard has to look behind the encoding as well. */
function isUnderV1(target: string): boolean {
  if (target.startsWith('/v1/')) return true
  if (!target.includes('/.') && /^\/[\w./-]*(\?|$)/.test(target))
    return target === '/v1' || target.startsWith('/v1?')
  const path = URL.canParse(target, 'http://localhost')
    ? new URL(target, 'http://localhost').pathname
    : target
  return /^\/+v1(\/|$)/.test(
    path.replaceAll(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  )
}

function requireShort(target: string): void {
  if (target.length <= TARGET_LENGTH_MAX) return
  throw new Problem(
    'uri-too-long',
    `The request target must be at most ${TARGET_LENGTH_MAX} characters: got ${target.length}.`,
  )
}
