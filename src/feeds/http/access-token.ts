import { randomUUID } from 'node:crypto'
import { importJWK } from 'jose'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretPost,
  clientCredentialsGrantRequest,
  customFetch,
  modifyAssertion,
  PrivateKeyJwt,
} from 'oauth4webapi'
import { asObject, asText, got, type Json } from '../../lib/json.ts'
import { truncate } from '../../lib/text.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import { RESOURCE_TYPES } from '../../slot/slot.ts'
import { FeedFailure } from '../connector.ts'
import type { SourceAuthorization } from '../source-options.ts'
import type { FormResponse, PublisherClient, TokenProvider } from './publisher-client.ts'
import type { Secrets } from './secrets.ts'

/** A token as it is cached from one sync to the next. */
export interface CachedToken {
  readonly token: string
  /** In milliseconds since 1970. */
  readonly validUntilMs: number
}

interface AccessTokenOptions {
  readonly authorization: SourceAuthorization
  readonly secrets: Secrets
  /** Tokens by the name of their source. */
  readonly cache: Map<string, CachedToken>
  readonly name: string
  readonly now: () => number
}

type FormClient = Pick<PublisherClient, 'post'>

/** Lifetime of a token whose server does not state one above zero. */
const LIFE_MS = 5 * MINUTE_MS
const LIFE_MS_MAX = DAY_MS

/** A token is renewed this long before it expires, or after half of a shorter life: it must outlive the next request. */
const MARGIN_MS = 30_000

/** SMART Backend Services requires a scope: the types that a search reads, and nothing else. */
const BACKEND_SCOPE = RESOURCE_TYPES.map((type) => `system/${type}.read`).join(' ')

/** SMART Backend Services allows five minutes; clocks differ. */
const ASSERTION_LIFE_SECONDS = 240

/** SMART Backend Services requires RS384 and ES384; other asymmetric algorithms work too. */
const ALGORITHMS = /^(?:RS|PS|ES)(?:256|384|512)$/

/** The access token of a source: requested when needed (single-flight), cached until it expires or is rejected. */
export class AccessToken implements TokenProvider {
  readonly #options: AccessTokenOptions
  #pending: Promise<CachedToken> | undefined

  constructor(options: AccessTokenOptions) {
    this.#options = options
  }

  /** Throws `FeedFailure` that states why there is no token. */
  async header(client: FormClient): Promise<string> {
    const { cache, name, now } = this.#options
    const cached = cache.get(name)
    if (cached !== undefined && cached.validUntilMs > now()) return this.#headerOf(cached)
    this.#pending ??= this.#request(client).finally(() => {
      this.#pending = undefined
    })
    const received = await this.#pending
    cache.set(name, received)
    return this.#headerOf(received)
  }

  forget(header: string): void {
    const { cache, name } = this.#options
    const cached = cache.get(name)
    if (cached !== undefined && this.#headerOf(cached) === header) cache.delete(name)
  }

  #headerOf({ token }: CachedToken): string {
    this.#options.secrets.note(token)
    return `Bearer ${token}`
  }

  async #request(client: FormClient): Promise<CachedToken> {
    const { authorization } = this.#options
    const response =
      authorization.kind === 'backend-services'
        ? await this.#requestWithKey(client, authorization)
        : await this.#requestWithSecret(client, authorization)
    if (response.status === 200) return this.#read(response.text)
    const detail = errorDetail(response.text)
    throw new FeedFailure(
      this.#message(`status must be 200: got "${response.status}"${detail === undefined ? '' : ` (${detail})`}`),
      { retryAfterMs: response.retryAfterMs },
    )
  }

  /** Sends id and secret in the header, which every server must support (RFC 6749, 2.3.1); in the form if it does not. */
  async #requestWithSecret(
    client: FormClient,
    { clientSecret, scope }: SourceAuthorization & { kind: 'client-credentials' },
  ): Promise<FormResponse> {
    const { secrets } = this.#options
    const secret = secrets.fill(clientSecret)
    const parameters = scope === undefined ? {} : { scope: secrets.fill(scope) }
    const response = await this.#send(client, clientSecretBasic(secret), parameters)
    const error = errorCode(response)
    if (error !== 'invalid_client' && error !== 'invalid_request') return response
    return this.#send(client, ClientSecretPost(secret), parameters)
  }

  /** HL7 FHIR Bulk Data Access, "SMART Backend Services". */
  async #requestWithKey(
    client: FormClient,
    { privateKey, scope, tokenUrl }: SourceAuthorization & { kind: 'backend-services' },
  ): Promise<FormResponse> {
    const { secrets, now } = this.#options
    const seconds = Math.floor(now() / 1000)
    const authentication = PrivateKeyJwt(await importKey(secrets.fill(privateKey)), {
      [modifyAssertion](header, payload) {
        header.typ = 'JWT'
        payload.aud = new URL(secrets.fill(tokenUrl)).href
        payload.jti = randomUUID()
        payload.iat = seconds
        payload.exp = seconds + ASSERTION_LIFE_SECONDS
        delete payload.nbf
      },
    })
    return this.#send(client, authentication, { scope: secrets.fill(scope ?? BACKEND_SCOPE) })
  }

  async #send(
    client: FormClient,
    authentication: ClientAuth,
    parameters: Record<string, string>,
  ): Promise<FormResponse> {
    const { authorization, secrets } = this.#options
    const url = new URL(secrets.fill(authorization.tokenUrl))
    let received: FormResponse | undefined
    let isSent = false
    const post = async (_: string, { body, headers }: { body: URLSearchParams; headers: object }) => {
      // SMART servers take the client from the assertion.
      if (body.has('client_assertion')) body.delete('client_id')
      const sent = Object.entries(headers).filter(([name]) => name === 'authorization')
      isSent = true
      received = await client.post(url, body.toString(), { ...ACCEPT, ...Object.fromEntries(sent) })
      return new Response()
    }
    const server = { issuer: url.origin, token_endpoint: url.href }
    const sender = { client_id: secrets.fill(authorization.clientId) }
    try {
      await clientCredentialsGrantRequest(server, sender, authentication, parameters, {
        [customFetch]: post,
        // The client refuses http where it must: it knows whether private sources are allowed.
        [allowInsecureRequests]: true,
      })
    } catch (error) {
      if (isSent || authorization.kind === 'client-credentials') throw error
      // The original message could repeat parts of the key.
      throw unusableKey('it does not fit its "alg"')
    }
    if (received === undefined) throw new Error('Cannot request an access token: nothing was sent')
    return received
  }

  #read(text: string): CachedToken {
    const { access_token: token, token_type: type, expires_in: seconds } = parseObject(text) ?? {}
    if (typeof token !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(token)) {
      throw new FeedFailure(this.#message('the response must have a text "access_token"'))
    }
    if (type !== undefined && String(type).toLowerCase() !== 'bearer')
      throw new FeedFailure(this.#message(`"token_type" must be Bearer: ${got(type)}`))
    const lifeMs = lifeMsOf(seconds)
    return { token, validUntilMs: this.#options.now() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) }
  }

  #message(reason: string): string {
    const { tokenUrl } = this.#options.authorization
    return `Cannot get an access token from ${truncate(tokenUrl, 500)}: ${reason}`
  }
}

