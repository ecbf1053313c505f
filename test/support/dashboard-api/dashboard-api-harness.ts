import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { ADDRESS_HEADER } from '../../../src/auth/auth-request.ts'
import type { DashboardContext, InvitationMail } from '../../../src/http/dashboard-api/context.ts'
import { dashboardApi, ROUTES } from '../../../src/http/dashboard-api/dashboard-api.ts'
import { FeedChecks } from '../../../src/http/dashboard-api/feed-checks/feed-checks.ts'
import type { NodeQuery } from '../../../src/http/node-query.ts'
import type { SerializedResponse } from '../../../src/http/serialized-http.ts'
import type { ApiKey } from '../../../src/keys/key.ts'
import type { NewInvitation } from '../../../src/shared/contract/invitations.ts'
import type { KeyView, NewKey } from '../../../src/shared/contract/keys.ts'
import type { OrganizationView } from '../../../src/shared/contract/organizations.ts'
import type { SourceCheck } from '../../../src/shared/contract/sources.ts'
import { DASHBOARD_PROBLEMS } from '../../../src/shared/dashboard-problem.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import { SubscriptionChanges } from '../../../src/subscriptions/subscription-changes.ts'
import { openTempStore, tempDatabaseUrl } from '../store/temp-store.ts'
import { FakeSignIn } from './fake-sign-in.ts'

export const ORIGIN = 'https://slots.example'

/** A response with its parsed body. */
export interface QueryResult {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at it by assertions
  readonly body: any
}

/** The sender and the content of a request. */
export interface Asking {
  /** The id of a signed-in user. */
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The dashboard API on a real store with users. The clock stands still unless a test advances it. */
export class DashboardApiHarness {
  readonly store: Store
  readonly signIn: FakeSignIn
  readonly app: ReturnType<typeof dashboardApi>
  /** The keys that were applied to the key ring, in order. */
  readonly applied: ApiKey[] = []
  readonly asked: NodeQuery[] = []
  readonly mails: InvitationMail[] = []
  readonly faults: unknown[] = []
  /** The replies of the main thread. */
  answer: SerializedResponse = plain(200, {})
  check: SourceCheck = { ok: true, message: 'The manifest lists 1 file.', files: [] }
  readonly #clock: { nowMs: number }

