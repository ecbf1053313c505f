// Hot path
import type { IncomingMessage } from 'node:http'
import type { LiveKey } from '../keys/key-ring.ts'
import type { ApiContext } from './api-context.ts'
import { Problem } from './problem.ts'

/** The credential that a connection showed last, and the key it stands for. */
interface Shown {
  readonly credential: string
  readonly key: LiveKey
}

/**
 * Callers show the same credential in each request of a connection, so that its hash is computed once. The secret is
 * kept no longer than its connection, and the key is asked each time whether it still lives.
 */
const shownOn = new WeakMap<object, Shown>()

/**
 * The live key that a request shows, in `Authorization: Bearer …` (RFC 6750, 2.1) or else in `x-api-key`.
 *
 * A Bearer credential alone decides where there is one; another scheme is not for us, so that a proxy's Basic login
 * does not shadow `x-api-key`. Throws `Problem('api-key-required')`, which never says what was wrong with the key.
 */
export function authenticate(request: IncomingMessage, api: ApiContext, nowMs: number): LiveKey {
  const credential = credentialOf(request)
  if (credential === undefined) throw apiKeyRequired(api)
  const shown = shownOn.get(request.socket)
  const key = shown?.credential === credential ? shown.key : api.keyRing.find(credential, nowMs)
  if (key === undefined || !key.isLive(nowMs)) throw apiKeyRequired(api)
  if (shown?.key !== key) shownOn.set(request.socket, { credential, key })
  return key
}

function credentialOf(request: IncomingMessage): string | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    if (authorization.startsWith('Bearer ')) return authorization.slice(7).trimStart()
    const bearer = /^bearer(?: +(.*))?$/i.exec(authorization)
    if (bearer !== null) return bearer[1] ?? ''
  }
  const apiKey = request.headers['x-api-key']
  return Array.isArray(apiKey) ? apiKey[0] : apiKey
}

function apiKeyRequired(api: ApiContext): Problem {
  const message =
    `Create a free key in the dashboard at ${api.dashboardUrl} and send it as "Authorization: Bearer <API_KEY>". ` +
    `Documentation: ${api.docsUrl}`
  return new Problem('api-key-required', message, { headers: { 'www-authenticate': 'Bearer' } })
}
