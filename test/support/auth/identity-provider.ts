import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import Provider from 'oidc-provider'

/** The claims of the user who is signed in at the provider. */
export interface ProviderPerson {
  readonly sub: string
  readonly email: string
  readonly email_verified: unknown
  readonly name?: string
}

export const CLIENT = { clientId: 'slots', clientSecret: 'a secret of the client' }

/** A real OpenID provider on loopback. Its user is always signed in and grants everything. */
export class IdentityProvider {
  readonly issuer: string
  person: ProviderPerson = {
    sub: 'ada',
    email: 'ada@example.org',
    email_verified: true,
    name: 'Ada Lovelace',
  }

  private constructor(issuer: string) {
    this.issuer = issuer
  }

  static async open(t: TestContext, redirectUri: string): Promise<IdentityProvider> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    )
    const identityProvider = new IdentityProvider(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const provider = identityProvider.#provider(redirectUri)
    const handler = provider.callback()
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/')) void identityProvider.#signIn(provider, request, response)
      else void handler(request, response)
    })
    return identityProvider
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
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['a key for the cookies of the provider'] },
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }] },
      features: { devInteractions: { enabled: false } },
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
    return provider
  }

  async #signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    await provider.interactionFinished(request, response, { login: { accountId: this.person.sub } })
  }
}
