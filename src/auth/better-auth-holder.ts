import { setTimeout as sleep } from 'node:timers/promises'
import { getOAuthState } from 'better-auth/api'
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import type { SignInConfig } from '../config/config.ts'
import { type BetterAuth, type BetterAuthDependencies, type OidcProvider, openBetterAuth } from './better-auth.ts'
import { readClaims } from './link-tokens.ts'
import { AUTH_TIME_REQUEST, noteProviderSession } from './provider-session.ts'

interface BetterAuthHolderOptions extends Omit<BetterAuthDependencies, 'oidc'> {
  readonly provider: SignInConfig['oidc']
  /** Called before the provider's user is linked or created: see `OpenSignIn`. */
  readonly yieldTo: (verifiedEmail: string) => Promise<void>
  readonly now: () => number
}

/**
 * Holds the better-auth instance and replaces it once the OpenID provider is discovered: other sign-in methods do not wait for
 * an unavailable provider.
 */
export class BetterAuthHolder {
  readonly #options: BetterAuthHolderOptions
  #current: BetterAuth
  #keys: JWTVerifyGetKey | undefined
  #discovery: Promise<boolean> | undefined
  #retryAtMs = 0

  constructor(options: BetterAuthHolderOptions) {
    this.#options = options
    this.#current = openBetterAuth({ ...options, oidc: undefined })
  }

  get current(): BetterAuth {
    return this.#current
  }

  /** The public keys of the discovered provider. */
  get keys(): JWTVerifyGetKey | undefined {
    return this.#keys
  }

  /** False if the provider is unavailable or not configured. */
  findProvider(): Promise<boolean> {
    if (this.#discovery !== undefined) return this.#discovery
    if (this.#options.provider === undefined || this.#options.now() < this.#retryAtMs) return Promise.resolve(false)
    this.#discovery = this.#discover(this.#options.provider)
    return this.#discovery
  }

  /** Reports a failure and returns false: the service then runs without the provider, and retries later. */
  async #discover(provider: NonNullable<SignInConfig['oidc']>): Promise<boolean> {
    try {
      const { oidc, keys } = await discoverProvider(provider, this.#options)
      const instance = openBetterAuth({ ...this.#options, oidc })
      await requireLoaded(instance, oidc.providerId)
      this.#current = instance
      this.#keys = keys
      return true
    } catch (error) {
      const fields = { issuer: provider.issuer, error: String(error) }
      this.#options.onEvent({ level: 'warn', message: 'sign-in provider discovery failed', fields })
      this.#retryAtMs = this.#options.now() + PROVIDER_RETRY_MS
      this.#discovery = undefined
      return false
    }
  }
}

const TIMEOUT_MS = 5000

/** An unknown key ID leads to at most one request in 30 s. */
const KEYS_OPTIONS = { timeoutDuration: TIMEOUT_MS, cooldownDuration: 30_000 }

/** The pause after a failed discovery. */
const PROVIDER_RETRY_MS = 5000

/**
 * OpenID Connect Discovery. Rejects if the provider is unavailable or its document is invalid. better-auth would try only once, at
 * startup, without a timeout.
 */
async function discoverProvider(
  oidc: NonNullable<SignInConfig['oidc']>,
  { yieldTo, emails }: Pick<BetterAuthHolderOptions, 'yieldTo' | 'emails'>,
): Promise<{ oidc: OidcProvider; keys: JWTVerifyGetKey | undefined }> {
  const discoveryUrl = `${withoutSlash(oidc.issuer)}/.well-known/openid-configuration`
  const document = await readJson(discoveryUrl)
  const { issuer, userinfo_endpoint: userInfoUrl, jwks_uri: keysUrl, claims_supported: claimNames } = document
  // OpenID Connect Discovery 1.0, 4.3.
  if (typeof issuer !== 'string' || withoutSlash(issuer) !== withoutSlash(oidc.issuer)) {
    throw new Error(`Cannot use the discovery document: its issuer must be OIDC_ISSUER: got ${JSON.stringify(issuer)}`)
  }
  const announcesAuthTime = Array.isArray(claimNames) && claimNames.includes('auth_time')
  const provider: OidcProvider = {
    providerId: 'oidc',
    name: oidc.name,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    discoveryUrl,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    authorizationUrlParams: AUTH_TIME_REQUEST,
    requireIdTokenVerification: true,
    // As with a password: who only claims an address has no account until its owner opens the link.
    requireEmailVerification: emails !== undefined,
    async getUserInfo({ idToken, accessToken }) {
      const user = await readUser({ idToken, accessToken, userInfoUrl })
      const state = await getOAuthState()
      const request = { again: state?.again === true, announcesAuthTime }
      if (idToken !== undefined) noteProviderSession(readClaims(idToken) ?? {}, request)
      const isLinking = state?.link !== undefined
      if (user?.email != null && user.email_verified === true && !isLinking) await yieldTo(user.email)
      return user
    },
    // Some providers send booleans as text: only a real `true` proves that the address is verified.
    mapProfileToUser: (profile) => ({ emailVerified: profile.email_verified === true }),
  }
  const keys = typeof keysUrl === 'string' ? createRemoteJWKSet(new URL(keysUrl), KEYS_OPTIONS) : undefined
  return { oidc: provider, keys }
}

/**
 * better-auth reads the document again. If that fails, or an endpoint is missing, it only leaves out the provider, and every sign-in
 * would be refused until the service is restarted.
 */
async function requireLoaded({ $context }: BetterAuth, providerId: string): Promise<void> {
  const context = await Promise.race([$context, sleep(TIMEOUT_MS, undefined, { ref: false })])
  if (context?.socialProviders.some(({ id }) => id === providerId)) return
  throw new Error('Cannot use the discovery document: it could not be read again, or an endpoint is missing')
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/+$/, '')
}

/** Merges the claims of the ID token, which better-auth has verified, with those of the UserInfo endpoint. */
async function readUser(tokens: {
  idToken?: string | undefined
  accessToken?: string | undefined
  userInfoUrl: unknown
}) {
  const claims = tokens.idToken === undefined ? undefined : readClaims(tokens.idToken)
  if (claims === undefined || typeof claims.sub !== 'string') return null
  if (typeof claims.email === 'string' || typeof tokens.userInfoUrl !== 'string') return userOf(claims)
  const userInfo = await readJson(tokens.userInfoUrl, { authorization: `Bearer ${tokens.accessToken}` })
  // The subjects must match (OpenID Connect Core 1.0, 5.3.2).
  return userInfo.sub === claims.sub ? userOf({ ...userInfo, ...claims }) : null
}

function userOf(claims: Readonly<Record<string, unknown>>) {
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
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`Cannot read ${url}: the server responded with status ${response.status}`)
  return (await response.json()) as Record<string, unknown>
}
