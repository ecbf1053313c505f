// Hot path
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ApiContext } from './api-context.ts'
import { authenticate } from './authenticate.ts'
import { SLOTS_PATH, SlotsOperation } from './list-slots.ts'
import { Problem } from './problem.ts'
import { requestIdOf } from './request-id.ts'
import { notReady } from './routes.ts'
import { sendThrown } from './send.ts'

/** A longer request target is refused with 414 (RFC 9110, 15.5.15). */
export const TARGET_LENGTH_MAX = 8192

/**
 * What every request meets first: its id, and for `/v1` the guard. Then the list operation is answered here, ahead of
 * the router, which would cost it a tenth of its speed; everything else goes on to the router.
 */
export function front(api: ApiContext, router: RequestListener): RequestListener {
  const slots = new SlotsOperation(api)
  return (request: IncomingMessage, response: ServerResponse) => {
    const exchange = { request, response, requestId: requestIdOf(request) }
    try {
      const target = request.url ?? '/'
      if (isUnderV1(target)) {
        if (!api.isReady()) throw notReady()
        authenticate(request, api)
        if (isSlotsList(target, request.method)) return slots.list(exchange)
      }
      requireShort(target)
      response.setHeader('x-request-id', exchange.requestId)
      router(request, response)
    } catch (thrown) {
      sendThrown(thrown, exchange, api)
    }
  }
}

function isSlotsList(target: string, method: string | undefined): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    target.startsWith(SLOTS_PATH) &&
    (target.length === SLOTS_PATH.length || target.charAt(SLOTS_PATH.length) === '?') &&
    target.length <= TARGET_LENGTH_MAX
  )
}

/** However the path is written: the router decodes it, so the guard has to look behind the encoding as well. */
function isUnderV1(target: string): boolean {
  if (target.startsWith('/v1/')) return true
  if (/^\/[\w./-]*(\?|$)/.test(target)) return target === '/v1' || target.startsWith('/v1?')
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
