import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isObject } from '../lib/json.ts'
import { errorMessage } from '../lib/text.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { AuditLog } from '../store/contracts/audit.ts'
import type { SignInTables } from '../store/contracts/operators.ts'
import { addressOf, requestOrigin } from './auth-request.ts'
import type { BetterAuthHolder } from './better-auth-holder.ts'
import type { FailedAttempts } from './failed-attempts.ts'

/** Below `/api/auth`. */
export const BACK_CHANNEL_PATH = '/oidc/backchannel-logout'

interface BackChannelLogoutOptions {
  readonly holder: BetterAuthHolder
  readonly tables: SignInTables
  readonly audit: Pick<AuditLog, 'record'>
  readonly failedAttempts: FailedAttempts
  readonly issuer: string
  readonly clientId: string
  readonly now: () => number
}

/** OpenID Connect Back-Channel Logout 1.0: the provider ends the sessions that single sign-on has begun. */
export class BackChannelLogout {
  readonly #options: BackChannelLogoutOptions

  constructor(options: BackChannelLogoutOptions) {
    this.#options = options
  }

  /** Responds 200 once the sessions have ended, also if there were none, and 400 to an invalid token. */
  async handle(request: Request): Promise<Response> {
    const { holder, failedAttempts } = this.#options
    const token = new URLSearchParams(await request.text()).get('logout_token') ?? ''
    if (!(await holder.findProvider())) return refusal(503, 'The OpenID provider is unavailable.')
    return failedAttempts.limit({ method: 'logout token' }, addressOf(request.headers) ?? 'unknown', async () => {
      const claims = await this.#verify(token)
      if (typeof claims === 'string') return refusal(400, claims)
      await this.#end(claims, request.headers)
      return new Response(null, { status: 200, headers: { 'cache-control': 'no-store' } })
    })
  }

  /** The claims of a valid token that was not used before, or what is wrong with it. */
  async #verify(token: string): Promise<JWTPayload | string> {
    const { holder, issuer, clientId, now } = this.#options
    const claims = await verifySignature(token, holder.keys, {
      issuer,
      audience: clientId,
      currentDate: new Date(now()),
    })
    const problem = typeof claims === 'string' ? claims : problemOf(claims)
    if (typeof claims === 'string' || problem !== undefined) return problem ?? ''
    const { internalAdapter } = await holder.current.$context
    const isFirst = await internalAdapter.reserveVerificationValue({
      identifier: `logout:${issuer}:${claims.jti}`,
      value: 'spent',
      expiresAt: new Date(Date.now() + 2 * TOKEN_MS_MAX),
    })
    return isFirst ? claims : 'The logout token was already used.'
  }

  async #end({ sub, sid }: JWTPayload, headers: Headers): Promise<void> {
    const { queries } = this.#options.tables
    const users =
      sub === undefined
        ? undefined
        : await queries
            .selectFrom('credentials')
            .select('userId')
            .where('providerId', '=', 'oidc')
            .where('accountId', '=', sub)
            .execute()
    let sessions = queries.deleteFrom('sessions').where('providerSession', 'is not', null)
    if (users !== undefined) {
      if (users.length === 0) return
      sessions = sessions.where(
        'userId',
        'in',
        users.map(({ userId }) => userId),
      )
    }
    if (typeof sid === 'string') sessions = sessions.where('providerSession', '=', sid)
    const ended = await sessions.returning('userId').execute()
    for (const userId of new Set(ended.map((row) => String(row.userId)))) {
      const by = { userId, name: 'single sign-on', ...requestOrigin(headers) }
      const detail = { sessions: 'of single sign-on' }
      await this.#options.audit.record({ kind: 'account.sessions-ended', userId, by, detail })
    }
  }
}

/** How old a logout token may be. */
const TOKEN_MS_MAX = 5 * MINUTE_MS

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Only asymmetric algorithms: `none` and secrets are refused. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

async function verifySignature(
  token: string,
  keys: JWTVerifyGetKey | undefined,
  expected: { issuer: string; audience: string; currentDate: Date },
): Promise<JWTPayload | string> {
  if (keys === undefined) return 'The OpenID provider publishes no keys.'
  try {
    const options = { algorithms: ALGORITHMS, requiredClaims: ['iat', 'jti', 'events'], clockTolerance: 60 }
    const { payload } = await jwtVerify(token, keys, { ...expected, ...options, maxTokenAge: TOKEN_MS_MAX / 1000 })
    return payload
  } catch (error) {
    return `The logout token is invalid: ${errorMessage(error)}`
  }
}

/** Back-Channel Logout 1.0, 2.4 and 2.6. */
function problemOf({ events, nonce, jti, sub, sid }: JWTPayload): string | undefined {
  if (!isObject(events) || !isObject(events[EVENT])) return `The logout token must contain the event ${EVENT}.`
  if (nonce !== undefined) return 'A logout token must not contain a nonce.'
  if (typeof jti !== 'string' || jti === '') return 'The logout token must contain a jti.'
  const names = [sub, sid].filter((claim) => claim !== undefined)
  const isNamed = names.length > 0 && names.every((claim) => typeof claim === 'string' && claim !== '')
  return isNamed ? undefined : 'The logout token must contain sub or sid.'
}

/** The form of the specification, with the code of failed attempts. */
function refusal(status: 400 | 503, description: string): Response {
  const body = { error: status === 400 ? 'invalid_request' : 'temporarily_unavailable', error_description: description }
  const code = status === 400 && { code: 'INVALID_TOKEN' }
  return Response.json({ ...body, ...code }, { status, headers: { 'cache-control': 'no-store' } })
}
