import { randomBytes } from 'node:crypto'
import type { SignInConfig } from '../config/config.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { Mailer } from '../notifications/mail/smtp-mailer.ts'
import type { SignInOptions } from '../shared/contract/me.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import type { AuditActor } from '../store/contracts/audit.ts'
import type { Store } from '../store/contracts/store.ts'
import { SignInMails } from './auth-emails.ts'
import { BASE_PATH, chain, type Exchange, readExchange, toRequest } from './auth-request.ts'
import { LibraryHolder } from './better-auth-holder.ts'
import { Guesses } from './failed-attempts.ts'
import { type Removal, removeAccount } from './remove-account.ts'
import { makeResetLink } from './reset-link.ts'
import { type SignInRoutes, signInRoutes } from './routes.ts'
import { foreignOrigin } from './same-origin.ts'
import { makeSetupLink } from './setup-link.ts'
import {
  type ClaimOutcome,
  type DeleteOutcome,
  FRESH_MS_MAX,
  type ResetLink,
  type Session,
  type SignIn,
} from './sign-in.ts'
import { SignInLog } from './sign-in-log.ts'
import { hashToken, SignUpPolicy } from './sign-up-policy.ts'
import { People, type Person } from './users.ts'

export interface SignInParts {
  readonly store: Store
  readonly settings: SignInConfig
  /** Where callers reach the service, without a slash at its end. */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly version: string
  /** Absent where no mail can be sent. */
  readonly mailer?: Mailer | undefined
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
}

/** What the routes of the dashboard may use, and what the account thread and the command line need besides. */
export interface OpenSignIn extends SignIn {
  /** Prolongs a session that is older than a day: the `Set-Cookie` lines that tell the browser so. */
  renew(headers: Headers): Promise<string[]>
  /** Whoever has this address; undefined if nobody has. */
  findAccount(email: string): Promise<Person | undefined>
  /** Counts the address as confirmed, on the operator's word. */
  confirmAddress(userId: string): Promise<void>
  removeAccount(userId: string, by: AuditActor): Promise<Removal>
  /** A new setup link; undefined while there is an operator already, or one is named in the configuration. */
  offerSetup(): Promise<string | undefined>
  /** Deletes what has expired. */
  purge(): Promise<void>
  /** Resolves when what was begun behind answers is done. */
  close(): Promise<void>
}

/** Opens sign-in on a store. The secret is the configured one, or one that the store keeps for all nodes. */
export async function openSignIn(parts: SignInParts): Promise<OpenSignIn> {
  const { settings, store } = parts
  const secret =
    settings.authSecret ?? (await store.operators.secret('auth', () => randomBytes(32).toString('base64url')))
  return new StoredSignIn(parts, secret)
}

class StoredSignIn implements OpenSignIn {
  readonly #parts: SignInParts
  readonly #origin: string
  readonly #holder: LibraryHolder
  readonly #people: People
  readonly #log: SignInLog
  readonly #guesses: Guesses
  readonly #mails: SignInMails | undefined
  readonly #routes: SignInRoutes

