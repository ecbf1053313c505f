import type { RequestContext } from './api-context.ts'

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
