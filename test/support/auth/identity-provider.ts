import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { listenOnLoopback } from '../listen-on-loopback.ts'
import { SignInHarness, type SignInHarnessOptions, type Visitor } from './sign-in-harness.ts'

/** The claims of the user who is signed in at the provider. */
export interface ProviderPerson {
  readonly sub: string
  readonly email: string
  readonly email_verified: unknown
  readonly name?: string
}

/** One for all providers of a process: making it takes a fifth of a second. */
const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

export const CLIENT = { clientId: 'slots', clientSecret: 'a secret of the client' }

/** The dashboard of the tests. */
export const HOME = 'http://localhost:8080'
const CALLBACK = `${HOME}/api/auth/callback/oidc`

/** Sign-in with a provider. */
export async function openWithProvider(t: TestContext, options: SignInHarnessOptions = {}) {
  const provider = await IdentityProvider.open(t, CALLBACK)
  const oidc = { issuer: provider.issuer, ...CLIENT, name: 'Example' }
  return { provider, harness: await SignInHarness.open(t, { oidc, ...options }) }
}

/** Signs in through the provider. Returns the final location. */
export async function signInBy(provider: IdentityProvider, visitor: Visitor, additionalData?: object): Promise<string> {
  const { status, body } = await visitor.post('/sign-in/social', {
    provider: 'oidc',
    callbackURL: '/app',
    errorCallbackURL: '/app/sign-in',
    ...(additionalData && { additionalData }),
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(new URL(body.url).searchParams.get('code_challenge_method'), 'S256')
  const back = await provider.visit(body.url, HOME)
  assert.ok(back.startsWith(`${CALLBACK}?`), back)
  const answer = await visitor.get(back.slice(`${HOME}/api/auth`.length))
  assert.equal(answer.status, 302)
  return answer.headers.get('location') ?? ''
}

/** A real OpenID provider on loopback. Its user is always signed in and grants everything. */
export class IdentityProvider {
  readonly issuer: string
  readonly #privateKey = PRIVATE_KEY
  person: ProviderPerson = {
    sub: 'ada',
    email: 'ada@example.org',
    email_verified: true,
    name: 'Ada Lovelace',
  }

  /** When the person signed in there, in seconds; now by default. */
  authTime: number | undefined

  /** Whether the discovery document names `auth_time`. */
  announcesAuthTime = true

  private constructor(issuer: string) {
    this.issuer = issuer
  }

  static async open(t: TestContext, redirectUri: string): Promise<IdentityProvider> {
    const server = createServer()
    const { origin } = await listenOnLoopback(t, server)
    const identityProvider = new IdentityProvider(origin)
    const provider = identityProvider.#provider(redirectUri)
    const handler = provider.callback()
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/')) void identityProvider.#signIn(provider, request, response)
      else void handler(request, response)
    })
    return identityProvider
  }

  /** A logout token of the client, with other claims or another header for invalid ones. */
  logoutToken(claims: object, { key = this.#privateKey, alg = 'RS256' }: { key?: KeyObject; alg?: string } = {}) {
    const now = Math.floor(Date.now() / 1000)
    const required = { iss: this.issuer, aud: CLIENT.clientId, iat: now, exp: now + 120, jti: randomUUID() }
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const payload = JSON.parse(JSON.stringify({ ...required, events, ...claims }))
    return new SignJWT(payload).setProtectedHeader({ alg, kid: 'one', typ: 'logout+jwt' }).sign(key)
  }

  /** Follows redirects like a browser. Returns the first location at `home`. */
  async visit(url: string, home: string): Promise<string> {
    const cookies = new Map<string, string>()
    let at = url
    for (let hops = 0; hops < 10 && !at.startsWith(home); hops++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      const next = response.headers.get('location')
      if (next === null)
        throw new Error(`Cannot follow the sign-in: the response is not a redirect: ${await response.text()}`)
      at = new URL(next, at).href
    }
    return at
  }

  #provider(redirectUri: string): Provider {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [redirectUri],
          backchannel_logout_uri: new URL('/api/auth/oidc/backchannel-logout', redirectUri).href,
          // ID tokens then contain `sid`.
          backchannel_logout_session_required: true,
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['a key for the cookies of the provider'] },
      jwks: { keys: [{ ...this.#privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      pkce: { required: () => true },
      findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ ...this.person }) }),
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: CLIENT.clientId,
          accountId: context.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    provider.use(async (context, next) => {
      await next()
      if (context.oidc?.route !== 'discovery' || this.announcesAuthTime) return
      const claims: string[] = context.body.claims_supported
      context.body.claims_supported = claims.filter((claim) => claim !== 'auth_time')
    })
    return provider
  }

  async #signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ts = this.authTime
    await provider.interactionFinished(request, response, {
      login: { accountId: this.person.sub, ...(ts !== undefined && { ts }) },
    })
  }
}