  constructor(parts: SignInParts, secret: string) {
    const { store, settings, dashboardUrl, mailer, now, onEvent } = parts
    this.#parts = parts
    this.#origin = new URL(dashboardUrl).origin
    const { throttles } = store
    const mails = mailer && new SignInMails({ mailer, throttles, dashboardUrl, now, onEvent })
    this.#mails = mails
    const policy = new SignUpPolicy(settings, store, now)
    const library = { tables: store.signIn, secret, dashboardUrl, settings, policy, mails, onEvent }
    this.#holder = new LibraryHolder({ ...library, provider: settings.oidc, now })
    this.#people = new People({
      holder: this.#holder,
      dashboardUrl,
      isOperator: (who) => this.#isOperator(who),
    })
    this.#log = new SignInLog({ audit: store.audit, tables: store.signIn, onEvent })
    this.#guesses = new Guesses({ throttles, log: this.#log, now })
    const guarding = { holder: this.#holder, people: this.#people, guesses: this.#guesses, log: this.#log }
    this.#routes = signInRoutes({ ...guarding, policy, mails, now }, settings)
  }

  async handle(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.slice(BASE_PATH.length)
    const guards = this.#routes.get(`${request.method} ${path}`)
    if (guards === undefined)
      return new DashboardProblem('not-found', 'This page does not exist.').toResponse()
    const fault = foreignOrigin(request, this.#origin)
    if (fault !== undefined) return new DashboardProblem('forbidden', fault).toResponse()
    const exchange = await readExchange(request)
    if (exchange === undefined)
      return new DashboardProblem('invalid-field', 'The body must be a JSON object.').toResponse()
    return finish(await chain(guards, (asked) => this.#forward(asked))(exchange))
  }

  sessionOf(headers: Headers): Promise<Session | undefined> {
    return this.#people.sessionOf(headers)
  }

  renew(headers: Headers): Promise<string[]> {
    return this.#people.renew(headers)
  }

  async claimSetup(token: string, by: { userId: string; address?: string }): Promise<ClaimOutcome> {
    const exchange = setupExchange(by.address)
    const answer = await this.#guesses.slow({ method: 'setup link' }, exchange, async () =>
      (await this.#parts.store.operators.claim(hashToken(token), by.userId))
        ? new Response()
        : new DashboardProblem('invalid-code', 'This is not the setup link.').toResponse(),
    )
    if (answer.ok) return 'claimed'
    return answer.status === 429 ? 'refused' : 'wrong-token'
  }

  async makeResetLink(userId: string): Promise<ResetLink | undefined> {
    const { settings, dashboardUrl } = this.#parts
    return settings.passwordSignIn ? makeResetLink({ holder: this.#holder, dashboardUrl }, userId) : undefined
  }

  async options(): Promise<SignInOptions> {
    const { settings, store, baseUrl, docsUrl, version, mailer } = this.#parts
    return {
      password: settings.passwordSignIn,
      signUp: settings.signUp,
      domains: settings.signUpDomains,
      mail: mailer !== undefined,
      needsOperator: settings.operatorEmails.length === 0 && !(await store.operators.any()),
      baseUrl,
      docsUrl,
      version,
      ...(settings.oidc && { oidc: { name: settings.oidc.name } }),
    }
  }

  async hasPassword(userId: string): Promise<boolean> {
    const { internalAdapter } = await this.#holder.current.$context
    const account = await internalAdapter.findCredentialAccount(userId)
    return typeof account?.password === 'string'
  }

  async deleteAccount(session: Session, confirm: string): Promise<DeleteOutcome> {
    const { userId, email } = session
    if (confirm.trim().toLowerCase() !== email) return { outcome: 'not-confirmed' }
    if (this.#parts.now() - session.createdAtMs >= FRESH_MS_MAX) return { outcome: 'not-fresh' }
    return this.removeAccount(userId, { userId, name: email })
  }

  async findAccount(email: string): Promise<Person | undefined> {
    const { internalAdapter } = await this.#holder.current.$context
    return (await internalAdapter.findUserByEmail(email.trim().toLowerCase()))?.user
  }

  async confirmAddress(userId: string): Promise<void> {
    const { internalAdapter } = await this.#holder.current.$context
    await internalAdapter.updateUser(userId, { emailVerified: true })
  }

  removeAccount(userId: string, by: AuditActor): Promise<Removal> {
    return removeAccount({ store: this.#parts.store, holder: this.#holder }, userId, by)
  }

  async offerSetup(): Promise<string | undefined> {
    const { store, settings, dashboardUrl } = this.#parts
    if (settings.operatorEmails.length > 0 || (await store.operators.any())) return undefined
    return makeSetupLink(store.operators, dashboardUrl)
  }

  async purge(): Promise<void> {
    const { queries } = this.#parts.store.signIn
    const now = new Date(this.#parts.now()).toISOString()
    await queries.deleteFrom('sessions').where('expiresAt', '<', now).execute()
    await queries.deleteFrom('verifications').where('expiresAt', '<', now).execute()
  }

  async close(): Promise<void> {
    await this.#log.close()
    await this.#mails?.close()
  }

  #forward(exchange: Exchange): Promise<Response> {
    return this.#holder.current.handler(toRequest(exchange, this.#origin))
  }

  async #isOperator({ id, email, emailVerified }: Person): Promise<boolean> {
    const { operatorEmails } = this.#parts.settings
    return (emailVerified && operatorEmails.includes(email)) || this.#parts.store.operators.isOperator(id)
  }
}

function setupExchange(address = 'unknown'): Exchange {
  return { method: 'POST', path: '/setup', search: '', headers: new Headers(), body: {}, address }
}

/** No answer may be kept by a cache; the library names the wait in a different header. */
function finish(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set('cache-control', 'no-store')
  if (response.status === 429 && !headers.has('retry-after')) {
    headers.set('retry-after', headers.get('x-retry-after') ?? '60')
  }
  return new Response(response.body, { status: response.status, headers })
}
