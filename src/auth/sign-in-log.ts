import { setTimeout as sleep } from 'node:timers/promises'
import type { LogEvent } from '../lib/log-event.ts'
import { defined } from '../lib/optional.ts'
import { errorText } from '../lib/text.ts'
import type { AuditActor, AuditLog } from '../store/contracts/audit.ts'
import type { SignInTables } from '../store/contracts/operators.ts'
import type { Attempt } from './failed-attempts.ts'

interface SignInLogOptions {
  readonly audit: Pick<AuditLog, 'record'>
  readonly tables: SignInTables
  readonly onEvent: (event: LogEvent) => void
}

/**
 * Records sign-ins in the audit logs of the service and the user's organizations, after the response is sent: its duration must not reveal
 * whether an account exists.
 */
export class SignInLog {
  readonly #options: SignInLogOptions
  readonly #pending = new Set<Promise<void>>()
  /** The waits that are already recorded, by account and address: one entry per wait, however many attempts follow. */
  readonly #reported = new Map<string, number>()

  constructor(options: SignInLogOptions) {
    this.#options = options
  }

  succeeded(user: { userId: string; email: string }, method: string, origin: Omit<AuditActor, 'name'>): void {
    const by = { userId: user.userId, name: user.email, ...origin }
    const { userId } = user
    this.#later(() => this.#options.audit.record({ kind: 'sign-in.succeeded', userId, by, detail: { method } }))
  }

  /** The account is suspended. */
  refused(
    { userId, email }: { userId: string; email: string },
    method: string,
    origin: Omit<AuditActor, 'name'>,
  ): void {
    const detail = { method, reason: 'the account is suspended' }
    this.#later(() =>
      this.#options.audit.record({ kind: 'sign-in.failed', userId, by: { name: email, ...origin }, detail }),
    )
  }

  failed(attempt: Attempt, address: string): void {
    this.#later(() => this.#record('sign-in.failed', attempt, address))
  }

  blocked(attempt: Attempt, address: string, untilMs: number): void {
    const key = `${attempt.method} ${attempt.email} ${address}`
    if (this.#reported.get(key) === untilMs) return
    if (this.#reported.size >= REPORTED_MAX) this.#reported.clear()
    this.#reported.set(key, untilMs)
    this.#later(() => this.#record('sign-in.blocked', attempt, address))
  }

  /** Resolves when all entries are recorded. */
  async close(): Promise<void> {
    await Promise.all(this.#pending)
  }

  async #record(kind: 'sign-in.failed' | 'sign-in.blocked', attempt: Attempt, address: string): Promise<void> {
    if (attempt.email === undefined) return
    const email = attempt.email.trim().toLowerCase()
    const user = await this.#options.tables.queries
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    if (user === undefined) return
    const by = { name: email, address, ...defined({ requestId: attempt.requestId }) }
    await this.#options.audit.record({ kind, userId: user.id, by, detail: { method: attempt.method } })
  }

  #later(work: () => Promise<void>): void {
    const task = sleep(DELAY_MS)
      .then(work)
      .catch((error: unknown) => {
        const fields = { error: errorText(error) }
        this.#options.onEvent({ level: 'error', message: 'sign-in could not be recorded', fields })
      })
      .finally(() => this.#pending.delete(task))
    this.#pending.add(task)
  }
}

/** Long enough for the response to be sent first. */
const DELAY_MS = 50

/** Bounds the memory that a flood of invented addresses can use. */
const REPORTED_MAX = 10_000
