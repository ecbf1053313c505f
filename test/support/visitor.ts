import assert from 'node:assert/strict'
import type { RunningService } from './running-service.ts'

const PASSWORD = 'a long enough password'

/** A client of the dashboard API that stores cookies like a browser. */
export class Visitor {
  readonly #origin: string
  readonly #home: string
  #cookie = ''

  private constructor({ origin, home }: Pick<RunningService, 'origin' | 'home'>) {
    this.#origin = origin
    this.#home = home
  }

  static async signUp(service: Pick<RunningService, 'origin' | 'home'>, email: string): Promise<Visitor> {
    const visitor = new Visitor(service)
    const form = { name: 'Ada', email, password: PASSWORD }
    await visitor.json('POST', '/api/auth/sign-up/email', form)
    return visitor
  }

  static async signIn(service: Pick<RunningService, 'origin' | 'home'>, email: string): Promise<Visitor> {
    const visitor = new Visitor(service)
    await visitor.json('POST', '/api/auth/sign-in/email', { email, password: PASSWORD })
    return visitor
  }

  /** The headers that authenticate this visitor. */
  get headers(): Readonly<Record<string, string>> {
    return { origin: this.#home, cookie: this.#cookie }
  }

  async ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Response> {
    const response = await fetch(`${this.#origin}${path}`, {
      method,
      headers: {
        ...this.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) this.#cookie = set.split(';')[0]
    return response
  }

  /** Uploads a file. */
  upload(path: string, file: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
    const type = { 'content-type': 'application/octet-stream' }
    const init = { method: 'POST', body: file, duplex: 'half' } as RequestInit
    return fetch(`${this.#origin}${path}`, {
      ...init,
      headers: { ...this.headers, ...type, ...headers },
    })
  }

  /** The parsed body of a response, which must be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at it by assertions
  async json(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<any> {
    const response = await this.ask(method, path, body)
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
