import type { GenericOAuthConfig } from 'better-auth/plugins'
import type { SignInConfig } from '../config/config.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { readClaims } from './token-claims.ts'

/** A provider as the library is told of it. */
export type OidcProvider = GenericOAuthConfig<'oidc'>

/** A provider that takes longer than this is away. */
const WAIT_MS_MAX = 5000

/** After one that could not be found, this long passes before it is asked again. */
export const ASK_AGAIN_MS = 5000

/**
 * Asks the provider where its parts are. Undefined if it cannot be reached or does not say: the service then runs without it,
 * and asks again later. The library would ask once, at its start, and wait for as long as it takes.
 */
export async function findProvider(
  oidc: NonNullable<SignInConfig['oidc']>,
  onEvent: (event: LogEvent) => void,
): Promise<OidcProvider | undefined> {
  const discoveryUrl = `${oidc.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  try {
    const { issuer, userinfo_endpoint: userInfoUrl } = await readJson(discoveryUrl)
    if (typeof issuer !== 'string') throw new Error('Cannot use it: "issuer" must be a string')
    return {
      providerId: 'oidc',
      name: oidc.name,
      clientId: oidc.clientId,
      clientSecret: oidc.clientSecret,
      discoveryUrl,
      scopes: ['openid', 'email', 'profile'],
      pkce: true,
      requireIdTokenVerification: true,
      getUserInfo: ({ idToken, accessToken }) => readPerson({ idToken, accessToken, userInfoUrl }),
      // Some providers send truths as text: only a real `true` confirms an address.
      mapProfileToUser: (profile) => ({ emailVerified: profile.email_verified === true }),
    }
  } catch (error) {
    const fields = { issuer: oidc.issuer, error: String(error) }
    onEvent({ level: 'warn', message: 'sign-in provider could not be found', fields })
    return undefined
  }
}

/** Claims of the ID token, which the library has verified, and those that the provider tells only at its user info. */
async function readPerson(told: {
  idToken?: string | undefined
  accessToken?: string | undefined
  userInfoUrl: unknown
}) {
  const claims = told.idToken === undefined ? undefined : readClaims(told.idToken)
  if (claims === undefined || typeof claims.sub !== 'string') return null
  if (typeof claims.email === 'string' || typeof told.userInfoUrl !== 'string') return personOf(claims)
  const more = await readJson(told.userInfoUrl, { authorization: `Bearer ${told.accessToken}` })
  // Else it could be somebody else's answer (OpenID Connect Core 1.0, 5.3.2).
  return more.sub === claims.sub ? personOf({ ...more, ...claims }) : null
}

function personOf(claims: Readonly<Record<string, unknown>>) {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : undefined)
  return {
    sub: text('sub'),
    email: text('email') ?? null,
    emailVerified: claims.email_verified === true,
    email_verified: claims.email_verified,
    name: text('name') ?? text('preferred_username') ?? '',
  }
}

async function readJson(url: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(WAIT_MS_MAX) })
  if (!response.ok) throw new Error(`Cannot read ${url}: status must be 200: got "${response.status}"`)
  return (await response.json()) as Record<string, unknown>
}
