import { asObject, asText, excerpt, type Json } from '../../lib/json.ts'
import { truncate } from '../../lib/text.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import { FeedFailure } from '../connector.ts'
import { READ_TYPES } from '../fhir/resources.ts'
import type { SourceAuthorization } from '../source-options.ts'
import type { Posted, PublisherClient, TokenGiver } from './publisher-client.ts'
import type { Secrets } from './secrets.ts'
import { signedAssertion } from './signed-assertion.ts'

/** A token as it is held from one sync to the next. */
export interface HeldToken {
  readonly token: string
  /** Used until then, in milliseconds since 1970. */
  readonly untilMs: number
}

/** What access tokens are had with. */
export interface AccessTokenParts {
  readonly authorization: SourceAuthorization
  readonly secrets: Secrets
  /** Tokens by the source that they are for. */
  readonly held: Map<string, HeldToken>
  readonly name: string
  readonly now: () => number
}

type Poster = Pick<PublisherClient, 'post'>

/** Where a server does not say how long its token lasts. */
const LIFE_MS = 5 * MINUTE_MS
const LIFE_MS_MAX = DAY_MS

/** A token is left alone so long before its end, or for the last half of a shorter life: it must outlive the question. */
const MARGIN_MS = 30_000

/** SMART Backend Services asks for a scope: what a search reads, and nothing else. */
const BACKEND_SCOPE = READ_TYPES.map((type) => `system/${type}.read`).join(' ')

/** The access token of a source: asked for when there is none, and held until it ends or is refused. */
export class AccessToken implements TokenGiver {
  readonly #parts: AccessTokenParts
  #asking: Promise<HeldToken> | undefined

  constructor(parts: AccessTokenParts) {
    this.#parts = parts
  }

  /** Throws `FeedFailure` that says why there is no token. */
  async header(client: Poster): Promise<string> {
    const { held, name, now } = this.#parts
    const known = held.get(name)
    if (known !== undefined && known.untilMs > now()) return this.#headerOf(known)
    this.#asking ??= this.#ask(client).finally(() => {
      this.#asking = undefined
    })
    const asked = await this.#asking
    held.set(name, asked)
    return this.#headerOf(asked)
  }

  forget(header: string): void {
    const { held, name } = this.#parts
    const known = held.get(name)
    if (known !== undefined && this.#headerOf(known) === header) held.delete(name)
  }

  #headerOf({ token }: HeldToken): string {
    this.#parts.secrets.note(token)
    return `Bearer ${token}`
  }

  async #ask(client: Poster): Promise<HeldToken> {
    const { authorization } = this.#parts
    const posted =
      authorization.kind === 'backend-services'
        ? await this.#askWithKey(client, authorization)
        : await this.#askWithSecret(client, authorization)
    if (posted.status === 200) return this.#read(posted.text)
    const { retryAfterMs } = posted
    const words = wordsOf(posted.text)
    throw new FeedFailure(
      this.#message(`status must be 200: got "${posted.status}"${words === undefined ? '' : ` (${words})`}`),
      retryAfterMs === undefined ? {} : { retryAfterMs },
    )
  }

  /** The pair goes into the header, as every server must understand (RFC 6749, 2.3.1); into the form where one does not. */
  async #askWithSecret(
    client: Poster,
    { tokenUrl, clientId, clientSecret, scope }: SourceAuthorization & { kind: 'client-credentials' },
  ): Promise<Posted> {
    const { secrets } = this.#parts
    const [id, secret] = [secrets.fill(clientId), secrets.fill(clientSecret)]
    const form = {
      grant_type: 'client_credentials',
      ...(scope !== undefined && { scope: secrets.fill(scope) }),
    }
    const authorization = `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')}`
    const url = new URL(secrets.fill(tokenUrl))
    const posted = await client.post(url, encodedForm(form), { ...ACCEPT, authorization })
    if (errorOf(posted) !== 'invalid_client' && errorOf(posted) !== 'invalid_request') return posted
    return client.post(url, encodedForm({ ...form, client_id: id, client_secret: secret }), ACCEPT)
  }

  /** HL7 FHIR Bulk Data Access, "SMART Backend Services". */
  async #askWithKey(
    client: Poster,
    authorization: SourceAuthorization & { kind: 'backend-services' },
  ): Promise<Posted> {
    const { secrets, now } = this.#parts
    const url = new URL(secrets.fill(authorization.tokenUrl))
    const assertion = await signedAssertion({
      clientId: secrets.fill(authorization.clientId),
      audience: url.href,
      privateKey: secrets.fill(authorization.privateKey),
      nowMs: now(),
    })
    const form = {
      grant_type: 'client_credentials',
      scope: secrets.fill(authorization.scope ?? BACKEND_SCOPE),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }
    return client.post(url, encodedForm(form), ACCEPT)
  }

  #read(text: string): HeldToken {
    const answer = parsed(text)
    const { access_token: token, token_type: type } = answer
    if (typeof token !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(token))
      throw new FeedFailure(
        this.#message(
          `"access_token" must be a text: got "${token === undefined ? 'nothing' : 'another value'}"`,
        ),
      )
    if (type !== undefined && String(type).toLowerCase() !== 'bearer')
      throw new FeedFailure(this.#message(`"token_type" must be Bearer: got "${excerpt(type)}"`))
    const seconds = Number(answer.expires_in)
    const lifeMs = Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, LIFE_MS_MAX) : LIFE_MS
    return { token, untilMs: this.#parts.now() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) }
  }

  #message(why: string): string {
    const { tokenUrl } = this.#parts.authorization
    return `Cannot get an access token of ${truncate(tokenUrl, 500)}: ${why}`
  }
}

const ACCEPT = { accept: 'application/json' }

/** As application/x-www-form-urlencoded, which the header asks for too. */
function encoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function encodedForm(form: Readonly<Record<string, string>>): string {
  return new URLSearchParams(form).toString()
}

function parsed(text: string): Json {
  try {
    return asObject(JSON.parse(text)) ?? {}
  } catch {
    return {}
  }
}

function errorOf({ status, text }: Posted): string | undefined {
  return status === 400 || status === 401 ? asText(parsed(text).error) : undefined
}

function wordsOf(text: string): string | undefined {
  const { error, error_description: description } = parsed(text)
  const words = [asText(error), asText(description)].filter((one) => one !== undefined).join(': ')
  return words === '' ? undefined : truncate(words, 250)
}
