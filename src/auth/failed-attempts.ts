import { KeyedMutex } from '../lib/concurrency.ts'
import { isObject } from '../lib/json.ts'
import { HOUR_MS } from '../lib/time.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import type { ThrottleRule, ThrottleStore } from '../store/contracts/operators.ts'
import { addressBlock } from './address-block.ts'
import type { Exchange, Next } from './auth-request.ts'
import type { SignInLog } from './sign-in-log.ts'

/** What is guessed, and whose it is. */
export interface Guess {
  /** As the log calls it. */
  readonly method: string
  /** The account's address, known or not: both are slowed down alike. Absent where nobody can tell. */
  readonly email?: string | undefined
}

/** Five mistakes are human. Then 1 s, 2 s, 4 s … up to a quarter of an hour, which leaves a hundred guesses a day. */
const ACCOUNT_RULE: ThrottleRule = { free: 5, firstMs: 1000, maxMs: 900_000, forgetMs: 12 * HOUR_MS }

/** An office may share an address. */
const ADDRESS_RULE: ThrottleRule = { free: 20, firstMs: 1000, maxMs: 900_000, forgetMs: HOUR_MS }

/** The library's codes for "that was not it". */
const WRONG = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'INVALID_PASSWORD',
  'INVALID_CODE',
  'INVALID_BACKUP_CODE',
  'INVALID_TOKEN',
  'invalid-code',
])

/**
 * Slows down whoever guesses, by account and by network address. Guesses at one account are answered one after the other:
 * of a hundred sent at once, no more are tried than of a hundred in a row.
 */
export class Guesses {
  readonly #throttles: ThrottleStore
  readonly #log: SignInLog
  readonly #now: () => number
  readonly #mutex = new KeyedMutex()

  constructor(parts: { throttles: ThrottleStore; log: SignInLog; now: () => number }) {
    this.#throttles = parts.throttles
    this.#log = parts.log
    this.#now = parts.now
  }

  /** Lets the guess through, unless this account or this address has to wait: 429 then. */
  async slow(guess: Guess, exchange: Exchange, next: Next): Promise<Response> {
    const names = namesOf(guess, exchange.address)
    return this.#mutex.run(names.account ?? names.address, async () => {
      const untilMs = await this.#refusedUntil(names)
      if (untilMs > this.#now()) return this.#refuse(guess, exchange, untilMs)
      const response = await next(exchange)
      if (await isWrong(response)) await this.#fail(guess, exchange)
      else if (response.ok && names.account !== undefined) await this.#throttles.clear(names.account)
      return response
    })
  }

  /** Lets an account be tried again, once its owner proved to be it in another way. */
  async forgive(guess: Guess): Promise<void> {
    const { account } = namesOf(guess, '')
    if (account !== undefined) await this.#throttles.clear(account)
  }

  async #refusedUntil({ account, address }: Names): Promise<number> {
    const ofAddress = await this.#throttles.refusedUntil(address)
    return account === undefined
      ? ofAddress
      : Math.max(ofAddress, await this.#throttles.refusedUntil(account))
  }

  async #fail(guess: Guess, exchange: Exchange): Promise<void> {
    const { account, address } = namesOf(guess, exchange.address)
    if (account !== undefined) await this.#throttles.fail(account, ACCOUNT_RULE)
    await this.#throttles.fail(address, ADDRESS_RULE)
    this.#log.failed(guess, exchange.address)
  }

  #refuse(guess: Guess, exchange: Exchange, untilMs: number): Response {
    this.#log.blocked(guess, exchange.address, untilMs)
    const waitS = Math.ceil((untilMs - this.#now()) / 1000)
    const wait = waitS < 120 ? `${waitS} seconds` : `${Math.ceil(waitS / 60)} minutes`
    const message = `That was wrong too often. Please wait ${wait}, then try again.`
    return new DashboardProblem('too-many-attempts', message, {
      headers: { 'retry-after': String(waitS) },
    }).toResponse()
  }
}

interface Names {
  readonly account: string | undefined
  readonly address: string
}

function namesOf({ method, email }: Guess, address: string): Names {
  const account = email === undefined ? undefined : `${method} of ${email.trim().toLowerCase().slice(0, 254)}`
  return { account, address: `${method} from ${addressBlock(address)}` }
}

async function isWrong(response: Response): Promise<boolean> {
  if (response.status < 400 || response.status > 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return isObject(body) && WRONG.has(String(body.code))
}
