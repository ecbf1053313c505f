import { parseCookies } from 'better-call'
import type { SignInConfig } from '../config/config.ts'
import type { Suspension } from '../shared/contract/suspension.ts'
import type { AccountStanding } from '../store/contracts/accounts.ts'
import { cookiePrefix } from './better-auth.ts'
import type { BetterAuthHolder } from './better-auth-holder.ts'
import { OPERATOR_SESSION_MS_MAX, SESSION_MS_MAX, type Session } from './sign-in.ts'

/** A user of better-auth. */
export interface AuthUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
}

/** The person whose one-time or backup code better-auth checks. */
interface CodeOwner {
  readonly userId: string
  readonly email: string
  /** The code of a signed-in user who has not turned two-factor authentication on. */
  readonly isFirst: boolean
}

interface SuspendedStart {
  readonly userId: string
  readonly email: string
  readonly suspension: Suspension
}

/** Identifies the user of a request by its cookies. */
export class SessionReader {
  readonly #holder: BetterAuthHolder
  readonly #standingOf: (user: AuthUser) => Promise<AccountStanding>
  readonly #prefix: string
  readonly #secondFactor: SignInConfig['requireSecondFactor']
  readonly #now: () => number

  constructor(options: {
    holder: BetterAuthHolder
    dashboardUrl: string
    standingOf: (user: AuthUser) => Promise<AccountStanding>
    settings: Pick<SignInConfig, 'requireSecondFactor'>
    now: () => number
  }) {
    this.#holder = options.holder
    this.#secondFactor = options.settings.requireSecondFactor
    this.#now = options.now
    this.#standingOf = options.standingOf
    this.#prefix = cookiePrefix(new URL(options.dashboardUrl).origin)
  }

