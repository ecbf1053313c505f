// Hot path
import type { IncomingMessage } from 'node:http'
import type { ActiveKey } from '../keys/key-ring.ts'
import type { ApiContext } from './api-context.ts'
import { Problem } from './problem.ts'

/** The last credential of a connection, and its key. */
interface Verified {
  readonly credential: string
  readonly key: ActiveKey
}

/**
 * Callers send the same credential with each request of a connection, so its hash is computed once. The secret is kept no longer
 * than the connection, and each request checks that the key is still active.
 */
const verifiedOn = new WeakMap<object, Verified>()

/**
 * The active key of a request, from `Authorization: Bearer …` (RFC 6750, 2.1) or else `x-api-key`.
 *
 * A Bearer credential takes precedence. Other schemes are ignored, so that a proxy's Basic login does not hide `x-api-key`. Throws
 * `Problem('api-key-required')`, which does not reveal why the key was rejected.
 */
export function authenticate(request: IncomingMessage, api: ApiContext, nowMs: number): ActiveKey {
  const credential = credentialOf(request)
  if (credential === undefined) throw apiKeyRequired(api)
  const verified = verifiedOn.get(request.socket)
  const key = verified?.credential === credential ? verified.key : api.keyRing.find(credential, nowMs)
  if (key === undefined || !key.isActive(nowMs)) throw apiKeyRequired(api)
  if (verified?.key !== key) verifiedOn.set(request.socket, { credential, key })
  return key
}

/** Throws `Problem('organization-suspended')` while the organization of the key is suspended. */
export function requireActiveOrganization(key: ActiveKey, api: ApiContext): void {
  if (!key.isSuspended) return
  const message = `The operator of this service suspended the organization of this API key. Its members see the reason in the dashboard at ${api.dashboardUrl}.`
  throw new Problem('organization-suspended', message)
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
