import { randomBytes } from 'node:crypto'
import type { SignInConfig } from '../config/config.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { Mailer } from '../notifications/mail/smtp-mailer.ts'
import type { SignInOptions } from '../shared/contract/me.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import type { AuditActor } from '../store/contracts/audit.ts'
import type { Store } from '../store/contracts/store.ts'
import { AuthEmails } from './auth-emails.ts'
import { type AuthRequest, BASE_PATH, chain, readAuthRequest, toBetterAuthRequest } from './auth-request.ts'
import type { PasswordHashing } from './better-auth.ts'
import { BetterAuthHolder } from './better-auth-holder.ts'
import { FailedAttempts } from './failed-attempts.ts'
import { createResetLink } from './link-tokens.ts'
import { type SignInRoutes, signInRoutes } from './routes.ts'
import { originProblem } from './same-origin.ts'
import { type AuthUser, SessionReader } from './session-reader.ts'
import {
  type ClaimOutcome,
  type DeleteOutcome,
  RECENT_SIGN_IN_MS,
  type ResetLink,
  type Session,
  type SignIn,
} from './sign-in.ts'
import { SignInLog } from './sign-in-log.ts'
import { createSetupLink, hashToken, SignUpPolicy } from './sign-up-policy.ts'

export interface SignInDependencies {
  readonly store: Store
  readonly settings: SignInConfig
  /** The service's public URL, without a trailing slash. */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly version: string
  /** Absent without a mail server. */
  readonly mailer?: Mailer | undefined
  /** scrypt by default. */
  readonly passwordHashing?: PasswordHashing | undefined
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
}

/** `SignIn` with the operations of the dashboard thread and the command line. */
export interface OpenSignIn extends SignIn {
  /** Extends a session that is older than a day. Returns its `Set-Cookie` headers. */
  renew(headers: Headers): Promise<string[]>
  findAccount(email: string): Promise<AuthUser | undefined>
  /** Marks a user's email address as verified. */
  verifyEmail(userId: string): Promise<void>
  removeAccount(userId: string, by: AuditActor): Promise<Removal>
  /** Creates a setup link. Undefined if there is an operator, or the configuration names one. */
  createSetupLink(): Promise<string | undefined>
  /** Deletes expired sessions and verifications. */
  purge(): Promise<void>
  /** Resolves when all background work is done. */
  close(): Promise<void>
}

/** Opens sign-in on a store. Without `authSecret`, the store generates and keeps one secret for all nodes. */
export async function openSignIn(dependencies: SignInDependencies): Promise<OpenSignIn> {
  const { settings, store } = dependencies
  const secret =
    settings.authSecret ?? (await store.operators.secret('auth', () => randomBytes(32).toString('base64url')))
  return new StoredSignIn(dependencies, secret)
}

class StoredSignIn implements OpenSignIn {
  readonly #dependencies: SignInDependencies
  readonly #origin: string
  readonly #holder: BetterAuthHolder
  readonly #sessions: SessionReader
  readonly #log: SignInLog
  readonly #failedAttempts: FailedAttempts
  readonly #emails: AuthEmails | undefined
  readonly #routes: SignInRoutes

