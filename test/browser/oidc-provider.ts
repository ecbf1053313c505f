import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import Provider from 'oidc-provider'

/** The users of the provider. Only the address of `confirmed` is verified. */
const PEOPLE: Readonly<Record<string, { name: string; email: string; confirmed: boolean }>> = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.org', confirmed: true },
  mallory: { name: 'Mallory', email: 'grace@example.org', confirmed: false },
}

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'client-id': { type: 'string', default: 'slots' },
    'client-secret': { type: 'string', default: '' },
    'redirect-uri': { type: 'string', default: '' },
  },
})

/** An OpenID provider in a separate process: `/interaction/…` asks for the account, without a password; none cancels. Prints its issuer. */
const server = createServer()
server.listen(Number(values.port), '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${values.port}`
  const provider = openProvider(issuer)
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void askWho(provider, request, response)
    else void answer(request, response)
  })
  console.log(issuer)
})
process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))

function openProvider(issuer: string): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new Provider(issuer, {
    clients: [
      {
        client_id: values['client-id'],
        client_secret: values['client-secret'],
        redirect_uris: [values['redirect-uri']],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key for the cookies of the provider'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_context, accountId) => {
      const person = PEOPLE[accountId]
      if (person === undefined) return undefined
      const { name, email, confirmed } = person
      return { accountId, claims: async () => ({ sub: accountId, name, email, email_verified: confirmed }) }
    },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: values['client-id'],
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}

async function askWho(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const accountId = new URLSearchParams(await text(request)).get('account') ?? ''
    const outcome = accountId === '' ? { error: 'access_denied' } : { login: { accountId } }
    await provider.interactionFinished(request, response, outcome)
    return
  }
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<!doctype html>
<html lang="en"><title>Example Identity</title><link rel="icon" href="data:,">
<h1>Example Identity</h1>
<form method="post"><label>Account <input name="account"></label> <button>Continue</button></form>
</html>`)
}
