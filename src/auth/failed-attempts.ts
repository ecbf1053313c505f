import { KeyedSemaphore } from '../lib/concurrency.ts'
import { isObject } from '../lib/json.ts'
import { addressBlock } from '../lib/network-address.ts'
import { HOUR_MS } from '../lib/time.ts'
import { throttled } from '../shared/dashboard-problem.ts'
import type { ThrottleRule, ThrottleStore } from '../store/contracts/operators.ts'
import type { SignInLog } from './sign-in-log.ts'

/** An attempt to authenticate. */
export interface Attempt {
  /** As recorded in the audit log. */
  readonly method: string
  /** The account's email address, whether or not the account exists: both are limited alike. Absent if unknown. */
  readonly email?: string | undefined
  readonly requestId?: string | undefined
}

/** Five free attempts, then waits of 1 s, 2 s, 4 s … up to 15 minutes: about a hundred attempts a day. */
const STRICT_RULE: ThrottleRule = { free: 5, firstMs: 1000, maxMs: 900_000, forgetMs: 12 * HOUR_MS }

/** A password from all addresses: higher, so that one address cannot lock the account for its owner at another. */
const ACCOUNT_RULE: ThrottleRule = { ...STRICT_RULE, free: 50 }

/** All accounts from one address: an office, or everybody behind an unknown proxy, shares it and waits a minute at most. */
const ADDRESS_RULE: ThrottleRule = { free: 50, firstMs: 1000, maxMs: 60_000, forgetMs: HOUR_MS }

/** Tokens, which name no account. */
const TOKEN_RULE: ThrottleRule = { free: 20, firstMs: 1000, maxMs: 900_000, forgetMs: HOUR_MS }

/** The error codes of a failed attempt: better-auth's, and ours for one-time codes. */
const FAILURE_CODES = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'INVALID_PASSWORD',
  'INVALID_CODE',
  'INVALID_BACKUP_CODE',
  'INVALID_TOKEN',
  'invalid-code',
])

interface FailedAttemptsOptions {
  readonly throttles: ThrottleStore
  readonly log: SignInLog
  readonly now: () => number
}

/**
 * Limits failed attempts by account and by network address, with exponential backoff. A mutex per account serializes the
 * attempts, so concurrent requests get no more tries than sequential ones.
 */
export class FailedAttempts {
  readonly #options: FailedAttemptsOptions
  readonly #mutex = new KeyedSemaphore(1)

  constructor(options: FailedAttemptsOptions) {
    this.#options = options
  }

  /** Responds with the result of the attempt, or responds with 429 while the account or the address has to wait. */
  async limit(attempt: Attempt, from: string, respond: () => Promise<Response>): Promise<Response> {
    const { now } = this.#options
    return this.#mutex.run(accountName(attempt) ?? addressName(attempt, from), async () => {
      const untilMs = await this.#refusedUntil(attempt, from)
      if (untilMs > now()) return this.#reject(attempt, from, untilMs)
      const response = await respond()
      if (await isFailure(response)) await this.#fail(attempt, from)
      else if (response.ok) await this.clear(attempt, from)
      return response
    })
  }

  /** Clears an account's failed attempts after its owner authenticated, perhaps in another way. */
  async clear(attempt: Attempt, from: string): Promise<void> {
    const account = accountName(attempt)
    if (account === undefined) return
    for (const { name } of limitsOf(attempt, from)) {
      if (name.startsWith(account)) await this.#options.throttles.clear(name)
    }
  }

  async #refusedUntil(attempt: Attempt, from: string): Promise<number> {
    const waits = limitsOf(attempt, from).map(({ name }) => this.#options.throttles.refusedUntil(name))
    return Math.max(...(await Promise.all(waits)))
  }

  async #fail(attempt: Attempt, from: string): Promise<void> {
    const { throttles, log } = this.#options
    for (const { name, rule } of limitsOf(attempt, from)) await throttles.fail(name, rule)
    log.failed(attempt, from)
  }

  #reject(attempt: Attempt, from: string, untilMs: number): Response {
    const { log, now } = this.#options
    log.blocked(attempt, from, untilMs)
    return throttled('too-many-attempts', 'Too many failed attempts.', untilMs - now()).toResponse()
  }
}

interface Limit {
  readonly name: string
  readonly rule: ThrottleRule
}

/** A one-time code has six digits, and the password is known by then: all addresses together get the strict limit. */
function limitsOf(attempt: Attempt, from: string): Limit[] {
  const account = accountName(attempt)
  const address = addressName(attempt, from)
  if (account === undefined) return [{ name: address, rule: TOKEN_RULE }]
  if (attempt.method !== 'password') {
    return [
      { name: account, rule: STRICT_RULE },
      { name: address, rule: ADDRESS_RULE },
    ]
  }
  return [
    { name: `${account} from ${addressBlock(from)}`, rule: STRICT_RULE },
    { name: account, rule: ACCOUNT_RULE },
    { name: address, rule: ADDRESS_RULE },
  ]
}

function accountName({ method, email }: Attempt): string | undefined {
  return email === undefined ? undefined : `${method} of ${email.trim().toLowerCase().slice(0, 254)}`
}

function addressName({ method }: Attempt, from: string): string {
  return `${method} from ${addressBlock(from)}`
}

async function isFailure(response: Response): Promise<boolean> {
  if (response.status < 400 || response.status > 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return isObject(body) && FAILURE_CODES.has(String(body.code))
}