  constructor(dependencies: SignInDependencies, secret: string) {
    const { store, settings, dashboardUrl, mailer, passwordHashing, now, onEvent } = dependencies
    this.#dependencies = dependencies
    this.#origin = new URL(dashboardUrl).origin
    const { throttles } = store
    const emails = mailer && new AuthEmails({ mailer, throttles, dashboardUrl, now, onEvent })
    this.#emails = emails
    const policy = new SignUpPolicy(settings, store, now)
    const betterAuth = { tables: store.signIn, secret, dashboardUrl, settings, policy, emails, onEvent }
    this.#holder = new BetterAuthHolder({ ...betterAuth, passwordHashing, provider: settings.oidc, now })
    this.#sessions = new SessionReader({
      holder: this.#holder,
      dashboardUrl,
      isOperator: (user) => this.#isOperator(user),
    })
    this.#log = new SignInLog({ audit: store.audit, tables: store.signIn, onEvent })
    this.#failedAttempts = new FailedAttempts({ throttles, log: this.#log, now })
    const guardOptions = {
      holder: this.#holder,
      sessions: this.#sessions,
      failedAttempts: this.#failedAttempts,
      log: this.#log,
    }
    this.#routes = signInRoutes({ ...guardOptions, policy, emails, now }, settings)
  }

  async handle(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.slice(BASE_PATH.length)
    const guards = this.#routes.get(`${request.method} ${path}`)
    if (guards === undefined) return new DashboardProblem('not-found', 'This page does not exist.').toResponse()
    const problem = originProblem(request, this.#origin)
    if (problem !== undefined) return new DashboardProblem('forbidden', problem).toResponse()
    const authRequest = await readAuthRequest(request)
    if (authRequest === undefined)
      return new DashboardProblem('invalid-field', 'The body must be a JSON object.').toResponse()
    return finish(await chain(guards, (forwarded) => this.#forward(forwarded))(authRequest))
  }

  sessionOf(headers: Headers): Promise<Session | undefined> {
    return this.#sessions.sessionOf(headers)
  }

  renew(headers: Headers): Promise<string[]> {
    return this.#sessions.renew(headers)
  }

  async claimSetup(token: string, by: { userId: string; address?: string }): Promise<ClaimOutcome> {
    const authRequest = setupRequest(by.address)
    const response = await this.#failedAttempts.limit({ method: 'setup link' }, authRequest, async () =>
      (await this.#dependencies.store.operators.claim(hashToken(token), by.userId))
        ? new Response()
        : new DashboardProblem('invalid-code', 'This setup link is invalid.').toResponse(),
    )
    if (response.ok) return 'claimed'
    return response.status === 429 ? 'refused' : 'wrong-token'
  }

  async createResetLink(userId: string): Promise<ResetLink | undefined> {
    const { settings, dashboardUrl } = this.#dependencies
    return settings.passwordSignIn ? createResetLink({ holder: this.#holder, dashboardUrl }, userId) : undefined
  }

  async options(): Promise<SignInOptions> {
    const { settings, store, baseUrl, docsUrl, version, mailer } = this.#dependencies
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
    if (this.#dependencies.now() - session.createdAtMs >= RECENT_SIGN_IN_MS) return { outcome: 'not-fresh' }
    return this.removeAccount(userId, { userId, name: email })
  }

  async findAccount(email: string): Promise<AuthUser | undefined> {
    const { internalAdapter } = await this.#holder.current.$context
    return (await internalAdapter.findUserByEmail(email.trim().toLowerCase()))?.user
  }

  async verifyEmail(userId: string): Promise<void> {
    const { internalAdapter } = await this.#holder.current.$context
    await internalAdapter.updateUser(userId, { emailVerified: true })
  }

  removeAccount(userId: string, by: AuditActor): Promise<Removal> {
    return removeAccount({ store: this.#dependencies.store, holder: this.#holder }, userId, by)
  }

  async createSetupLink(): Promise<string | undefined> {
    const { store, settings, dashboardUrl } = this.#dependencies
    if (settings.operatorEmails.length > 0 || (await store.operators.any())) return undefined
    return createSetupLink(store.operators, dashboardUrl)
  }

  async purge(): Promise<void> {
    const { queries } = this.#dependencies.store.signIn
    const now = new Date(this.#dependencies.now()).toISOString()
    await queries.deleteFrom('sessions').where('expiresAt', '<', now).execute()
    await queries.deleteFrom('verifications').where('expiresAt', '<', now).execute()
  }

  async close(): Promise<void> {
    await this.#log.close()
    await this.#emails?.close()
  }

  #forward(authRequest: AuthRequest): Promise<Response> {
    return this.#holder.current.handler(toBetterAuthRequest(authRequest, this.#origin))
  }

  async #isOperator({ id, email, emailVerified }: AuthUser): Promise<boolean> {
    const { operatorEmails } = this.#dependencies.settings
    return (emailVerified && operatorEmails.includes(email)) || this.#dependencies.store.operators.isOperator(id)
  }
}

function setupRequest(address = 'unknown'): AuthRequest {
  return { method: 'POST', path: '/setup', search: '', headers: new Headers(), body: {}, address }
}

/** Forbids caching, and adds `Retry-After`, for which better-auth uses another header. */
function finish(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set('cache-control', 'no-store')
  if (response.status === 429 && !headers.has('retry-after')) {
    headers.set('retry-after', headers.get('x-retry-after') ?? '60')
  }
  return new Response(response.body, { status: response.status, headers })
}

export type Removal = Extract<DeleteOutcome, { outcome: 'deleted' | 'owner' }>

/**
 * Removes the user's memberships, each with an audit log entry, then deletes the user with all sessions, passwords and
 * passkeys. Audit logs keep their entries. Changes nothing while the user owns an organization.
 */
export async function removeAccount(
  options: { store: Pick<Store, 'memberships'>; holder: BetterAuthHolder },
  userId: string,
  by: AuditActor,
): Promise<Removal> {
  const { memberships } = options.store
  const owned = await ownedBy(userId)
  if (owned.length > 0) return { outcome: 'owner', organizations: owned }
  for (const { organization } of await memberships.listOfUser(userId)) {
    await memberships.remove({ organizationId: organization.id, userId }, by)
  }
  // Another owner may have transferred an organization in the meantime.
  const ownedNow = await ownedBy(userId)
  if (ownedNow.length > 0) return { outcome: 'owner', organizations: ownedNow }
  const { internalAdapter } = await options.holder.current.$context
  await internalAdapter.deleteUser(userId)
  return { outcome: 'deleted' }

  async function ownedBy(owner: string): Promise<string[]> {
    const all = await memberships.listOfUser(owner)
    return all.filter(({ role }) => role === 'owner').map(({ organization }) => organization.name)
  }
}
