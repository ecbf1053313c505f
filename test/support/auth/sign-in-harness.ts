import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { ADDRESS_HEADER } from '../../../src/auth/auth-request.ts'
import type { PasswordHashing } from '../../../src/auth/better-auth.ts'
import { type OpenSignIn, openSignIn } from '../../../src/auth/open-sign-in.ts'
import { createSetupLink } from '../../../src/auth/setup.ts'
import type { OneTimeLink } from '../../../src/auth/sign-in.ts'
import type { SignInConfig } from '../../../src/config/config.ts'
import type { LogEvent } from '../../../src/lib/log-event.ts'
import type { Mailer } from '../../../src/notifications/mail/smtp-mailer.ts'
import { UNNAMED_SERVICE } from '../../../src/shared/service-identity.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import { openTempStore } from '../store/temp-store.ts'

/** A response with its parsed body. */
export interface AuthResult {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on its fields
  readonly body: any
}

export interface SignInHarnessOptions extends Partial<SignInConfig> {
  readonly dashboardUrl?: string
  readonly mailer?: Mailer
  readonly store?: Store
  /** `'default'` hashes as the service does, which takes a tenth of a second for each password. */
  readonly passwordHashing?: PasswordHashing | 'default'
}

export const PASSWORD = 'a long enough password'

let opened = 0

/** Sign-in on a real store. The clock is the real one, plus `advance()`. */
export class SignInHarness {
  readonly store: Store
  readonly signIn: OpenSignIn
  readonly events: LogEvent[]
  readonly settings: SignInConfig
  readonly origin: string
  /** Of its visitors. Another for each harness: better-auth limits the requests of an address per process. */
  readonly address = `198.18.${Math.floor(++opened / 250)}.${(opened % 250) + 1}`
  readonly #clock: { aheadMs: number }

  private constructor(parts: {
    store: Store
    signIn: OpenSignIn
    events: LogEvent[]
    settings: SignInConfig
    origin: string
    clock: { aheadMs: number }
  }) {
    this.store = parts.store
    this.signIn = parts.signIn
    this.events = parts.events
    this.settings = parts.settings
    this.origin = parts.origin
    this.#clock = parts.clock
  }

  static async open(t: TestContext, options: SignInHarnessOptions = {}): Promise<SignInHarness> {
    const { dashboardUrl = 'http://localhost:8080/', mailer, store: givenStore, ...others } = options
    const { passwordHashing = FAST_HASHING, ...changed } = others
    const settings = { ...DEFAULTS, ...changed }
    const clock = { aheadMs: 0 }
    const now = () => Date.now() + clock.aheadMs
    const store = givenStore ?? (await openTempStore(t, now))
    const events: LogEvent[] = []
    const signIn = await openSignIn({
      store,
      settings,
      baseUrl: 'http://localhost:8080',
      dashboardUrl,
      docsUrl: 'http://localhost:8080/docs',
      version: '1.2.3',
      service: UNNAMED_SERVICE,
      mailer,
      passwordHashing: passwordHashing === 'default' ? undefined : passwordHashing,
      now,
      onEvent: (event) => events.push(event),
    })
    return new SignInHarness({ store, signIn, events, settings, origin: new URL(dashboardUrl).origin, clock })
  }

  /** As the service does at its first start. */
  createSetupLink(): Promise<OneTimeLink> {
    const now = () => Date.now() + this.#clock.aheadMs
    return createSetupLink(this.store.operators, { dashboardUrl: `${this.origin}/`, now, by: { name: 'service' } })
  }

  advance(ms: number): void {
    this.#clock.aheadMs += ms
  }

  /** A browser without a session. */
  visitor(address = this.address): Visitor {
    return new Visitor(this, address)
  }

  /** A signed-in browser with a new account. */
  async person(email: string, address?: string): Promise<Visitor> {
    const visitor = this.visitor(address)
    const { status, body } = await visitor.signUp(email)
    assert.equal(status, 200, JSON.stringify(body))
    return visitor
  }
}

/** Stores and sends cookies like a browser. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly #harness: SignInHarness
  readonly #address: string

  constructor(harness: SignInHarness, address: string) {
    this.#harness = harness
    this.#address = address
  }

  get headers(): Headers {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return new Headers({ [ADDRESS_HEADER]: this.#address, ...(cookie !== '' && { cookie }) })
  }

  async get(path: string): Promise<AuthResult> {
    return this.#send(new Request(`${this.#harness.origin}/api/auth${path}`, { headers: this.headers }))
  }

  async post(path: string, body: object = {}, more: Record<string, string> = {}): Promise<AuthResult> {
    const { headers } = this
    for (const [name, value] of Object.entries({
      origin: this.#harness.origin,
      'content-type': 'application/json',
      ...more,
    })) {
      headers.set(name, value)
    }
    const url = `${this.#harness.origin}/api/auth${path}`
    return this.#send(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
  }

  signUp(email: string, more: object = {}): Promise<AuthResult> {
    return this.post('/sign-up/email', { name: email.split('@')[0], email, password: PASSWORD, ...more })
  }

  signInWith(email: string, password = PASSWORD): Promise<AuthResult> {
    return this.post('/sign-in/email', { email, password })
  }

  session() {
    return this.#harness.signIn.sessionOf(this.headers)
  }

  async #send(request: Request): Promise<AuthResult> {
    const response = await this.#harness.signIn.handle(request)
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const text = await response.text()
    const isJson = text !== '' && /[/+]json\b/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  #keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0\b/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** In place of scrypt, which takes a tenth of a second for each password. */
export const FAST_HASHING: Required<PasswordHashing> = {
  hash: async (password) => hash('sha256', password),
  verify: async ({ hash: stored, password }) => stored === hash('sha256', password),
}

const DEFAULTS: SignInConfig = {
  signUp: 'open',
  signUpDomains: [],
  passwordSignIn: true,
  operatorEmails: [],
  mailFrom: 'Scheduling Slots <no-reply@slots.example>',
  changesPerHourMax: 300,
}
