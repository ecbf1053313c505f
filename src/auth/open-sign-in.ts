import type { SignInConfig } from '../config/config.ts'
import { isObject } from '../lib/json.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { Mailer } from '../notifications/mail/smtp-mailer.ts'
import type { SignInOptions } from '../shared/contract/me.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import type { ServiceIdentity } from '../shared/service-identity.ts'
import type { AccountStanding } from '../store/contracts/accounts.ts'
import type { AuditActor, AuditOrigin } from '../store/contracts/audit.ts'
import type { OperatorChange } from '../store/contracts/operators.ts'
import type { AccountRemoval } from '../store/contracts/organizations.ts'
import type { Store } from '../store/contracts/store.ts'
import { AuthEmails } from './auth-emails.ts'
import { type AuthRequest, BASE_PATH, readAuthRequest, toBetterAuthRequest } from './auth-request.ts'
import { type AuthSecrets, readAuthSecrets } from './auth-secrets.ts'
import { BACK_CHANNEL_PATH, BackChannelLogout } from './back-channel-logout.ts'
import type { PasswordHashing } from './better-auth.ts'
import { BetterAuthHolder } from './better-auth-holder.ts'
import { FailedAttempts } from './failed-attempts.ts'
import { chain, type GuardContext } from './guards.ts'
import { createResetLink, hashToken } from './link-tokens.ts'
import { notifyingLog, notifyOwner, type OwnerNotice } from './notifying-log.ts'
import { type SignInRoutes, signInRoutes } from './routes.ts'
import { originProblem } from './same-origin.ts'
import { type AuthUser, SessionReader } from './session-reader.ts'
import { needsOperator } from './setup.ts'
import type { ClaimOutcome, DeleteOutcome, OneTimeLink, Session } from './sign-in.ts'
import { SignInLog } from './sign-in-log.ts'
import { SignUpPolicy } from './sign-up-policy.ts'
import { refuseSuspended } from './suspended-accounts.ts'

interface SignInDependencies {
  readonly store: Store
  readonly settings: SignInConfig
  /** The service's public URL, without a trailing slash. */
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly version: string
  readonly service: ServiceIdentity
  /** Absent without a mail server. */
  readonly mailer?: Mailer | undefined
  /** scrypt by default. */
  readonly passwordHashing?: PasswordHashing | undefined
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
}

/** Opens sign-in on a store. */
export async function openSignIn(dependencies: SignInDependencies): Promise<OpenSignIn> {
  return new OpenSignIn(dependencies, await readAuthSecrets(dependencies.settings, dependencies.store.operators))
}

/** Authentication, as the dashboard API sees it. */
export type SignIn = Pick<
  OpenSignIn,
  | 'handle'
  | 'sessionOf'
  | 'claimSetup'
  | 'createResetLink'
  | 'signOutEverywhere'
  | 'options'
  | 'hasPassword'
  | 'deleteAccount'
  | 'notifyOwner'
>

/** Authentication on a store: for the dashboard thread, its API and the command line. */
export class OpenSignIn {
  readonly #dependencies: SignInDependencies
  readonly #origin: string
  readonly #guards: GuardContext
  readonly #routes: SignInRoutes
  /** Absent without a provider. */
  readonly #logout: BackChannelLogout | undefined