  private constructor(store: Store, clock: { nowMs: number }, overrides: Partial<DashboardContext>) {
    this.store = store
    this.#clock = clock
    this.signIn = new FakeSignIn(store, () => clock.nowMs)
    this.app = dashboardApi({ ...this.#context(), ...overrides })
  }

  static async open(t: TestContext, overrides: Partial<DashboardContext> = {}): Promise<DashboardApiHarness> {
    const clock = { nowMs: Date.UTC(2026, 5, 1, 12) }
    const databaseUrl = overrides.databaseUrl ?? tempDatabaseUrl()
    const store = await openTempStore(t, () => clock.nowMs, databaseUrl)
    return new DashboardApiHarness(store, clock, { databaseUrl, ...overrides })
  }

  get nowMs(): number {
    return this.#clock.nowMs
  }

  advance(ms: number): void {
    this.#clock.nowMs += ms
  }

  /** Creates a user for `as`, with the address `<id>@example.org`. */
  async addPerson(id: string, more: { confirmed?: boolean; operator?: boolean | 'viewer' } = {}): Promise<string> {
    const at = new Date(this.nowMs).toISOString()
    await this.store.signIn.queries
      .insertInto('users')
      .values({
        id,
        name: id.toUpperCase(),
        email: `${id}@example.org`,
        emailVerified: more.confirmed === false ? 0 : 1,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    if (more.operator) await this.store.operators.add(id, { role: more.operator === 'viewer' ? 'viewer' : 'operator' })
    return id
  }

  async ask(method: string, path: string, { as, body, headers = {} }: Asking = {}): Promise<QueryResult> {
    const isSafe = method === 'GET' || method === 'HEAD'
    const response = await this.app.request(`${ORIGIN}${path}`, {
      method,
      headers: {
        ...(isSafe ? {} : { origin: ORIGIN, 'content-type': 'application/json' }),
        ...(as === undefined ? {} : { 'x-person': as }),
        [ADDRESS_HEADER]: '192.0.2.1',
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    assertContract(method, path, { status: response.status, text })
    const isJson = /[/+]json$/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    }
  }

  /** Like `ask()`, but fails unless the response is a success. */
  async get(method: string, path: string, asking: Asking = {}): Promise<QueryResult['body']> {
    const { status, text, body } = await this.ask(method, path, asking)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return body
  }

  async addOrganization(owner: string, name = `${owner}'s`): Promise<OrganizationView> {
    return this.get('POST', '/api/organizations', { as: owner, body: { name } })
  }

  async addKey(org: string, as: string, name = 'web'): Promise<NewKey & { readonly key: KeyView }> {
    return this.get('POST', `/api/organizations/${org}/keys`, { as, body: { name } })
  }

  /** Returns the IDs of a subscription and of the delivery that verifies its address. */
  async addSubscription(org: string, as: string): Promise<{ subscription: string; delivery: string }> {
    const path = `/api/organizations/${org}/subscriptions`
    const body = { url: 'https://receiver.example/', filters: 'state=MA' }
    const { id } = (await this.get('POST', path, { as, body })).subscription
    const { deliveries } = await this.get('GET', `${path}/${id}/deliveries`, { as })
    return { subscription: id, delivery: deliveries[0].id }
  }

  async invite(org: string, as: string, body: object = { role: 'member' }): Promise<NewInvitation & { token: string }> {
    const made: NewInvitation = await this.get('POST', `/api/organizations/${org}/invitations`, { as, body })
    return { ...made, token: made.link.split('#')[1] }
  }

  /** Adds a user to an organization by an invitation. */
  async join(org: string, inviter: string, person: { id: string; role: 'admin' | 'member' }): Promise<void> {
    const { token } = await this.invite(org, inviter, { role: person.role })
    await this.get('POST', '/api/invitations/accept', { as: person.id, body: { token } })
  }

  #context(): DashboardContext {
    return {
      store: this.store,
      signIn: this.signIn,
      dashboardUrl: `${ORIGIN}/`,
      baseUrl: ORIGIN,
      subscriptions: new SubscriptionChanges({
        subscriptions: this.store.subscriptions,
        encrypt: async (text) => `encrypted ${text}`,
        allowPrivate: false,
        max: SUBSCRIPTIONS_MAX,
        now: () => this.nowMs,
      }),
      databaseUrl: 'sqlite:./none',
      version: '1.2.3',
      operatorEmails: [],
      configured: TEST_LIMITS,
      queryNode: async (question) => {
        this.asked.push(question)
        return this.answer
      },
      applyKeys: async (keys) => void this.applied.push(...keys),
      checkSource: async () => this.check,
      alerts: { list: async () => [], test: async () => [] },
      feedChecks: new FeedChecks(
        async () => {
          throw new Error('Cannot check: the test must say how')
        },
        () => this.nowMs,
        () => true,
      ),
      importUpload: async () => {
        throw new Error('Cannot import: the test must say how')
      },
      now: () => this.nowMs,
      onError: (error) => this.faults.push(error),
    }
  }
}

/** Subscriptions of an organization: more than a page has. */
export const SUBSCRIPTIONS_MAX = 260

/** The limits of a test that needs none. */
export const TEST_LIMITS: DashboardContext['configured'] = {
  changesPerHourMax: 300,
  rateLimits: {},
  slotsMax: 1000,
  uploadBytesMax: 2 ** 20,
  retentionMs: 400 * 86_400_000,
  requestLog: { retentionMs: 7 * 86_400_000, entriesMax: 100_000 },
}

/** A reply of another thread. */
export function plain(status: number, body: unknown, headers: Record<string, string> = {}): SerializedResponse {
  const all = { 'content-type': 'application/json', ...headers }
  return { status, headers: Object.entries(all), body: Buffer.from(JSON.stringify(body)) }
}

/** Fails unless a response matches the contract of its route, or the catalogue of problems. */
function assertContract(method: string, path: string, { status, text }: { status: number; text: string }): void {
  const [pathname] = path.split('?')
  const route = ROUTES.find((each) => each.method === method && patternOf(each.path).test(pathname))
  if (route === undefined || pathname.endsWith('.csv')) return
  if (status >= 400) assert.ok(Object.hasOwn(DASHBOARD_PROBLEMS, JSON.parse(text).code), text)
  else if (route.response === undefined) assert.deepEqual([status, text], [204, ''])
  else {
    const { error } = route.response.safeParse(JSON.parse(text))
    assert.equal(error, undefined, `${method} ${route.path}: ${error?.message} ${text.slice(0, 500)}`)
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}$`)
}