/**
 * As the library's `ClientSecretBasic`, which also escapes `-`, `_`, `.` and `*`: the form encoding of the URL Standard keeps
 * them, so that common ids and secrets are sent literally, and many servers compare the header without decoding it.
 */
function clientSecretBasic(secret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = `${formEncoded(client.client_id)}:${formEncoded(secret)}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

const ACCEPT = { accept: 'application/json' }

/** A private JSON Web Key for signing. Throws `FeedFailure` that names what the key lacks and repeats nothing of it. */
async function importKey(text: string) {
  const jwk = parseObject(text)
  const alg = asText(jwk?.alg) ?? ''
  const kid = asText(jwk?.kid)
  if (jwk === undefined) throw unusableKey('it must be a JSON Web Key as JSON')
  if (!ALGORITHMS.test(alg)) throw unusableKey('"alg" must be RS384, ES384 or another asymmetric algorithm')
  if (kid === undefined) throw unusableKey('"kid" is missing: the server finds the public key by it')
  if (asText(jwk.d) === undefined) throw unusableKey('"d" is missing: it must be the private key')
  try {
    const key = await importJWK(jwk, alg)
    if (!(key instanceof Uint8Array)) return { key, kid }
  } catch {
    // The original message could repeat parts of the key.
  }
  throw unusableKey(`it must be a usable key for ${alg}`)
}

function unusableKey(reason: string): FeedFailure {
  return new FeedFailure(`Cannot sign in to the server: privateKey cannot be used: ${reason}`)
}

/** `seconds`: a positive number, or one as text. */
function lifeMsOf(seconds: unknown): number {
  const statedMs = typeof seconds === 'number' || typeof seconds === 'string' ? Number(seconds) * 1000 : 0
  return statedMs > 0 && Number.isFinite(statedMs) ? Math.min(statedMs, LIFE_MS_MAX) : LIFE_MS
}

function errorCode({ status, text }: FormResponse): string | undefined {
  return status === 400 || status === 401 ? asText(parseObject(text)?.error) : undefined
}

function errorDetail(text: string): string | undefined {
  const { error, error_description: description } = parseObject(text) ?? {}
  const detail = [asText(error), asText(description)].filter((one) => one !== undefined).join(': ')
  return detail === '' ? undefined : truncate(detail, 250)
}

function parseObject(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}