  /** Undefined without an active session, and for a suspended account. Ends a session that has reached its maximum lifetime. */
  async sessionOf(headers: Headers): Promise<Session | undefined> {
    if (!headers.has('cookie')) return undefined
    // Extending a session sets its cookie again, which only `renew()` can do.
    const found = await this.#holder.current.api.getSession({ headers, query: { disableRefresh: true } })
    if (found === null) return undefined
    const { user, session } = found
    const { operatorRole, suspension } = await this.#standingOf(user)
    // A sign-in may end just after the suspension.
    if (suspension !== undefined) return undefined
    const createdAtMs = session.createdAt.getTime()
    if (this.#now() - createdAtMs >= (operatorRole ? OPERATOR_SESSION_MS_MAX : SESSION_MS_MAX)) {
      await this.#end(session.token)
      return undefined
    }
    const twoFactor = hasTwoFactor(user)
    return {
      userId: user.id,
      email: user.email,
      name: user.name,
      emailVerified: user.emailVerified,
      twoFactor,
      needsSecondFactor: !twoFactor && (await this.#requiresSecondFactor(user, operatorRole !== undefined)),
      ...(operatorRole && { operatorRole }),
      confirmedAtMs: confirmedAtOf(session) ?? createdAtMs,
    }
  }

  /** Records that the user of the request's session has proved their identity. */
  async confirm(headers: Headers): Promise<void> {
    const { internalAdapter } = await this.#holder.current.$context
    const found = await this.#holder.current.api.getSession({ headers, query: { disableRefresh: true } })
    if (found !== null) {
      await internalAdapter.updateSession(found.session.token, { confirmedAt: new Date(this.#now()) })
    }
  }

  /** Extends a session that is older than a day. Returns its `Set-Cookie` headers. */
  async renew(headers: Headers): Promise<string[]> {
    const { headers: sent } = await this.#holder.current.api.getSession({ headers, returnHeaders: true })
    return sent.getSetCookie()
  }

  /** The session that a response starts, if any. */
  async sessionStartedBy(response: Response): Promise<Session | undefined> {
    const cookie = this.#sessionCookie(response)
    return this.#tokenIn(cookie) === undefined ? undefined : this.sessionOf(new Headers({ cookie }))
  }

  /** The suspended account whose session a response starts, if any. */
  async suspendedStart(response: Response): Promise<SuspendedStart | undefined> {
    const token = this.#tokenIn(this.#sessionCookie(response))
    if (token === undefined) return undefined
    const { internalAdapter } = await this.#holder.current.$context
    const found = await internalAdapter.findSession(token)
    if (found === null) return undefined
    const { suspension } = await this.#standingOf(found.user)
    return suspension && { userId: found.user.id, email: found.user.email, suspension }
  }

  /** Changes fields of the session that a response starts, if any. */
  async update(response: Response, fields: object): Promise<void> {
    const token = this.#tokenIn(this.#sessionCookie(response))
    const { internalAdapter } = await this.#holder.current.$context
    if (token !== undefined) await internalAdapter.updateSession(token, fields)
  }

  /** Ends the session that a response starts, and removes its cookies from the response. */
  async withoutSession(response: Response): Promise<Response> {
    const token = this.#tokenIn(this.#sessionCookie(response))
    if (token !== undefined) await this.#end(token)
    const headers = new Headers(response.headers)
    headers.delete('set-cookie')
    return new Response(response.body, { status: response.status, headers })
  }

  /** Ends the session of a request if the response replaces or deletes its cookie: a new sign-in leaves no old session. */
  async endReplaced(request: Headers, response: Response): Promise<void> {
    const before = this.#tokenIn(request.get('cookie') ?? '')
    const cookie = this.#sessionCookie(response)
    if (before === undefined || cookie === '' || this.#tokenIn(cookie) === before) return
    await this.#end(before)
  }

  /** Ends all sessions of a user, and forgets the trusted devices. */
  async endAll(userId: string): Promise<void> {
    const { internalAdapter } = await this.#holder.current.$context
    await internalAdapter.deleteUserSessions(userId)
    await this.forgetDevices(userId)
  }

  /** Forgets the devices that skip the second factor, and all other pending verifications of the user, such as reset links. */
  async forgetDevices(userId: string): Promise<void> {
    const { adapter } = await this.#holder.current.$context
    await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value: userId }] })
  }

  /** The token of one of a user's sessions. */
  async tokenOfSession(userId: string, id: string): Promise<string | undefined> {
    const { internalAdapter } = await this.#holder.current.$context
    return (await internalAdapter.listSessions(userId)).find((session) => session.id === id)?.token
  }

  /** As in better-auth: the user of the session, otherwise the one who has entered the password and still has to enter a code. */
  async ownerOfCode(headers: Headers): Promise<CodeOwner | undefined> {
    const { api, $context } = this.#holder.current
    const found = await api.getSession({ headers, query: { disableRefresh: true } })
    if (found !== null) return { userId: found.user.id, email: found.user.email, isFirst: !hasTwoFactor(found.user) }
    // better-auth checks the signature; the identifier is random, so only its recipient knows it.
    const identifier = this.#signedText('two_factor', headers.get('cookie') ?? '')
    if (identifier === undefined) return undefined
    const { internalAdapter } = await $context
    const challenge = await internalAdapter.findVerificationValue(identifier)
    const user = challenge === null ? null : await internalAdapter.findUserById(challenge.value)
    return user === null ? undefined : { userId: user.id, email: user.email, isFirst: false }
  }

  /** Passkeys and single sign-on count as strong: only an account with a password needs a second factor. */
  async #requiresSecondFactor({ id }: AuthUser, isOperator: boolean): Promise<boolean> {
    if (this.#secondFactor === undefined || (this.#secondFactor === 'operators' && !isOperator)) return false
    const { internalAdapter } = await this.#holder.current.$context
    return typeof (await internalAdapter.findCredentialAccount(id))?.password === 'string'
  }

  async #end(token: string): Promise<void> {
    const { internalAdapter } = await this.#holder.current.$context
    await internalAdapter.deleteSession(token)
  }

  /** The cookie that a response sets last, which browsers keep, as `name=value`; empty if it sets none. */
  #sessionCookie(response: Response): string {
    const lines = response.headers.getSetCookie().map((line) => line.split(';')[0])
    return lines.findLast((line) => line.startsWith(`${this.#prefix}.session_token=`)) ?? ''
  }

  #tokenIn(cookies: string): string | undefined {
    return this.#signedText('session_token', cookies)
  }

  /** The text of a signed cookie, without its signature. The parser is that of better-auth, so that both see the same cookie. */
  #signedText(name: string, cookies: string): string | undefined {
    const [, text] = /^(.+)\.[^.]*$/s.exec(parseCookies(cookies).get(`${this.#prefix}.${name}`) ?? '') ?? []
    return text
  }
}

function hasTwoFactor(user: object): boolean {
  return 'twoFactorEnabled' in user && Boolean(user.twoFactorEnabled)
}

function confirmedAtOf(session: object): number | undefined {
  return 'confirmedAt' in session && session.confirmedAt instanceof Date ? session.confirmedAt.getTime() : undefined
}
