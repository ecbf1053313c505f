import type { SignIn } from '../../../src/auth/open-sign-in.ts'
import type { ClaimOutcome, DeleteOutcome, OneTimeLink, Session } from '../../../src/auth/sign-in.ts'
import { defined } from '../../../src/lib/optional.ts'
import type { SignInOptions } from '../../../src/shared/contract/me.ts'
import type { AuditOrigin } from '../../../src/store/contracts/audit.ts'
import type { Store } from '../../../src/store/contracts/store.ts'

/** Accepts the header `x-person` as the session: authentication has its own tests. */
export class FakeSignIn implements SignIn {
  claim: ClaimOutcome = 'claimed'
  deletion: DeleteOutcome = { outcome: 'deleted' }
  needsSecondFactor = false
  /** The people with two-factor authentication. */
  readonly withTwoFactor = new Set<string>()
  /** How long ago everybody confirmed their identity. */
  confirmedAgoMs = 0
  /** The calls, in order. */
  readonly calls: unknown[] = []
  readonly #store: Store
  readonly #now: () => number

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  async handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    return Response.json({ pathname, origin: request.headers.get('origin') }, { headers: { 'set-cookie': 'a=b' } })
  }

  async sessionOf(headers: Headers): Promise<Session | undefined> {
    const id = headers.get('x-person')
    const person = await this.#store.signIn.queries
      .selectFrom('users')
      .selectAll()
      .where('id', '=', id ?? '')
      .executeTakeFirst()
    if (person === undefined) return undefined
    return {
      userId: person.id,
      email: person.email,
      name: person.name,
      emailVerified: Boolean(person.emailVerified),
      twoFactor: this.withTwoFactor.has(person.id),
      needsSecondFactor: this.needsSecondFactor,
      ...defined({ operatorRole: await this.#store.operators.roleOf(person.id) }),
      confirmedAtMs: this.#now() - this.confirmedAgoMs,
    }
  }

  async claimSetup(token: string, userId: string, { address }: AuditOrigin): Promise<ClaimOutcome> {
    this.calls.push({ token, userId, address })
    return this.claim
  }

  async createResetLink(userId: string): Promise<OneTimeLink | undefined> {
    return userId === 'nobody' ? undefined : { link: `link of ${userId}`, expiresAtMs: this.#now() }
  }

  async signOutEverywhere(userId: string): Promise<boolean> {
    this.calls.push({ signedOut: userId })
    return userId !== 'nobody'
  }

  async notifyOwner({ kind, userId }: Parameters<SignIn['notifyOwner']>[0]): Promise<void> {
    this.calls.push({ notified: userId, of: kind })
  }

  async options(): Promise<SignInOptions> {
    return {
      password: true,
      signUp: 'open',
      domains: [],
      mail: false,
      needsOperator: false,
      baseUrl: 'https://slots.example',
      docsUrl: 'https://slots.example/docs',
      version: '1.2.3',
    }
  }

  async hasPassword(): Promise<boolean> {
    return true
  }

  async deleteAccount(session: Session, confirm: string): Promise<DeleteOutcome> {
    this.calls.push({ userId: session.userId, confirm })
    return this.deletion
  }
}
