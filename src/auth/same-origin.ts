import type { MiddlewareHandler } from 'hono'
import { DashboardProblem } from '../shared/dashboard-problem.ts'

/**
 * CSRF protection: responds with 403 to unsafe methods from other origins, because browsers attach cookies to them.
 *
 * Requires `Origin`, or `Sec-Fetch-Site: same-origin` without it, and a content type that a browser sends across origins
 * only after a CORS preflight, which this service never approves.
 */
export function requireSameOrigin(dashboardUrl: string): MiddlewareHandler {
  const { origin } = new URL(dashboardUrl)
  return async (context, next) => {
    const problem = originProblem(context.req.raw, origin) ?? contentTypeProblem(context.req.raw)
    if (problem === undefined) return next()
    return new DashboardProblem('forbidden', problem).toResponse()
  }
}

/** The error message for an unsafe method from another origin; undefined if the request is allowed. */
export function originProblem(request: Request, origin: string): string | undefined {
  if (SAFE.has(request.method)) return undefined
  const sent = request.headers.get('origin')
  const isSameOrigin = sent === null ? request.headers.get('sec-fetch-site') === 'same-origin' : sent === origin
  return isSameOrigin ? undefined : `Cannot change data from another origin: send the request from ${origin}.`
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

function contentTypeProblem(request: Request): string | undefined {
  if (SAFE.has(request.method)) return undefined
  const type = request.headers.get('content-type')?.split(';')[0].trim().toLowerCase()
  return TYPES.has(type ?? '') ? undefined : 'Cannot change data: the content type must be application/json.'
}

/** Types that are not CORS-safelisted (Fetch, "CORS-safelisted request-header"). Uploads use the second. */
const TYPES = new Set(['application/json', 'application/octet-stream'])
