import { cookiePrefix } from './better-auth.ts'
import type { BetterAuthHolder } from './better-auth-holder.ts'
import type { Session } from './sign-in.ts'

/** A user of better-auth. */
export interface AuthUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
}

/** Identifies the user of a request by its cookies. */
export class SessionReader {
  readonly #holder: BetterAuthHolder
  readonly #isOperator: (user: AuthUser) => Promise<boolean>
  readonly #prefix: string

  constructor(options: {
    holder: BetterAuthHolder
    dashboardUrl: string
    isOperator: (user: AuthUser) => Promise<boolean>
  }) {
    this.#holder = options.holder
    this.#isOperator = options.isOperator
    this.#prefix = cookiePrefix(new URL(options.dashboardUrl).origin)
  }

  async sessionOf(headers: Headers): Promise<Session | undefined> {
    if (!headers.has('cookie')) return undefined
    // Extending a session sets its cookie again, which only `renew()` can do.
    const found = await this.#holder.current.api.getSession({ headers, query: { disableRefresh: true } })
    if (found === null) return undefined
    const { user, session } = found
    return {
      userId: user.id,
      email: user.email,
      name: user.name,
      emailVerified: user.emailVerified,
      twoFactor: 'twoFactorEnabled' in user && Boolean(user.twoFactorEnabled),
      isOperator: await this.#isOperator(user),
      createdAtMs: session.createdAt.getTime(),
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
    return cookie === undefined ? undefined : this.sessionOf(new Headers({ cookie }))
  }

  /** Ends the session that a response starts, and removes its cookies from the response. */
  async withoutSession(response: Response): Promise<Response> {
    const [, token] = /=([^.]*)/.exec(this.#sessionCookie(response) ?? '') ?? []
    if (token !== undefined) {
      const { internalAdapter } = await this.#holder.current.$context
      await internalAdapter.deleteSession(decodeURIComponent(token))
    }
    const headers = new Headers(response.headers)
    headers.delete('set-cookie')
    return new Response(response.body, { status: response.status, headers })
  }

  /** The user who has entered the password and still has to enter a code. */
  async userAwaitingCode(headers: Headers): Promise<AuthUser | undefined> {
    const pattern = new RegExp(`(?:^|;\\s*)${this.#prefix}\\.two_factor=([^;]+)`)
    const value = pattern.exec(headers.get('cookie') ?? '')?.[1]
    if (value === undefined) return undefined
    // better-auth checks the signature after the dot; the identifier is random, so only its recipient knows it.
    const identifier = decodeText(value).replace(/\.[^.]*$/, '')
    const { internalAdapter } = await this.#holder.current.$context
    const challenge = await internalAdapter.findVerificationValue(identifier)
    const user = challenge === null ? null : await internalAdapter.findUserById(challenge.value)
    return user ?? undefined
  }

  #sessionCookie(response: Response): string | undefined {
    const prefix = `${this.#prefix}.session_token=`
    const lines = response.headers.getSetCookie().map((line) => line.split(';')[0])
    return lines.find((line) => line.startsWith(prefix) && line.length > prefix.length)
  }
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
