import { KeyedMutex } from '../lib/concurrency.ts'
import { isObject } from '../lib/json.ts'
import { HOUR_MS } from '../lib/time.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import type { ThrottleRule, ThrottleStore } from '../store/contracts/operators.ts'
import { addressBlock } from './address-block.ts'
import type { AuthRequest, Next } from './auth-request.ts'
import type { SignInLog } from './sign-in-log.ts'

/** An attempt to authenticate. */
export interface Attempt {
  /** As recorded in the audit log. */
  readonly method: string
  /** The account's email address, whether or not the account exists: both are limited alike. Absent if unknown. */
  readonly email?: string | undefined
}

/** Five free attempts, then waits of 1 s, 2 s, 4 s … up to 15 minutes: about a hundred attempts a day. */
const ACCOUNT_RULE: ThrottleRule = { free: 5, firstMs: 1000, maxMs: 900_000, forgetMs: 12 * HOUR_MS }

/** Higher, because an office may share an address. */
const ADDRESS_RULE: ThrottleRule = { free: 20, firstMs: 1000, maxMs: 900_000, forgetMs: HOUR_MS }

/** The error codes of a failed attempt: better-auth's, and ours for one-time codes. */
const FAILURE_CODES = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'INVALID_PASSWORD',
  'INVALID_CODE',
  'INVALID_BACKUP_CODE',
  'INVALID_TOKEN',
  'invalid-code',
])

/**
 * Limits failed attempts by account and by network address, with exponential backoff. A mutex per account serializes the
 * attempts, so concurrent requests get no more tries than sequential ones.
 */
export class FailedAttempts {
  readonly #throttles: ThrottleStore
  readonly #log: SignInLog
  readonly #now: () => number
  readonly #mutex = new KeyedMutex()

  constructor(options: { throttles: ThrottleStore; log: SignInLog; now: () => number }) {
    this.#throttles = options.throttles
    this.#log = options.log
    this.#now = options.now
  }

  /** Passes the request on, or responds with 429 while the account or the address has to wait. */
  async limit(attempt: Attempt, request: AuthRequest, next: Next): Promise<Response> {
    const names = throttleNames(attempt, request.address)
    return this.#mutex.run(names.account ?? names.address, async () => {
      const untilMs = await this.#refusedUntil(names)
      if (untilMs > this.#now()) return this.#reject(attempt, request, untilMs)
      const response = await next(request)
      if (await isFailure(response)) await this.#fail(attempt, request)
      else if (response.ok && names.account !== undefined) await this.#throttles.clear(names.account)
      return response
    })
  }

  /** Clears an account's failed attempts after its owner authenticated in another way. */
  async clear(attempt: Attempt): Promise<void> {
    const { account } = throttleNames(attempt, '')
    if (account !== undefined) await this.#throttles.clear(account)
  }

  async #refusedUntil({ account, address }: ThrottleNames): Promise<number> {
    const addressUntil = await this.#throttles.refusedUntil(address)
    return account === undefined ? addressUntil : Math.max(addressUntil, await this.#throttles.refusedUntil(account))
  }

  async #fail(attempt: Attempt, request: AuthRequest): Promise<void> {
    const { account, address } = throttleNames(attempt, request.address)
    if (account !== undefined) await this.#throttles.fail(account, ACCOUNT_RULE)
    await this.#throttles.fail(address, ADDRESS_RULE)
    this.#log.failed(attempt, request.address)
  }

  #reject(attempt: Attempt, request: AuthRequest, untilMs: number): Response {
    this.#log.blocked(attempt, request.address, untilMs)
    const waitS = Math.ceil((untilMs - this.#now()) / 1000)
    const wait = waitS < 120 ? `${waitS} seconds` : `${Math.ceil(waitS / 60)} minutes`
    const message = `Too many failed attempts. Wait ${wait}, then try again.`
    return new DashboardProblem('too-many-attempts', message, {
      headers: { 'retry-after': String(waitS) },
    }).toResponse()
  }
}

interface ThrottleNames {
  readonly account: string | undefined
  readonly address: string
}

function throttleNames({ method, email }: Attempt, address: string): ThrottleNames {
  const account = email === undefined ? undefined : `${method} of ${email.trim().toLowerCase().slice(0, 254)}`
  return { account, address: `${method} from ${addressBlock(address)}` }
}

async function isFailure(response: Response): Promise<boolean> {
  if (response.status < 400 || response.status > 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return isObject(body) && FAILURE_CODES.has(String(body.code))
}
