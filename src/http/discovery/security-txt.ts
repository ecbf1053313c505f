import type { IncomingMessage } from 'node:http'
import { DAY_MS } from '../../lib/time.ts'
import type { ApiContext } from '../api-context.ts'
import { Problem } from '../problem.ts'
import type { SerializedResponse } from '../serialized-http.ts'
import { showText } from './show-text.ts'

export const SECURITY_TXT_PATH = '/.well-known/security.txt'

/** RFC 9116, 2.5.5 recommends less than a year. The text is made from the configuration, so it is current while it is served. */
const VALID_DAYS = 90

/** GET /.well-known/security.txt: where to report vulnerabilities (RFC 9116). Throws `Problem('not-found')` without a contact. */
export function showSecurityTxt(request: IncomingMessage, api: ApiContext): SerializedResponse {
  const { securityContact, baseUrl, now } = api
  if (securityContact === undefined)
    throw new Problem('not-found', 'The operator of this service has not named a contact for security reports.')
  const today = now() - (now() % DAY_MS)
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${new Date(today + VALID_DAYS * DAY_MS).toISOString()}`,
    `Canonical: ${baseUrl}${SECURITY_TXT_PATH}`,
  ]
  return showText(request, { text: lines.map((line) => `${line}\r\n`).join(''), type: 'text/plain; charset=utf-8' })
}
