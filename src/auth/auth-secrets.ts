import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { BetterAuthOptions } from 'better-auth'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { SignInConfig } from '../config/config.ts'
import type { OperatorStore } from '../store/contracts/operators.ts'
import { decodeText } from './auth-request.ts'

/** The name of the generated secret in the store. */
export const GENERATED_SECRET = 'auth'

/**
 * Reads the configured secrets. Without one, the store generates and keeps one for all nodes. Once another is configured, the
 * generated one counts as a previous secret.
 */
export async function readAuthSecrets(
  { authSecret, previousAuthSecrets: previous = [] }: Pick<SignInConfig, 'authSecret' | 'previousAuthSecrets'>,
  operators: Pick<OperatorStore, 'secret' | 'findSecret'>,
): Promise<AuthSecrets> {
  if (authSecret === undefined) {
    const generate = () => randomBytes(32).toString('base64url')
    return new AuthSecrets(await operators.secret(GENERATED_SECRET, generate), previous)
  }
  const generated = await operators.findSecret(GENERATED_SECRET)
  return new AuthSecrets(authSecret, generated === undefined ? previous : [...previous, generated])
}

/**
 * The secrets of sign-in. The current one signs and encrypts; what a previous one signed or encrypted is accepted.
 *
 * better-auth finds the secret of encrypted text by its version, but checks signatures with the current secret only. Cookies and
 * links with the signature of a previous secret are therefore signed again before better-auth sees them.
 */
export class AuthSecrets {
  readonly #current: string
  readonly #previous: readonly string[]

  constructor(current: string, previous: readonly string[] = []) {
    this.#current = current
    this.#previous = [...new Set(previous)].filter((secret) => secret !== current)
  }

  /** The option `secrets` of better-auth: the first one encrypts. */
  get versions(): NonNullable<BetterAuthOptions['secrets']> {
    return [this.#current, ...this.#previous].map((value) => ({ version: versionOf(value), value }))
  }

  /** The headers with every cookie of a previous secret signed by the current one. */
  renewCookies(headers: Headers): Headers {
    const cookies = headers.get('cookie')
    if (cookies === null || this.#previous.length === 0) return headers
    const renewed = new Headers(headers)
    // Not by a regular expression: anyone chooses the text, and the time would grow with the square of its length.
    renewed.set(
      'cookie',
      cookies
        .split(';')
        .map((cookie) => this.#renewCookie(cookie))
        .join(';'),
    )
    return renewed
  }

  /** The token of a verification link, signed by the current secret if a previous one signed it. */
  renewToken(token: string): string {
    const [text, signature] = splitAtLastDot(token)
    const isBefore = this.#signedBefore(text, signature, 'base64url')
    return isBefore ? `${text}.${sign(this.#current, text, 'base64url')}` : token
  }

  /** True for text that the current secret encrypted. */
  isCurrent(encrypted: string): boolean {
    return encrypted.startsWith(`$ba$${versionOf(this.#current)}$`)
  }

  /** The text encrypted with the current secret (XChaCha20-Poly1305). */
  encrypt(text: string): Promise<string> {
    return symmetricEncrypt({ key: this.#key, data: text })
  }

  /** The text that was encrypted with any of the secrets. Rejects if none decrypts it. */
  decrypt(encrypted: string): Promise<string> {
    return symmetricDecrypt({ key: this.#key, data: encrypted })
  }

  /** The same text encrypted with the current secret; undefined if none of the secrets decrypts it. */
  async encryptAgain(encrypted: string): Promise<string | undefined> {
    const data = await this.decrypt(encrypted).catch(() => undefined)
    return data === undefined ? undefined : this.encrypt(data)
  }

  get #key() {
    const keys = new Map(this.versions.map(({ version, value }) => [version, value]))
    return { keys, currentVersion: versionOf(this.#current) }
  }

  #renewCookie(cookie: string): string {
    const [name, value] = splitAt(cookie, cookie.indexOf('='))
    const [text, signature] = splitAtLastDot(decodeText(value.trim()))
    if (!this.#signedBefore(text, signature, 'base64')) return cookie
    return `${name}=${encodeURIComponent(`${text}.${sign(this.#current, text, 'base64')}`)}`
  }

  #signedBefore(text: string, signature: string, encoding: Encoding): boolean {
    if (signature.length < SIGNATURE_LENGTH_MIN) return false
    return this.#previous.some((secret) => isEqual(signature, sign(secret, text, encoding)))
  }
}

type Encoding = 'base64' | 'base64url'

/** 256 bits without padding. A shorter text needs no HMAC: one header can have thousands of cookies. */
const SIGNATURE_LENGTH_MIN = 43

/** Names a secret in encrypted text: the same on every node, in whatever order the secrets are configured. */
function versionOf(secret: string): number {
  return Number.parseInt(hash('sha256', `version of ${secret}`, 'hex').slice(0, 8), 16)
}

/** HMAC with SHA-256: in base64 for signed cookies of better-auth, in base64url for JSON Web Tokens (HS256). */
function sign(secret: string, text: string, encoding: Encoding): string {
  return createHmac('sha256', secret).update(text).digest(encoding)
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function splitAtLastDot(text: string): [string, string] {
  return splitAt(text, text.lastIndexOf('.'))
}

function splitAt(text: string, at: number): [string, string] {
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
