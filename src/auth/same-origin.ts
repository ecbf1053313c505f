import type { MiddlewareHandler } from 'hono'
import { DashboardProblem } from '../shared/dashboard-problem.ts'

/**
 * Refuses with 403 what changes something and was not sent by our own pages: cookies travel with requests that other sites make.
 *
 * A page of ours sends `Origin` with every unsafe method; `Sec-Fetch-Site: same-origin` stands in for it. A body of JSON,
 * or one of bytes that are not even a form, cannot be sent across origins without being asked about first, and we never allow it.
 */
export function requireSameOrigin(dashboardUrl: string): MiddlewareHandler {
  const { origin } = new URL(dashboardUrl)
  return async (context, next) => {
    const fault = foreignOrigin(context.req.raw, origin) ?? notJson(context.req.raw)
    if (fault === undefined) return next()
    return new DashboardProblem('forbidden', fault).toResponse()
  }
}

/** Why a request that changes something is not taken for one of our own pages; undefined if it is, or changes nothing. */
export function foreignOrigin(request: Request, origin: string): string | undefined {
  if (SAFE.has(request.method)) return undefined
  const sent = request.headers.get('origin')
  const isOurs = sent === null ? request.headers.get('sec-fetch-site') === 'same-origin' : sent === origin
  return isOurs ? undefined : `A change must come from ${origin}.`
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

function notJson(request: Request): string | undefined {
  if (SAFE.has(request.method)) return undefined
  const type = request.headers.get('content-type')?.split(';')[0].trim().toLowerCase()
  return TYPES.has(type ?? '') ? undefined : 'A change must be sent as application/json.'
}

/** Neither can a form of a page send, as it can `text/plain` (Fetch, "CORS-safelisted request-header"). A file is sent as the second. */
const TYPES = new Set(['application/json', 'application/octet-stream'])