  constructor(dependencies: SignInDependencies, secrets: AuthSecrets) {
    const { store, settings, dashboardUrl, service, mailer, passwordHashing, now, onEvent } = dependencies
    this.#dependencies = dependencies
    this.#origin = new URL(dashboardUrl).origin
    const { throttles } = store
    const emails = mailer && new AuthEmails({ mailer, throttles, dashboardUrl, service, now, onEvent })
    const policy = new SignUpPolicy(settings, store, now)
    const audit = notifyingLog(store.audit, { tables: store.signIn, emails, now, onEvent })
    const serviceName = service.name
    const tables = store.signIn
    const shared = { audit, tables, secrets, dashboardUrl, serviceName, settings, policy, emails, onEvent }
    const holder = new BetterAuthHolder({
      ...shared,
      passwordHashing,
      provider: settings.oidc,
      yieldTo: (email) => this.#yieldTo(email),
      now,
    })
    const sessions = new SessionReader({
      holder,
      dashboardUrl,
      settings,
      standingOf: (user) => this.#standingOf(user),
      now,
    })
    const log = new SignInLog({ audit: store.audit, tables: store.signIn, onEvent })
    const failedAttempts = new FailedAttempts({ throttles, log, now })
    this.#guards = {
      holder,
      secrets,
      sessions,
      failedAttempts,
      throttles,
      log,
      audit,
      policy,
      emails,
      now,
      memberships: store.memberships,
      host: new URL(dashboardUrl).hostname,
    }
    this.#routes = signInRoutes(settings)
    const logout = { holder, tables: store.signIn, audit, failedAttempts, now }
    this.#logout = settings.oidc && new BackChannelLogout({ ...logout, ...settings.oidc })
  }

  /** Handles requests below `/api/auth/`. */
  async handle(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.slice(BASE_PATH.length)
    if (path === BACK_CHANNEL_PATH && request.method === 'POST' && this.#logout) return this.#logout.handle(request)
    const guards = this.#routes[`${request.method} ${path}`]
    if (guards === undefined) return new DashboardProblem('not-found', 'This page does not exist.').toResponse()
    const problem = originProblem(request, this.#origin)
    if (problem !== undefined) return new DashboardProblem('forbidden', problem).toResponse()
    const parsed = await readAuthRequest(request)
    if (parsed === undefined)
      return new DashboardProblem('invalid-field', 'The body must be a JSON object.').toResponse()
    const { sessions, secrets } = this.#guards
    const headers = secrets.renewCookies(request.headers)
    // Ends a session that has reached its maximum lifetime, which better-auth does not know.
    await sessions.sessionOf(headers)
    const respond = chain(guards, this.#guards, (forwarded) => this.#forward(forwarded))
    const response = await refuseSuspended(parsed, await respond({ ...parsed, headers }), this.#guards)
    await sessions.endReplaced(headers, response)
    return finish(response)
  }

  /** The session of the request's cookies; undefined without an active one. */
  sessionOf(headers: Headers): Promise<Session | undefined> {
    const { sessions, secrets } = this.#guards
    return sessions.sessionOf(secrets.renewCookies(headers))
  }

  /** Extends a session that is older than a day. Returns its `Set-Cookie` headers. */
  renew(headers: Headers): Promise<string[]> {
    const { sessions, secrets } = this.#guards
    return sessions.renew(secrets.renewCookies(headers))
  }

  /** Makes the user the operator. */
  async claimSetup(token: string, userId: string, origin: AuditOrigin = {}): Promise<ClaimOutcome> {
    const { failedAttempts } = this.#guards
    const response = await failedAttempts.limit({ method: 'setup link' }, origin.address ?? 'unknown', async () =>
      (await this.#dependencies.store.operators.claim(hashToken(token), userId, origin))
        ? new Response()
        : new DashboardProblem('invalid-code', 'This setup link is invalid.').toResponse(),
    )
    if (response.ok) {
      this.#dependencies.onEvent({ level: 'info', message: 'setup link claimed', fields: { userId, ...origin } })
      return 'claimed'
    }
    return response.status === 429 ? 'refused' : 'wrong-token'
  }

  /** Creates a link that sets a new password once, within an hour. Undefined if the user does not exist. */
  async createResetLink(userId: string, by: AuditActor): Promise<OneTimeLink | undefined> {
    const { settings, dashboardUrl } = this.#dependencies
    if (!settings.passwordSignIn) return undefined
    const link = await createResetLink({ holder: this.#guards.holder, dashboardUrl }, userId)
    if (link !== undefined) await this.#guards.audit.record({ kind: 'account.reset-link-created', userId, by })
    return link
  }

  /** Ends all sessions of a user, and forgets the trusted devices. False if the user does not exist. */
  async signOutEverywhere(userId: string, by: AuditActor): Promise<boolean> {
    if ((await (await this.#users()).findUserById(userId)) === null) return false
    await this.#guards.sessions.endAll(userId)
    const detail = { sessions: 'all' }
    await this.#guards.audit.record({ kind: 'account.sessions-ended', userId, by, detail })
    return true
  }

  async options(): Promise<SignInOptions> {
    const { store, settings, baseUrl, docsUrl, version, mailer } = this.#dependencies
    return {
      password: settings.passwordSignIn,
      signUp: settings.signUp,
      domains: settings.signUpDomains,
      mail: mailer !== undefined,
      needsOperator: await needsOperator(store.operators, settings),
      baseUrl,
      docsUrl,
      version,
      ...(settings.oidc && { oidc: { name: settings.oidc.name } }),
    }
  }

  /** False for users with only single sign-on or a passkey. */
  async hasPassword(userId: string): Promise<boolean> {
    const account = await (await this.#users()).findCredentialAccount(userId)
    return typeof account?.password === 'string'
  }

  /** Deletes the session's user with all sessions and memberships. `confirm` is the email address, typed again. */
  async deleteAccount(session: Session, confirm: string, origin: AuditOrigin = {}): Promise<DeleteOutcome> {
    const { userId, email } = session
    if (confirm.trim().toLowerCase() !== email) return { outcome: 'not-confirmed' }
    const allowNone = this.#dependencies.settings.operatorEmails.length > 0
    return this.removeAccount(userId, { by: { userId, name: email, ...origin }, allowNone })
  }

  /** Notifies the owner of an account, by email, of a change that the store made and recorded. */
  notifyOwner(notice: OwnerNotice): Promise<void> {
    const { store, now, onEvent } = this.#dependencies
    return notifyOwner(notice, { tables: store.signIn, emails: this.#guards.emails, now, onEvent })
  }

  async findAccount(email: string): Promise<AuthUser | undefined> {
    return (await (await this.#users()).findUserByEmail(email.trim().toLowerCase()))?.user
  }

  /**
   * Removes the user's memberships and the user with all sessions, passwords and passkeys, in one transaction. Audit logs keep
   * their entries. Changes nothing while the user owns an organization or, without `allowNone`, is the last operator.
   */
  removeAccount(userId: string, change: OperatorChange): Promise<AccountRemoval> {
    return this.#dependencies.store.memberships.removeAccount(userId, change)
  }

  /** Resolves when all background work is done. */
  async close(): Promise<void> {
    await this.#guards.log.close()
    await this.#guards.emails?.close()
  }

  #forward(authRequest: AuthRequest): Promise<Response> {
    return this.#guards.holder.current.handler(toBetterAuthRequest(authRequest, this.#origin))
  }

  /** The user table, through better-auth. */
  async #users() {
    return (await this.#guards.holder.current.$context).internalAdapter
  }

  /**
   * Deletes an account whose address is unverified when the provider verifies that another person owns it: signing up first
   * must not keep the owner out. An account that is used (organizations, operator, single sign-on) stays.
   */
  async #yieldTo(email: string): Promise<void> {
    const { operators, memberships } = this.#dependencies.store
    const found = await (await this.#users()).findUserByEmail(email.toLowerCase(), { includeAccounts: true })
    if (found === null || found.user.emailVerified) return
    const { id } = found.user
    const isUsed =
      found.accounts.some(({ providerId }) => providerId !== 'credential') ||
      (await operators.roleOf(id)) !== undefined ||
      (await memberships.listOfUser(id)).length > 0
    if (!isUsed) await this.removeAccount(id, { by: { name: 'single sign-on' }, allowNone: false })
  }

  async #standingOf({ id, email, emailVerified }: AuthUser): Promise<AccountStanding> {
    const { settings, store } = this.#dependencies
    const isConfigured = emailVerified && settings.operatorEmails.includes(email)
    return { ...(await store.accounts.standing(id)), ...(isConfigured && { operatorRole: 'operator' }) }
  }
}

/** Forbids caching, adds `Retry-After`, for which better-auth uses another header, and removes session tokens. */
async function finish(response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.set('cache-control', 'no-store')
  if (response.status === 429 && !headers.has('retry-after')) {
    headers.set('retry-after', headers.get('x-retry-after') ?? '60')
  }
  const isJson = headers.get('content-type')?.startsWith('application/json')
  const body = isJson ? withoutTokens(await response.text()) : response.body
  return new Response(body, { status: response.status, headers })
}

/** Session tokens belong in cookies that no script can read. `signedIn` says whether the response started a session. */
function withoutTokens(json: string): string {
  if (json === '') return json
  const body: unknown = JSON.parse(json)
  const rest = JSON.parse(json, (name, value) => (name === 'token' ? undefined : value))
  return JSON.stringify(isObject(body) && 'token' in body ? { ...rest, signedIn: body.token !== null } : rest)
}
