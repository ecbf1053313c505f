import { setTimeout as sleep } from 'node:timers/promises'
import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import type { AuditLog } from '../store/contracts/audit.ts'
import type { SignInTables } from '../store/contracts/operators.ts'
import type { Guess } from './failed-attempts.ts'

/**
 * Notes sign-ins in the logs of the person's organizations. It does so after the answer has gone out: nothing about
 * an answer's time may tell whether there is an account.
 */
export class SignInLog {
  readonly #audit: Pick<AuditLog, 'recordSignIn'>
  readonly #tables: SignInTables
  readonly #onEvent: (event: LogEvent) => void
  readonly #underWay = new Set<Promise<void>>()
  /** Until when whom was refused, as was noted: one line for each wait, however often it is tried meanwhile. */
  readonly #noted = new Map<string, number>()

  constructor(parts: {
    audit: Pick<AuditLog, 'recordSignIn'>
    tables: SignInTables
    onEvent: (event: LogEvent) => void
  }) {
    this.#audit = parts.audit
    this.#tables = parts.tables
    this.#onEvent = parts.onEvent
  }

  succeeded(person: { userId: string; email: string }, method: string, address: string): void {
    const by = { userId: person.userId, name: person.email, address }
    this.#behind(() =>
      this.#audit.recordSignIn('sign-in.succeeded', person.userId, { by, detail: { method } }),
    )
  }

  failed(guess: Guess, address: string): void {
    this.#behind(() => this.#note('sign-in.failed', guess, address))
  }

  blocked(guess: Guess, address: string, untilMs: number): void {
    const whom = `${guess.method} ${guess.email} ${address}`
    if (this.#noted.get(whom) === untilMs) return
    if (this.#noted.size >= NOTED_MAX) this.#noted.clear()
    this.#noted.set(whom, untilMs)
    this.#behind(() => this.#note('sign-in.blocked', guess, address))
  }

  /** Resolves when everything is noted. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  async #note(kind: 'sign-in.failed' | 'sign-in.blocked', guess: Guess, address: string): Promise<void> {
    if (guess.email === undefined) return
    const email = guess.email.trim().toLowerCase()
    const user = await this.#tables.queries
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    if (user === undefined) return
    const entry = { by: { name: email, address }, detail: { method: guess.method } }
    await this.#audit.recordSignIn(kind, user.id, entry)
  }

  #behind(work: () => Promise<void>): void {
    const done = sleep(BEHIND_MS)
      .then(work)
      .catch((error: unknown) => {
        const fields = { error: errorText(error) }
        this.#onEvent({ level: 'error', message: 'sign-in could not be noted', fields })
      })
      .finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }
}

/** The answer is on its way by then. */
const BEHIND_MS = 50

/** What a flood of made-up names may take of memory. */
const NOTED_MAX = 10_000
