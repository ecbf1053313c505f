import { cookiePrefix } from './better-auth.ts'
import type { LibraryHolder } from './better-auth-holder.ts'
import type { Session } from './sign-in.ts'

/** A person as the library keeps one. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
}

/** Finds out who makes a request, by its cookies. */
export class People {
  readonly #holder: LibraryHolder
  readonly #isOperator: (person: Person) => Promise<boolean>
  readonly #prefix: string

  constructor(parts: {
    holder: LibraryHolder
    dashboardUrl: string
    isOperator: (person: Person) => Promise<boolean>
  }) {
    this.#holder = parts.holder
    this.#isOperator = parts.isOperator
    this.#prefix = cookiePrefix(new URL(parts.dashboardUrl).origin)
  }

  async sessionOf(headers: Headers): Promise<Session | undefined> {
    if (!headers.has('cookie')) return undefined
    // What prolongs a session also sends its cookie anew, which this answer could not: see `renew()`.
    const found = await this.#holder.current.api.getSession({ headers, query: { disableRefresh: true } })
    if (found === null) return undefined
    const { user, session } = found
    return {
      userId: user.id,
      email: user.email,
      name: user.name,
      emailConfirmed: user.emailVerified,
      twoFactor: 'twoFactorEnabled' in user && Boolean(user.twoFactorEnabled),
      isOperator: await this.#isOperator(user),
      createdAtMs: session.createdAt.getTime(),
    }
  }

  /** Prolongs a session that is older than a day: the `Set-Cookie` lines that say so to the browser. */
  async renew(headers: Headers): Promise<string[]> {
    const { headers: answered } = await this.#holder.current.api.getSession({ headers, returnHeaders: true })
    return answered.getSetCookie()
  }

  /** Whose session an answer begins; undefined if it begins none. */
  async sessionBegunBy(response: Response): Promise<Session | undefined> {
    const cookie = this.#sessionCookie(response)
    return cookie === undefined ? undefined : this.sessionOf(new Headers({ cookie }))
  }

  /** The answer without the session that it begins, which ends. */
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

  /** Who has given the password and is asked for the second factor. */
  async challenged(headers: Headers): Promise<Person | undefined> {
    const pattern = new RegExp(`(?:^|;\\s*)${this.#prefix}\\.two_factor=([^;]+)`)
    const value = pattern.exec(headers.get('cookie') ?? '')?.[1]
    if (value === undefined) return undefined
    // The signature behind the point is the library's to check; who knows the identifier has got it from us.
    const identifier = decodeText(value).replace(/\.[^.]*$/, '')
    const { internalAdapter } = await this.#holder.current.$context
    const challenge = await internalAdapter.findVerificationValue(identifier)
    const person = challenge === null ? null : await internalAdapter.findUserById(challenge.value)
    return person ?? undefined
  }

  #sessionCookie(response: Response): string | undefined {
    const begun = `${this.#prefix}.session_token=`
    const lines = response.headers.getSetCookie().map((line) => line.split(';')[0])
    return lines.find((line) => line.startsWith(begun) && line.length > begun.length)
  }
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
