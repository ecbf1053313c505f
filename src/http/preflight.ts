import type { RequestContext } from './api-context.ts'
import { methodNotAllowed } from './problem.ts'

/** Of what pages of any origin may read: it has no credentials, and nothing that is not public. */
const ALLOWED = {
  allow: 'GET, HEAD, OPTIONS',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': '86400',
}

/** Answers the preflight request of a browser. `headers`: with `Access-Control-Allow-Origin`, unless the response has it already. */
export function sendPreflight(
  { response, requestId }: Pick<RequestContext, 'response' | 'requestId'>,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(204, { ...ALLOWED, ...headers, 'x-request-id': requestId }).end()
}

/** OPTIONS is answered with the methods that are allowed; throws `Problem('method-not-allowed')` for every other method. */
export function refuseMethod(
  { request, response, requestId }: RequestContext,
  path: string,
  allow = 'GET, HEAD, OPTIONS',
): void {
  if (request.method !== 'OPTIONS') throw methodNotAllowed(path, request.method, allow)
  response.writeHead(204, { allow, 'x-request-id': requestId }).end()
}
